// Uses every public header, and a function of every one that has any.
#include <bloomery/bank.h>
#include <bloomery/dialect.h>
#include <bloomery/filter.h>
#include <bloomery/hash.h>
#include <bloomery/kernel.h>
#include <bloomery/number_hash.h>
#include <bloomery/probe.h>
#include <bloomery/result.h>
#include <bloomery/sizing.h>
#include <bloomery/spec.h>
#include <bloomery/version.h>

#include <cstdio>
#include <string>

namespace {

bloomery::Result<bool> make_and_ask(const std::string& path) {
  const auto spec = bloomery::plan_filter(bloomery::Kind::kBlocked, 1000, 0.01);
  if (!spec) return spec.error();
  auto filter = bloomery::Filter::create(*spec);
  if (!filter) return filter.error();
  filter->insert("a key");

  const bloomery::GroupFilter group{"all", &*filter, 1};
  bloomery::WriteOptions options;
  options.overwrite = true;
  if (auto written = write_bank(path, {&group, 1}, options); !written) return written.error();
  const auto bank = bloomery::Bank::open(path);
  if (!bank) return bank.error();
  return bank->groups_of("a key").size() == 1;
}

}  // namespace

int main(int argc, char** argv) {
  const auto found = make_and_ask(argc > 1 ? argv[1] : "stranger.bank");
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().message.c_str());
    return 2;
  }
  const std::string kernel(to_string(bloomery::active_kernel()));
  std::printf("bloomery %s, kernel %s, key %s\n", BLOOMERY_VERSION, kernel.c_str(),
              *found ? "found" : "lost");
  return *found ? 0 : 1;
}
