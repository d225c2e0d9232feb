// A file appears whole or not at all, and nothing else stays.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/temporary_name.h"
#include "support/contains.h"
#include "support/temporary_folder.h"

namespace bloomery {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string content(const std::string& path) {
  const auto read = test::read_file(path);
  return {reinterpret_cast<const char*>(read.data()), read.size()};
}

Result<void> save(const std::string& path, std::string_view text, bool overwrite) {
  auto file = AtomicFile::create(path, overwrite);
  if (!file) return file.error();
  if (auto written = file->write(0, bytes(text)); !written) return written;
  return file->commit();
}

// A process number that nobody has: of a child that has ended.
pid_t dead_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

class AtomicFileTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_.path("target");

  std::string make_temporary(const std::string& target, pid_t pid, std::chrono::minutes age) {
    std::string name = "." + target + ".tmp." + std::to_string(pid) + ".0123456789abcdef";
    test::write_file(folder_.path(name), "left behind");
    fs::last_write_time(folder_.path(name), fs::file_time_type::clock::now() - age);
    return name;
  }
};

TEST_F(AtomicFileTest, AppearsAtCommit) {
  auto file = AtomicFile::create(path_, false).value();
  ASSERT_TRUE(file.resize(8).has_value());
  ASSERT_TRUE(file.write(4, bytes("late")).has_value());
  ASSERT_TRUE(file.write(0, bytes("earl")).has_value());
  std::array<std::byte, 8> back{};
  ASSERT_TRUE(file.read(0, back).has_value());
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_TRUE(file.commit().has_value());
  EXPECT_EQ(content(path_), "earllate");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"target"}));
}

TEST_F(AtomicFileTest, LeavesTheOldFileWithoutCommit) {
  test::write_file(path_, "old");
  {
    auto file = AtomicFile::create(path_, true).value();
    ASSERT_TRUE(file.write(0, bytes("new")).has_value());
    auto moved = std::move(file);
    ASSERT_TRUE(moved.write(3, bytes("er")).has_value());
    EXPECT_EQ(folder_.names().size(), 2U);
  }
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"target"}));
}

TEST_F(AtomicFileTest, AssignmentDiscardsWhatWasThere) {
  auto file = AtomicFile::create(path_, false).value();
  file = AtomicFile::create(folder_.path("other"), false).value();
  EXPECT_EQ(folder_.names().size(), 1U);
  ASSERT_TRUE(file.commit().has_value());
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"other"}));
}

TEST_F(AtomicFileTest, TakesItsModeFromTheUmask) {
  const mode_t before = ::umask(027);
  ASSERT_TRUE(save(path_, "x", false).has_value());
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(AtomicFileTest, KeepsTheModeOfTheFileItReplaces) {
  for (const mode_t mode : {0600U, 0400U, 0664U, 0777U}) {
    fs::remove(path_);
    test::write_file(path_, "old");
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    const mode_t before = ::umask(027);
    const auto saved = save(path_, "new", true);
    ::umask(before);
    ASSERT_TRUE(saved) << saved.error().message;
    EXPECT_EQ(content(path_), "new");
    struct stat status {};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, mode);
  }
}

TEST_F(AtomicFileTest, DoesNotReplaceWhatIsNotAFileAndAppearedMeanwhile) {
  test::write_file(folder_.path("elsewhere"), "somebody else's");
  auto over_link = AtomicFile::create(path_, true).value();
  fs::create_symlink("elsewhere", path_);
  const auto committed = over_link.commit();
  ASSERT_FALSE(committed);
  EXPECT_PRED2(test::contains, committed.error().message, "not a regular file");
  EXPECT_TRUE(fs::is_symlink(path_));
  auto over_pipe = AtomicFile::create(folder_.path("pipe"), true).value();
  ASSERT_EQ(::mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(over_pipe.commit().has_value());
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"elsewhere", "pipe", "target"}));
}

TEST_F(AtomicFileTest, DoesNotReplaceAFileThatAppearedMeanwhile) {
  auto file = AtomicFile::create(path_, false).value();
  test::write_file(path_, "somebody else's");
  const auto committed = file.commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::kExists);
  EXPECT_PRED2(test::contains, committed.error().message, "meanwhile");
  EXPECT_EQ(content(path_), "somebody else's");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"target"}));
}

TEST_F(AtomicFileTest, OfTwoWritersTheLastWinsWhole) {
  auto first = AtomicFile::create(path_, true).value();
  auto second = AtomicFile::create(path_, true).value();
  ASSERT_TRUE(first.write(0, bytes("first, and longer")).has_value());
  ASSERT_TRUE(second.write(0, bytes("second")).has_value());
  ASSERT_TRUE(first.commit().has_value());
  ASSERT_TRUE(second.commit().has_value());
  EXPECT_EQ(content(path_), "second");
}

TEST_F(AtomicFileTest, ReplacesWhatALinkPointsTo) {
  fs::create_directory(folder_.path("elsewhere"));
  test::write_file(folder_.path("elsewhere/real"), "old");
  fs::create_symlink("elsewhere/real", folder_.path("middle"));
  fs::create_symlink("middle", path_);
  ASSERT_TRUE(save(path_, "new", true).has_value());
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(content(folder_.path("elsewhere/real")), "new");
  EXPECT_FALSE(save(path_, "newer", false).has_value());
}

TEST_F(AtomicFileTest, MakesWhatADanglingLinkPointsTo) {
  fs::create_symlink("real", path_);
  ASSERT_TRUE(save(path_, "new", false).has_value());
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(content(folder_.path("real")), "new");
}

TEST_F(AtomicFileTest, RefusesWhatIsNotAFile) {
  fs::create_symlink("loop", folder_.path("loop"));
  ASSERT_EQ(::mkfifo(folder_.path("pipe").c_str(), 0600), 0);
  for (const std::string& path :
       {folder_.path(), folder_.path("."), folder_.path(".."), folder_.path("") + "/",
        std::string(), folder_.path("pipe"), folder_.path("loop"), folder_.path("no/such/folder"),
        std::string("/dev/null")}) {
    EXPECT_FALSE(save(path, "x", true).has_value()) << path;
  }
  EXPECT_PRED2(test::contains, save(folder_.path("pipe"), "x", true).error().message,
               "not a regular file");
  EXPECT_EQ(save(folder_.path("no/such/folder"), "x", true).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"loop", "pipe"}));
}

// What /dev/stdout leads to.
TEST_F(AtomicFileTest, RefusesAnOpenFileByItsNumber) {
  test::write_file(path_, "old");
  const File file(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const File reader(ends[0]);
  const File writer(ends[1]);
  for (const File* each : {&file, &writer}) {
    const std::string number = std::to_string(each->descriptor());
    fs::remove(folder_.path("link"));
    fs::create_symlink("/proc/self/fd/" + number, folder_.path("link"));
    for (const std::string& path :
         {"/proc/self/fd/" + number, "/dev/fd/" + number, folder_.path("link")}) {
      const auto saved = save(path, "new", true);
      ASSERT_FALSE(saved) << path;
      EXPECT_EQ(saved.error().code, ErrorCode::kInvalidArgument);
      EXPECT_PRED2(test::contains, saved.error().message,
                   path + ": stands for an open file or pipe");
    }
  }
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"link", "target"}));
}

TEST_F(AtomicFileTest, RefusesAZeroByteInAPath) {
  const std::string path = path_ + std::string("\0x", 2);
  for (const auto& refused : {save(path, "x", false), save(path, "x", true), check_absent(path)}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_PRED2(test::contains, refused.error().message, "target\\x00x: has a zero byte");
  }
  EXPECT_FALSE(save(folder_.path() + std::string("\0/x", 3), "x", false).has_value());
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(AtomicFileTest, TakesTheLongestName) {
  const std::string path = folder_.path(std::string(255, 'n'));
  ASSERT_TRUE(save(path, "x", false).has_value());
  EXPECT_EQ(content(path), "x");
}

TEST_F(AtomicFileTest, StaysInItsFolderWhenThatIsRenamed) {
  fs::create_directory(folder_.path("before"));
  auto file = AtomicFile::create(folder_.path("before/x"), false).value();
  fs::rename(folder_.path("before"), folder_.path("after"));
  ASSERT_TRUE(file.commit().has_value());
  EXPECT_TRUE(fs::exists(folder_.path("after/x")));
}

TEST_F(AtomicFileTest, RemovesOnlyWhatAKilledWriterOfTheSameTargetLeftAnHourAgo) {
  const pid_t dead = dead_process();
  const std::chrono::minutes old(61);
  make_temporary("target", dead, old);
  const std::string recent = make_temporary("target", dead + 1'000'000, std::chrono::minutes(59));
  const std::string alive = make_temporary("target", ::getpid(), old);
  const std::string other = make_temporary("target2", dead, old);
  const std::string prefix = make_temporary("targe", dead, old);
  test::write_file(folder_.path(".target.tmp.x.0123456789abcdef"), "not ours");
  test::write_file(folder_.path(".target.tmp.7.short"), "not ours");
  ASSERT_TRUE(save(path_, "x", false).has_value());
  EXPECT_EQ(folder_.names(),
            (std::set<std::string>{"target", recent, alive, other, prefix,
                                   ".target.tmp.x.0123456789abcdef", ".target.tmp.7.short"}));
}

TEST_F(AtomicFileTest, KeepsATemporaryFileThatIsLocked) {
  const std::string name = make_temporary("target", dead_process(), std::chrono::minutes(90));
  const File held(::open(folder_.path(name).c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::flock(held.descriptor(), LOCK_EX | LOCK_NB), 0);
  ASSERT_TRUE(save(path_, "x", false).has_value());
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"target", name}));
}

TEST_F(AtomicFileTest, RemovesFoldersThatHoldFilesOnly) {
  const std::string prefix = ".target.tmp." + std::to_string(dead_process());
  const std::string left = folder_.path(prefix + ".0123456789abcdef");
  const std::string full = folder_.path(prefix + ".fedcba9876543210");
  fs::create_directory(left);
  fs::create_directories(full + "/somebody else's");
  test::write_file(left + "/000001.bloom", "left behind");
  for (const std::string& each : {left, full}) {
    fs::last_write_time(each, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  ASSERT_TRUE(save(path_, "x", false).has_value());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(full + "/somebody else's"));
}

TEST(TemporaryName, SaysWhoMadeItAndIsNeverTheSame) {
  const std::string name = temporary_name("films.bank");
  EXPECT_TRUE(name.starts_with(".films.bank.tmp." + std::to_string(::getpid()) + ".")) << name;
  EXPECT_NE(temporary_name("films.bank"), name);
}

}  // namespace
}  // namespace bloomery
