#include "engine/data_folder.h"

#include <utility>

#include "engine/engine.h"

namespace sightline::engine {
namespace {

using base::Result;

constexpr const char* kLockName = "/lock";
constexpr std::size_t kMaxUrlBytes = 1024;

}  // namespace

bool IsHeld(io::FileSystem& files, const std::string& path) {
  return files.Lock(path + kLockName).status().code() == base::StatusCode::kFailedPrecondition;
}

Result<DataFolder> DataFolder::Lock(io::FileSystem& files, const std::string& path) {
  if (path.empty()) return base::InvalidArgument("the data folder has no name: give --data DIR");
  const Result<io::FileInfo> there = files.Stat(path);
  if (there.ok() && there->kind != io::FileInfo::Kind::kDirectory) {
    return base::FailedPrecondition("the data folder is not a folder: " + path);
  }
  const base::Status made = files.CreateDirectories(path);
  if (!made.ok()) return made.WithContext("cannot make the data folder");
  auto lock = files.Lock(path + kLockName);
  if (lock.status().code() == base::StatusCode::kFailedPrecondition) {
    return base::FailedPrecondition(
        "the data folder is used by another process; wait until it ends: " + path);
  }
  if (!lock.ok()) return lock.status().WithContext("cannot lock the data folder");
  // What an earlier owner wrote would send people to a server that is gone.
  SIGHTLINE_RETURN_IF_ERROR((*lock)->WriteContent(""));
  // What is in there was left behind by a process that was killed.
  SIGHTLINE_RETURN_IF_ERROR(files.RemoveTree(TemporaryFolder(path)));
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(TemporaryFolder(path)));
  return DataFolder(path, *std::move(lock));
}

Result<std::string> LockHolder(const std::string& data_dir) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file,
                             io::PosixFileSystem().OpenForRead(data_dir + kLockName));
  std::string url(std::min<std::size_t>(file->size_bytes(), kMaxUrlBytes), '\0');
  SIGHTLINE_RETURN_IF_ERROR(
      file->ReadExactlyAt(0, std::as_writable_bytes(std::span(url.data(), url.size()))));
  return url;
}

std::string TemporaryFolder(const std::string& data_dir) { return io::JoinPath(data_dir, "tmp"); }

}  // namespace sightline::engine
