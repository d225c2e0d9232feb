// bloomery-worker: the executable that travels to the nodes of a Hadoop cluster.
#include <fmt/core.h>

#include <string_view>

#include "engines/hadoop/worker.h"

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what != "map" && what != "reduce") {
    fmt::print(stderr, "bloomery-worker: Hadoop starts it, with map or reduce\n");
    return 2;
  }
  return bloomery::hadoop::run_worker(std::string(what));
}
