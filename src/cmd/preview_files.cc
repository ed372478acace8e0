#include "cmd/preview_files.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "engine/components.h"
#include "io/file_system.h"

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxPreviewBytes = std::int64_t{16} << 20;
constexpr size_t kKeptFiles = 500;
constexpr size_t kSha256Digits = 64;

fs::path Folder() { return fs::path(engine::CachePath(engine::Config{})) / "previews"; }

/// By content: WebP, JPEG or PNG; empty for anything else.
std::string_view ExtensionOf(std::string_view bytes) {
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return ".webp";
  if (bytes.starts_with("\xff\xd8")) return ".jpg";
  if (bytes.starts_with("\x89PNG")) return ".png";
  return "";
}

void RemoveOldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::error_code gone;  // Another command may be cleaning as well.
    files.emplace_back(entry.last_write_time(gone), entry.path());
  }
  if (files.size() <= kKeptFiles) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - kKeptFiles);
  for (const auto& [time, path] : files) fs::remove(path, error);
}

}  // namespace

std::string PreviewFiles::PathOf(const std::string& sha256) {
  if (sha256.size() != kSha256Digits) return "";
  std::error_code error;
  for (const char* extension : {".webp", ".jpg", ".png"}) {
    const fs::path path = Folder() / (sha256 + extension);
    if (fs::exists(path, error)) return path.string();
  }
  return Write(sha256);
}

std::string PreviewFiles::Write(const std::string& sha256) {
  const base::Result<std::int64_t> size = engine_.BlobSize(sha256);
  if (!size.ok() || *size <= 0 || *size > kMaxPreviewBytes) return "";
  const base::Result<std::string> bytes = engine_.ReadBlob(sha256, 0, *size);
  if (!bytes.ok()) return "";
  const std::string_view extension = ExtensionOf(*bytes);
  if (extension.empty()) return "";
  const fs::path path = Folder() / (sha256 + std::string(extension));
  io::FileSystem& files = io::PosixFileSystem();
  if (!files.CreateDirectories(Folder().string()).ok()) return "";
  RemoveOldest(Folder());
  return files.WriteFileAtomically(path.string(), *bytes).ok() ? path.string() : "";
}

}  // namespace sightline::cmd
