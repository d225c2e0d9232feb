// How fast records become keys: every format against counting lines, and compressed input against
// decompressing alone.
//
//   input [FILE.tsv]      a table with a header, key tconst, group round(averageRating); without
//   it, one is made
//
// All in one run, because only ratios hold on a shared machine. Every way must give the same keys:
// the sums are compared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "group/read_input.h"
#include "input/input.h"
#include "split/piece_reader.h"

namespace {

using namespace bloomery;

constexpr int kRuns = 9;
constexpr std::uint64_t kRecords = 1'254'186;

struct Outcome {
  std::uint64_t records = 0;
  std::uint64_t check = 0;
};

void fail(const Error& error) {
  fmt::print(stderr, "input: {}\n", error.message);
  std::exit(2);
}

// A table shaped like a list of ratings, the same on every run.
void make_table(const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  out << "tconst\taverageRating\tnumVotes\n";
  std::uint64_t state = 1;
  for (std::uint64_t i = 0; i < kRecords; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t tenths = 10 + (((state >> 33U) % 46) + ((state >> 44U) % 46));
    out << fmt::format("tt{:07}\t{}.{}\t{}\n", i * 8, tenths / 10, tenths % 10,
                       5 + ((state >> 20U) % (1U << ((state >> 50U) % 12))));
  }
}

// The same records with quotes around every field, and as JSON.
void make_others(const std::string& table, const std::string& csv, const std::string& json) {
  std::ifstream in(table, std::ios::binary);
  std::ofstream quoted(csv, std::ios::binary);
  std::ofstream objects(json, std::ios::binary);
  std::string line;
  std::getline(in, line);
  quoted << "tconst,averageRating,numVotes\n";
  while (std::getline(in, line)) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const std::string key = line.substr(0, first);
    const std::string rating = line.substr(first + 1, second - first - 1);
    const std::string votes = line.substr(second + 1);
    quoted << '"' << key << "\",\"" << rating << "\",\"" << votes << "\"\n";
    objects << R"({"tconst":")" << key << R"(","averageRating":)" << rating << R"(,"numVotes":)"
            << votes << "}\n";
  }
}

double seconds(const std::function<Outcome()>& work, Outcome& outcome) {
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    outcome = work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

Outcome read_keys(const std::string& path) {
  auto input = Input::open(path);
  if (!input) fail(input.error());
  const auto recipe = parse_recipe({{"key", "tconst"}, {"group", "round(averageRating)"}});
  if (!recipe) fail(recipe.error());
  const auto sample = input->sample(kSampleBytes);
  if (!sample) fail(sample.error());
  const auto shape = shape_for(*recipe, *sample, {}, path);
  if (!shape) fail(shape.error());
  Outcome outcome;
  KeyReader reader(*recipe, {}, [&](const KeyBatch& batch) -> Result<void> {
    outcome.records += batch.keys.size();
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      outcome.check += batch.keys[i].size() +
                       static_cast<unsigned char>(batch.keys[i].back()) * 31U + batch.groups[i];
    }
    return {};
  });
  reader.start_file(0, path, *shape);
  if (const auto read = read_all(*input, *shape, kDefaultMaxLine, reader); !read)
    fail(read.error());
  return outcome;
}

// Only decompression: what no reader can be faster than.
Outcome decompress(const std::string& path) {
  auto input = Input::open(path);
  if (!input) fail(input.error());
  auto source = input->stream();
  if (!source) fail(source.error());
  std::vector<char> buffer(std::size_t{256} << 10U);
  Outcome outcome;
  while (true) {
    const auto got = (*source)->read(buffer);
    if (!got) fail(got.error());
    if (*got == 0) return outcome;
    outcome.check += *got;
  }
}

Outcome count_lines(const std::string& path) {
  const std::string command = "wc -l " + path + " >/dev/null";
  if (std::system(command.c_str()) != 0) std::exit(2);  // NOLINT(*-mt-unsafe, cert-env33-c)
  return {};
}

Outcome start_nothing(const std::string& /*path*/) {
  if (std::system("true") != 0) std::exit(2);  // NOLINT(*-mt-unsafe, cert-env33-c)
  return {};
}

void run(const std::string& table, const std::string& folder) {
  const std::string csv = folder + "/input.csv";
  const std::string json = folder + "/input.jsonl";
  make_others(table, csv, json);
  const std::string gzip = folder + "/input.tsv.gz";
  const std::string zstd = folder + "/input.tsv.zst";
  const std::string compress =
      fmt::format("gzip -c '{0}' >'{1}' && zstd -qfc '{0}' >'{2}'", table, gzip, zstd);
  if (std::system(compress.c_str()) != 0) std::exit(2);  // NOLINT(*-mt-unsafe, cert-env33-c)

  struct Way {
    std::string_view name;
    std::string path;
    Outcome (*work)(const std::string&);
  };
  const std::vector<Way> ways{{"empty shell", table, start_nothing},
                              {"wc -l", table, count_lines},
                              {"TSV", table, read_keys},
                              {"CSV, all quoted", csv, read_keys},
                              {"JSON lines", json, read_keys},
                              {"gzip, inflate only", gzip, decompress},
                              {"gzip TSV", gzip, read_keys},
                              {"zstd, inflate only", zstd, decompress},
                              {"zstd TSV", zstd, read_keys}};
  fmt::print("{:20} {:>9} {:>10} {:>12}\n", "way", "ms", "MB/s", "ns/record");
  std::uint64_t check = 0;
  for (const Way& way : ways) {
    Outcome outcome;
    const double best = seconds([&] { return way.work(way.path); }, outcome);
    const double size = static_cast<double>(std::filesystem::file_size(way.path));
    const double records = static_cast<double>(std::max<std::uint64_t>(outcome.records, 1));
    fmt::print("{:20} {:9.2f} {:10.0f} {:12.2f}\n", way.name, best * 1e3, size / best / 1e6,
               outcome.records == 0 ? 0 : best * 1e9 / records);
    if (outcome.records == 0) continue;
    if (check != 0 && check != outcome.check) fail({ErrorCode::kMismatch, "the keys differ"});
    check = outcome.check;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder =
      std::filesystem::temp_directory_path() / fmt::format("bloomery-bench-input");
  std::filesystem::create_directories(folder);
  std::string table = folder + "/input.tsv";
  if (argc > 1) {
    table = argv[1];
  } else {
    make_table(table);
  }
  run(table, folder);
  std::filesystem::remove_all(folder);
  return 0;
}
