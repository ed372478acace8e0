// One contract over every file system.
#include "io/file_system.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>

#include "io/fault_injecting_file_system.h"
#include "io/memory_file_system.h"

namespace sightline::io {
namespace {

using base::StatusCode;

// A file system and an empty folder in it.
struct Place {
  virtual ~Place() = default;
  virtual FileSystem& files() = 0;
  std::string folder;
};

struct PosixPlace : Place {
  PosixPlace() {
    std::string pattern = testing::TempDir() + "sightline 文件 XXXXXX";
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  ~PosixPlace() override { std::filesystem::remove_all(folder); }
  FileSystem& files() override { return PosixFileSystem(); }
};

struct MemoryPlace : Place {
  MemoryPlace() {
    folder = "/数据";
    EXPECT_TRUE(memory.CreateDirectories(folder).ok());
  }
  FileSystem& files() override { return memory; }
  MemoryFileSystem memory;
};

struct FaultyPlace : MemoryPlace {
  FileSystem& files() override { return faulty; }
  FaultInjectingFileSystem faulty{memory};
};

struct Kind {
  const char* name;
  std::function<std::unique_ptr<Place>()> make;
};

class FileSystemContractTest : public testing::TestWithParam<Kind> {
 protected:
  FileSystem& files() { return place_->files(); }
  std::string At(std::string_view name) { return JoinPath(place_->folder, name); }
  void Write(const std::string& name, std::string_view content) {
    auto file = files().OpenForWrite(At(name), WriteMode::kTruncate);
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    ASSERT_TRUE((*file)->Append(content).ok());
    ASSERT_TRUE((*file)->Close().ok());
  }
  std::string Read(const std::string& name) {
    auto content = files().ReadFile(At(name), 1 << 20);
    return content.ok() ? *content : content.status().ToString();
  }

  std::unique_ptr<Place> place_ = GetParam().make();
};

TEST_P(FileSystemContractTest, WhatIsWrittenIsRead) {
  Write("视线.bin", "0123456789");
  auto file = files().OpenForRead(At("视线.bin"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->size_bytes(), 10U);
  std::array<std::byte, 4> bytes;
  EXPECT_EQ(*(*file)->ReadAt(8, bytes), 2U);
  EXPECT_EQ(*(*file)->ReadAt(99, bytes), 0U);
  EXPECT_TRUE((*file)->ReadExactlyAt(3, bytes).ok());
  EXPECT_EQ(bytes[0], std::byte{'3'});
  EXPECT_EQ((*file)->ReadExactlyAt(7, bytes).code(), StatusCode::kDataLoss);
  auto mapped = (*file)->Map();
  ASSERT_TRUE(mapped.ok());
  ASSERT_TRUE(files().RemoveFile(At("视线.bin")).ok());
  EXPECT_EQ((*mapped)->bytes().size(), 10U);
  EXPECT_EQ((*mapped)->bytes()[9], std::byte{'9'});
}

TEST_P(FileSystemContractTest, AnEmptyFileMapsToNothing) {
  Write("empty", "");
  EXPECT_EQ((*(*files().OpenForRead(At("empty")))->Map())->bytes().size(), 0U);
}

TEST_P(FileSystemContractTest, WriteModes) {
  Write("f", "one");
  {
    auto file = files().OpenForWrite(At("f"), WriteMode::kAppend);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ((*file)->size_bytes(), 3U);
    ASSERT_TRUE((*file)->Append(std::string_view("二")).ok());
    EXPECT_EQ((*file)->size_bytes(), 6U);
  }
  EXPECT_EQ(Read("f"), "one二");
  EXPECT_EQ(files().OpenForWrite(At("f"), WriteMode::kCreateNew).status().code(),
            StatusCode::kAlreadyExists);
  EXPECT_EQ(files().OpenForWrite(At("no/f"), WriteMode::kCreateNew).status().code(),
            StatusCode::kNotFound);
  Write("f", "");
  EXPECT_EQ(Read("f"), "");
}

TEST_P(FileSystemContractTest, WhatIsMissingOrADirectoryIsSaidSo) {
  EXPECT_EQ(files().OpenForRead(At("none")).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(files().OpenForRead(place_->folder).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(files().Stat(At("none")).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(files().RemoveFile(At("none")).code(), StatusCode::kNotFound);
  EXPECT_EQ(files().List(At("none")).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(files().Rename(At("none"), At("x")).code(), StatusCode::kNotFound);
  EXPECT_FALSE(*files().Exists(At("none")));
  EXPECT_TRUE(*files().Exists(place_->folder));
}

TEST_P(FileSystemContractTest, RenamingReplacesAndMovesDirectories) {
  Write("a", "new");
  Write("b", "old");
  ASSERT_TRUE(files().Rename(At("a"), At("b")).ok());
  EXPECT_EQ(Read("b"), "new");
  EXPECT_FALSE(*files().Exists(At("a")));
  ASSERT_TRUE(files().CreateDirectories(At("d/e")).ok());
  Write("d/e/f", "deep");
  ASSERT_TRUE(files().Rename(At("d"), At("g")).ok());
  EXPECT_EQ(Read("g/e/f"), "deep");
}

TEST_P(FileSystemContractTest, ListsAreSortedAndTreesGoWhole) {
  ASSERT_TRUE(files().CreateDirectories(At("t/sub")).ok());
  ASSERT_TRUE(files().CreateDirectories(At("t/sub")).ok());
  for (const char* name : {"t/b", "t/a", "t/视", "t/sub/x", "tx"}) Write(name, "1");
  EXPECT_EQ(*files().List(At("t")), (std::vector<std::string>{"a", "b", "sub", "视"}));
  EXPECT_EQ(files().CreateDirectories(At("t/a/under")).ok(), false);
  ASSERT_TRUE(files().RemoveTree(At("t")).ok());
  ASSERT_TRUE(files().RemoveTree(At("t")).ok());
  EXPECT_EQ(*files().List(place_->folder), (std::vector<std::string>{"tx"}));
}

TEST_P(FileSystemContractTest, TemporaryFilesHaveNamesOfTheirOwn) {
  auto first = files().CreateTemporary(place_->folder, "up-");
  auto second = files().CreateTemporary(place_->folder, "up-");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE((*first)->path(), (*second)->path());
  EXPECT_EQ(files().List(place_->folder)->size(), 2U);
}

TEST_P(FileSystemContractTest, ALockIsHeldOnce) {
  auto lock = files().Lock(At("lock"));
  ASSERT_TRUE(lock.ok());
  ASSERT_TRUE((*lock)->WriteContent("http://127.0.0.1:1").ok());
  ASSERT_TRUE((*lock)->WriteContent("http://x").ok());
  EXPECT_EQ(files().Lock(At("lock")).status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Read("lock"), "http://x");
  *lock = nullptr;
  EXPECT_TRUE(files().Lock(At("lock")).ok());
}

TEST_P(FileSystemContractTest, ReadingAWholeFileIsBounded) {
  Write("f", "12345");
  EXPECT_EQ(*files().ReadFile(At("f"), 5), "12345");
  EXPECT_EQ(files().ReadFile(At("f"), 4).status().code(), StatusCode::kResourceExhausted);
}

TEST_P(FileSystemContractTest, AtomicWritingLeavesOneFile) {
  ASSERT_TRUE(files().WriteFileAtomically(At("f"), "first").ok());
  ASSERT_TRUE(files().WriteFileAtomically(At("f"), "第二").ok());
  EXPECT_EQ(Read("f"), "第二");
  EXPECT_EQ(files().List(place_->folder)->size(), 1U);
}

TEST_P(FileSystemContractTest, StatAndSpace) {
  Write("f", "123");
  EXPECT_EQ(files().Stat(At("f"))->size_bytes, 3U);
  EXPECT_EQ(files().Stat(At("f"))->kind, FileInfo::Kind::kFile);
  EXPECT_EQ(files().Stat(place_->folder)->kind, FileInfo::Kind::kDirectory);
  auto space = files().Space(place_->folder);
  ASSERT_TRUE(space.ok());
  EXPECT_GT(space->total_bytes, 0U);
  EXPECT_LE(space->available_bytes, space->total_bytes);
}

INSTANTIATE_TEST_SUITE_P(
    All, FileSystemContractTest,
    testing::Values(Kind{"Posix", [] { return std::make_unique<PosixPlace>(); }},
                    Kind{"Memory", [] { return std::make_unique<MemoryPlace>(); }},
                    Kind{"FaultInjecting", [] { return std::make_unique<FaultyPlace>(); }}),
    [](const auto& param) { return std::string(param.param.name); });

/// root may read everything, so it acts as nobody while this lives.
class WithoutRoot {
 public:
  WithoutRoot() : was_root_(geteuid() == 0) {
    constexpr uid_t kNobody = 65534;
    if (was_root_) {
      EXPECT_EQ(seteuid(kNobody), 0);
    }
  }
  ~WithoutRoot() {
    if (was_root_) {
      EXPECT_EQ(seteuid(0), 0);
    }
  }
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;

 private:
  const bool was_root_;
};

TEST(PosixFileSystemTest, AFileWithoutRightsIsPermissionDenied) {
  PosixPlace place;
  const std::string path = JoinPath(place.folder, "secret");
  ASSERT_TRUE(place.files().WriteFileAtomically(path, "x").ok());
  std::filesystem::permissions(place.folder, std::filesystem::perms::all);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const WithoutRoot nobody;
  EXPECT_EQ(place.files().OpenForRead(path).status().code(), StatusCode::kPermissionDenied);
}

TEST(PosixFileSystemTest, AFullDiskIsStorageFull) {
  auto file = PosixFileSystem().OpenForWrite("/dev/full", WriteMode::kAppend);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ((*file)->Append(std::string_view("x")).code(), StatusCode::kStorageFull);
}

TEST(MemoryFileSystemTest, TheSpaceIsBounded) {
  MemoryFileSystem files(10);
  auto file = files.OpenForWrite("/f", WriteMode::kCreateNew);
  ASSERT_TRUE((*file)->Append(std::string_view("12345678")).ok());
  EXPECT_EQ((*file)->Append(std::string_view("90x")).code(), StatusCode::kStorageFull);
  EXPECT_EQ(files.Space("/")->available_bytes, 0U);
}

}  // namespace
}  // namespace sightline::io
