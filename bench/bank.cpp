// How long until a bank of 1 GB can be asked? Opening reads every byte once for the checksums; what
// it takes beyond reading the mapped file on all threads is the bank's own cost.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "bench.h"
#include "bloomery/bank.h"
#include "keys.h"
#include "ours.h"

namespace bloomery::bench {
namespace {

// A file mapped afresh, as opening a bank does it.
class Mapping {
 public:
  explicit Mapping(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw std::runtime_error(path + ": cannot be opened");
    size_ = static_cast<std::size_t>(::lseek(file, 0, SEEK_END));
    data_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (data_ == MAP_FAILED) throw std::runtime_error(path + ": cannot be mapped");
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { munmap(data_, size_); }

  // Reads every word, each thread its part.
  [[nodiscard]] std::uint64_t sum(unsigned threads) const {
    const std::size_t words = size_ / 8 / threads;
    return sum_over_threads(threads, [&](unsigned t) {
      const auto* first = static_cast<const std::uint64_t*>(data_) + words * t;
      std::uint64_t total = 0;
      for (std::size_t i = 0; i < words; ++i) total ^= first[i];
      return total;
    });
  }

 private:
  std::size_t size_ = 0;
  void* data_ = nullptr;
};

// Removes its file, whatever happens.
struct BankFile {
  explicit BankFile(std::string file_path) : path(std::move(file_path)) {}
  BankFile(const BankFile&) = delete;
  BankFile& operator=(const BankFile&) = delete;
  ~BankFile() { std::remove(path.c_str()); }
  std::string path;
};

void must_hold(const Bank& bank, std::span<const std::uint64_t> keys) {
  const BankEntry* entry = bank.find("all");
  if (entry == nullptr || count_batched(entry->filter(), keys) != keys.size()) {
    throw std::runtime_error("bank: a bank that was opened denies a key");
  }
}

struct Milliseconds {
  std::vector<double> samples;
  void time(const std::function<void()>& work, unsigned threads) {
    samples.push_back(seconds(work, threads) * 1e3);
  }
  [[nodiscard]] double best() const { return *std::ranges::min_element(samples); }
};

void ask_open(Bench& bench, const std::string& path, std::span<const std::uint64_t> keys) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  Milliseconds read;
  Milliseconds open;
  Milliseconds load;
  std::uint64_t sum = 0;
  const std::uint64_t first_sum = Mapping(path).sum(threads);
  for (int round = 0; round < bench.rounds(); ++round) {
    read.time([&] { sum = Mapping(path).sum(threads); }, threads);
    if (sum != first_sum) throw std::runtime_error("bank: the file changed while it was read");
    {
      std::optional<Bank> bank;
      open.time([&] { bank.emplace(unwrap(Bank::open(path))); }, threads);
      must_hold(*bank, keys);
    }
    std::optional<Bank> bank;
    load.time([&] { bank.emplace(unwrap(Bank::load(path))); }, threads);
    must_hold(*bank, keys);
  }
  const auto add = [&](std::string name, double value, double ratio, std::string against,
                       std::optional<Target> target = {}) {
    bench.report().add(Row{.question = {},
                           .name = std::move(name),
                           .value = value,
                           .unit = "ms",
                           .ratio = ratio,
                           .against = std::move(against),
                           .target = target});
  };
  bench.report().add(Row{.question = {},
                         .name = fmt::format("read the mapped file, {} threads", threads),
                         .value = read.best(),
                         .unit = "ms"});
  const double rest = std::max(0.0, open.best() - read.best());
  add("open, all", open.best(), open.best() / read.best(), "reading");
  add("open, beyond reading", rest, rest / 50, "50 ms",
      Target{"opening a bank of 1 GB, beyond reading it", 1.0});
  add("load into huge pages", load.best(), load.best() / read.best(), "reading");
}

}  // namespace

void ask_bank(Bench& bench) {
  bench.report().begin("bank", "opening a bank of 1 GB that lies in the page cache");
  const BankFile file(bench.folder() + "/bloomery_bench.bank");
  const auto keys = number_questions(1'000'000, bench.scaled(1'000'000), Mix::kPresent);
  {
    Filter filter = make_filter(Kind::kBlocked, bench.scaled(800'000'000));
    insert_numbers(filter, 0, 1'000'000, 2);
    const GroupFilter group{.group = "all", .filter = &filter, .count = 1'000'000};
    WriteOptions options;
    options.overwrite = true;
    const double time =
        seconds([&] { unwrap(write_bank(file.path, std::span(&group, 1), options)); });
    bench.report().add(
        Row{.question = {}, .name = "write and fsync", .value = time * 1e3, .unit = "ms"});
  }
  ask_open(bench, file.path, keys.view());
}

}  // namespace bloomery::bench
