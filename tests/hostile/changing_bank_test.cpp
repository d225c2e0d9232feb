// A file that somebody writes to while it is opened: refused, or opened as what was checked. That
// it was checked and then used as something else, a fault of the process would show.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <iostream>
#include <thread>

#include "bank/record.h"
#include "base/file.h"
#include "bloomery/bank.h"
#include "bloomery/sizing.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

// Writes a lie and the truth in turn, over the 8 bytes at `offset`, until it is destroyed.
class Liar {
 public:
  Liar(const std::string& path, std::uint64_t offset)
      : file_(::open(path.c_str(), O_RDWR | O_CLOEXEC)), offset_(static_cast<off_t>(offset)) {
    is_right_ = ::pread(file_.descriptor(), &truth_, sizeof truth_, offset_) == sizeof truth_;
    thread_ = std::jthread([this](const std::stop_token& stop) {
      const std::uint64_t lie = std::uint64_t{1} << 45U;
      while (!stop.stop_requested()) {
        write(lie);
        write(truth_);
      }
    });
  }

  [[nodiscard]] bool is_right() const noexcept { return is_right_; }

 private:
  void write(std::uint64_t value) {
    if (::pwrite(file_.descriptor(), &value, sizeof value, offset_) != sizeof value) {
      is_right_ = false;
    }
  }

  File file_;
  off_t offset_;
  std::uint64_t truth_ = 0;
  std::atomic<bool> is_right_ = false;
  std::jthread thread_;
};

TEST(ChangingBank, IsRefusedOrIsWhatWasChecked) {
  constexpr std::size_t kEntries = 20'000;
  constexpr int kOpenings = 100;
  Filter filter = Filter::create(plan_filter(Kind::kBlocked, 10, 0.01).value()).value();
  filter.insert("key");
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < kEntries; ++i) groups.push_back(std::to_string(100'000 + i));
  std::vector<GroupFilter> filters;
  for (const auto& group : groups) filters.push_back({group, &filter, 1});
  const test::TemporaryFolder folder;
  const std::string path = folder.path("x.bank");
  ASSERT_TRUE(write_bank(path, filters).has_value());

  OpenOptions options;
  options.threads = 1;
  int opened = 0;
  {
    const std::uint64_t last = kHeaderBytes + (kEntries - 1) * kEntryBytes;
    const Liar liar(path, last + static_cast<std::uint64_t>(EntryField::kTableOffset));
    for (int i = 0; i < kOpenings; ++i) {
      const auto bank = Bank::open(path, options);
      if (!bank) continue;
      ++opened;
      ASSERT_TRUE(bank->entries().back().filter().may_contain("key"));
    }
    EXPECT_TRUE(liar.is_right());
  }
  std::cout << opened << " of " << kOpenings << " were opened, the others refused\n";
  EXPECT_TRUE(Bank::open(path, options).has_value());
}

}  // namespace
}  // namespace bloomery
