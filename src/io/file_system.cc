#include "io/file_system.h"

#include "base/result.h"

namespace sightline::io {

void MappedBytes::ExpectRandomReads() const {}

void MappedBytes::WillNeed(uint64_t /*offset*/, uint64_t /*size_bytes*/) const {}

void MappedBytes::Forget(uint64_t /*offset*/, uint64_t /*size_bytes*/) const {}

base::Status ReadableFile::ReadExactlyAt(uint64_t offset, std::span<std::byte> out) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const size_t got, ReadAt(offset, out));
  if (got == out.size()) return base::OkStatus();
  return base::DataLoss("the file is shorter than expected: " + path() + " at " +
                        std::to_string(offset + got) + " of " +
                        std::to_string(offset + out.size()));
}

base::Status WritableFile::Append(std::string_view data) {
  return Append(std::as_bytes(std::span(data)));
}

base::Result<bool> FileSystem::Exists(const std::string& path) {
  const base::Result<FileInfo> info = Stat(path);
  if (info.ok()) return true;
  if (info.status().code() == base::StatusCode::kNotFound) return false;
  return info.status();
}

base::Result<std::string> FileSystem::ReadFile(const std::string& path, uint64_t max_bytes) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, OpenForRead(path));
  if (file->size_bytes() > max_bytes) {
    return base::ResourceExhausted("the file is too large: " + path + ": " +
                                   std::to_string(file->size_bytes()) + " bytes, at most " +
                                   std::to_string(max_bytes));
  }
  std::string content(file->size_bytes(), '\0');
  SIGHTLINE_RETURN_IF_ERROR(file->ReadExactlyAt(0, std::as_writable_bytes(std::span(content))));
  return content;
}

base::Status FileSystem::WriteFileAtomically(const std::string& path, std::string_view content) {
  const std::string directory = ParentPath(path);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, CreateTemporary(directory, ".new-"));
  const std::string temporary = file->path();
  base::Status status = file->Append(content);
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  if (status.ok()) status = Rename(temporary, path);
  if (!status.ok()) {
    const base::Status removed = RemoveFile(temporary);
    return removed.ok()
               ? status
               : base::Status(status.code(), status.message() + "; also " + removed.message());
  }
  return SyncDirectory(directory);
}

std::string JoinPath(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') path.push_back('/');
  path.append(name);
  return path;
}

std::string ParentPath(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(slash == 0 ? "/" : path.substr(0, slash));
}

}  // namespace sightline::io
