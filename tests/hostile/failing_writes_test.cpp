// Full disks, broken disks, signals: after every failure the old file is whole and nothing else is
// left.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "base/error.h"
#include "bloomery/bank.h"
#include "hostile/failing_calls.h"
#include "support/contains.h"
#include "support/sample_banks.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

using test::Fault;
using test::Sample;

// To lose it is to lose nothing.
bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

class FailingWrites : public testing::TestWithParam<bool> {
 protected:
  test::TemporaryFolder folder_;
  std::string path_ = folder_.path("x.bank");
  std::vector<Sample> samples_ = test::samples_of_every_kind();
  std::vector<std::byte> old_ = test::bytes_of({}, {});
  std::vector<std::byte> new_ = test::bytes_of(samples_, {});

  // Saves over an old file, or where there is none.
  [[nodiscard]] bool overwrites() const { return GetParam(); }

  Result<void> save(const Fault& fault) {
    std::filesystem::remove(path_);
    if (overwrites()) test::write_file(path_, old_);
    WriteOptions options;
    options.overwrite = overwrites();
    options.threads = 1;
    test::plan_fault(fault);
    return write_bank(path_, test::as_filters(samples_), options);
  }

  [[nodiscard]] bool has_new_file() const {
    return std::filesystem::exists(path_) && test::read_file(path_) == new_;
  }
  [[nodiscard]] bool has_old_file() const {
    return overwrites() ? test::read_file(path_) == old_ : !std::filesystem::exists(path_);
  }
  void expect_no_leftovers() const {
    for (const std::string& name : folder_.names()) EXPECT_EQ(name, "x.bank");
  }
};

TEST_P(FailingWrites, EveryCallIsWatched) {
  ASSERT_TRUE(save({}).has_value());
  test::call_that_failed();
  for (const auto* call : {"pwrite", "pread", "fsync", "close", "fallocate", "openat"}) {
    EXPECT_GT(test::calls_of(call), 0) << call;
  }
  EXPECT_EQ(test::calls_of("renameat"), overwrites() ? 1 : 0);
  EXPECT_EQ(test::calls_of("renameat2"), overwrites() ? 0 : 1);
  EXPECT_EQ(test::calls_of("fsync"), 2) << "the file, and its folder";
}

TEST_P(FailingWrites, EveryCallMayFailInTurn) {
  for (const int error_number : {ENOSPC, EIO, EDQUOT}) {
    for (int call = 1;; ++call) {
      const auto saved = save({call, error_number, {}});
      const std::string failed = test::call_that_failed();
      if (failed.empty()) {
        EXPECT_GT(call, 10) << "calls that were made to fail";
        break;
      }
      SCOPED_TRACE(failed + ", call " + std::to_string(call));
      expect_no_leftovers();
      if (saved) {
        // Where failure costs nothing: listing what others left, closing what was only read.
        EXPECT_TRUE(failed == "openat" || failed == "close");
        EXPECT_TRUE(has_new_file());
      } else if (failed == "fsync" && has_new_file()) {
        // The folder's, after the rename: the message must not say that nothing happened.
        EXPECT_PRED2(test::contains, saved.error().message, "is written, but may not survive");
      } else {
        EXPECT_TRUE(has_old_file());
        EXPECT_PRED2(test::contains, saved.error().message, path_ + ": ");
        EXPECT_EQ(saved.error().code, error_number == EIO ? ErrorCode::kIo : ErrorCode::kResource);
      }
    }
  }
}

TEST_P(FailingWrites, SignalsAndShortTransfersChangeNothing) {
  for (const auto* name : {"pwrite", "pread", "fsync", "close", "fallocate", "openat"}) {
    for (int call = 1;; ++call) {
      const auto saved = save({call, EINTR, name});
      if (test::call_that_failed().empty()) break;
      ASSERT_TRUE(saved) << name << " " << call << ": " << saved.error().message;
      EXPECT_TRUE(has_new_file());
      expect_no_leftovers();
    }
  }
  for (const auto* name : {"pwrite", "pread"}) {
    for (int call = 1;; ++call) {
      const auto saved = save({call, 0, name});
      if (test::call_that_failed().empty()) break;
      ASSERT_TRUE(saved) << name << " " << call << ": " << saved.error().message;
      EXPECT_TRUE(has_new_file());
    }
  }
}

// The worst a disk can do to a filter: what reads as zero says "no" to keys that were inserted.
TEST_P(FailingWrites, APageThatWasLostIsFound) {
  for (int call = 1;; ++call) {
    const auto saved = save({call, 0, "pwrite", true});
    if (test::call_that_failed().empty()) {
      EXPECT_EQ(call, static_cast<int>(samples_.size()) + 2) << "every table, and the head";
      break;
    }
    if (saved) {
      const auto& sample = samples_.at(static_cast<std::size_t>(call - 1));
      EXPECT_TRUE(is_zero(sample.filter.table())) << sample.group;
      EXPECT_TRUE(has_new_file());
      continue;
    }
    EXPECT_EQ(saved.error().code, ErrorCode::kIo);
    const bool is_head = call == static_cast<int>(samples_.size()) + 1;
    const std::string what =
        is_head ? std::string("its head")
                : "group \"" + escaped(samples_[static_cast<std::size_t>(call - 1)].group) + "\"";
    EXPECT_PRED2(test::contains, saved.error().message,
                 path_ + ": " + what + ": what is read back");
    EXPECT_TRUE(has_old_file());
    expect_no_leftovers();
  }
}

TEST_P(FailingWrites, APieceThatWasLostIsFound) {
  const Sample& sample = samples_.front();
  const auto table = sample.filter.table();
  constexpr std::size_t kPiece = 100;
  const int pieces = static_cast<int>((table.size() + kPiece - 1) / kPiece);
  ASSERT_GT(pieces, 1);
  for (int call = 1; call <= pieces; ++call) {
    auto writer = BankWriter::create(folder_.path("pieces"),
                                     {{sample.group, sample.filter.spec(), sample.keys.size()}})
                      .value();
    test::plan_fault({call, 0, "pwrite", true});
    for (std::size_t at = 0; at < table.size(); at += kPiece) {
      const auto size = std::min(kPiece, table.size() - at);
      ASSERT_TRUE(writer.write(sample.group, at, table.subspan(at, size)).has_value());
    }
    ASSERT_EQ(test::call_that_failed(), "pwrite");
    const auto lost = table.subspan(static_cast<std::size_t>(call - 1) * kPiece);
    if (is_zero(lost.first(std::min(kPiece, lost.size())))) {
      continue;  // nothing was lost
    }
    const auto committed = writer.commit();
    ASSERT_FALSE(committed) << call;
    EXPECT_EQ(committed.error().code, ErrorCode::kIo);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("pieces")));
  }
}

TEST_P(FailingWrites, FileSystemsThatCannotReserveAreNoProblem) {
  ASSERT_TRUE(save({1, EOPNOTSUPP, "fallocate"}).has_value());
  EXPECT_EQ(test::call_that_failed(), "fallocate");
  EXPECT_TRUE(has_new_file());
}

// A limit that the system keeps, not this test.
TEST_P(FailingWrites, AFileThatMayNotGrowIsAClearError) {
  ASSERT_TRUE(save({}).has_value());
  test::call_that_failed();
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    WriteOptions options;
    options.overwrite = true;
    const auto saved = write_bank(path_, test::as_filters(samples_), options);
    ::_exit(!saved && saved.error().code == ErrorCode::kResource ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(has_new_file());
  expect_no_leftovers();
}

INSTANTIATE_TEST_SUITE_P(Saving, FailingWrites, testing::Bool(), [](const auto& each) {
  return each.param ? "OverAnOldFile" : "ANewFile";
});

class SavingWithoutReplacing : public FailingWrites {};

TEST_P(SavingWithoutReplacing, WorksWhereRenameCannotDoIt) {
  ASSERT_TRUE(save({1, EINVAL, "renameat2"}).has_value());
  EXPECT_EQ(test::call_that_failed(), "renameat2");
  EXPECT_EQ(test::calls_of("linkat"), 1);
  EXPECT_TRUE(has_new_file());
  expect_no_leftovers();
}

// As on many network file systems and object stores.
Fault neither_flag_nor_link(int link_error) {
  Fault fault;
  fault.unknown = {{"renameat2", EINVAL}, {"linkat", link_error}};
  return fault;
}

TEST_P(SavingWithoutReplacing, WorksWhereLinkCannotDoItEither) {
  for (const int error_number : {EPERM, ENOSYS, EOPNOTSUPP}) {
    const auto saved = save(neither_flag_nor_link(error_number));
    test::call_that_failed();
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_EQ(test::calls_of("linkat"), 1);
    EXPECT_EQ(test::calls_of("renameat"), 1);
    EXPECT_TRUE(has_new_file());
    expect_no_leftovers();
  }
}

TEST_P(SavingWithoutReplacing, LeavesNoNameBehindWhereNothingCanDoIt) {
  Fault fault = neither_flag_nor_link(EPERM);
  fault.unknown["renameat"] = EIO;
  const auto saved = save(fault);
  test::call_that_failed();
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::kIo);
  EXPECT_EQ(test::calls_of("renameat"), 1);
  EXPECT_TRUE(folder_.names().empty());
}

TEST_P(SavingWithoutReplacing, KeepsWhatAppearedMeanwhileWhereLinkCannotDoIt) {
  const Sample& sample = samples_.front();
  auto writer =
      BankWriter::create(path_, {{sample.group, sample.filter.spec(), sample.keys.size()}}).value();
  ASSERT_TRUE(writer.write(sample.group, 0, sample.filter.table()).has_value());
  test::write_file(path_, old_);
  test::plan_fault(neither_flag_nor_link(EPERM));
  const auto committed = writer.commit();
  test::call_that_failed();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::kExists);
  EXPECT_EQ(test::read_file(path_), old_);
  expect_no_leftovers();
}

INSTANTIATE_TEST_SUITE_P(Saving, SavingWithoutReplacing, testing::Values(false));

}  // namespace
}  // namespace bloomery
