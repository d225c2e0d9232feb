// Kill -9 while saving: the old bank or the new one, whole, every time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <random>
#include <thread>

#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::Sample;

// Two banks that differ, of about a megabyte.
std::vector<Sample> bank_number(int number) {
  std::vector<Sample> samples;
  const std::size_t keys = number == 0 ? 400'000 : 300'000;
  samples.push_back(
      test::make_sample("all", plan_filter(Kind::kBlocked, 800'000, 0.01).value(), keys));
  return samples;
}

// Saves one and the other over it until it is killed.
[[noreturn]] void save_for_ever(const std::string& path, std::span<const Sample> a,
                                std::span<const Sample> b) {
  WriteOptions options;
  options.overwrite = true;
  options.threads = 1;
  for (;;) {
    for (const auto& samples : {a, b}) {
      if (!write_bank(path, test::as_filters(samples), options)) ::_exit(1);
    }
  }
}

TEST(KilledWriter, LeavesTheOldBankOrTheNewOne) {
  constexpr int kKills = 50;
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  const auto a = bank_number(0);
  const auto b = bank_number(1);
  const auto bytes_a = test::bytes_of(a);
  const auto bytes_b = test::bytes_of(b);
  ASSERT_TRUE(write_bank(path, test::as_filters(a)).has_value());

  std::mt19937 random(20250101);  // NOLINT(cert-msc51-cpp): the same instants every time
  std::uniform_int_distribution<int> microseconds(500, 60'000);
  int found_b = 0;
  for (int i = 0; i < kKills; ++i) {
    const pid_t child = ::fork();
    if (child == 0) save_for_ever(path, a, b);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it failed before it was killed";
    ASSERT_TRUE(Bank::open(path).has_value());
    const auto found = test::read_file(path);
    ASSERT_TRUE(found == bytes_a || found == bytes_b);
    if (found == bytes_b) ++found_b;
  }
  std::cout << found_b << " of " << kKills << " kills found the second of the two banks\n";
  const auto left = folder.names().size() - 1;
  EXPECT_GT(left, 0U) << "no kill came while a file was being written";

  // What they left is removed by the next writer once it is an hour old.
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(2);
  for (const std::string& name : folder.names()) {
    std::filesystem::last_write_time(folder.path(name), long_ago);
  }
  WriteOptions options;
  options.overwrite = true;
  ASSERT_TRUE(write_bank(path, test::as_filters(a), options).has_value());
  EXPECT_EQ(folder.names(), std::set<std::string>{"x.bank"});
}

}  // namespace
}  // namespace bloomery
