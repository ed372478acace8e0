#include "io/memory_file_system.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "base/clock.h"
#include "base/mutex.h"

namespace sightline::io {
namespace {

using base::MutexLock;

struct Node {
  bool directory = false;
  std::vector<std::byte> content;
  /// The content as last synced.
  std::vector<std::byte> durable;
  base::UtcTime modified;
};

using Entries = std::map<std::string, std::shared_ptr<Node>>;

// "/a/b" without "." and doubled or trailing separators.
std::string Normal(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") out.append("/").append(part);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return out.empty() ? "/" : out;
}

bool IsBelow(const std::string& path, const std::string& directory) {
  if (directory == "/") return path != "/";
  return path.size() > directory.size() && path.starts_with(directory) &&
         path[directory.size()] == '/';
}

class CopiedBytes final : public MappedBytes {
 public:
  explicit CopiedBytes(std::vector<std::byte> content) : content_(std::move(content)) {}
  std::span<const std::byte> bytes() const override { return content_; }

 private:
  const std::vector<std::byte> content_;
};

}  // namespace

struct MemoryFileSystem::State {
  explicit State(uint64_t space) : space_bytes(space) {
    auto root = std::make_shared<Node>();
    root->directory = true;
    entries["/"] = root;
    durable_entries["/"] = root;
  }

  std::shared_ptr<Node> Find(const std::string& path) const SIGHTLINE_REQUIRES(mutex) {
    const auto found = entries.find(path);
    return found == entries.end() ? nullptr : found->second;
  }
  base::Status RequireParent(const std::string& path) const SIGHTLINE_REQUIRES(mutex) {
    const std::shared_ptr<Node> parent = Find(ParentPath(path));
    if (parent != nullptr && parent->directory) return base::OkStatus();
    return base::NotFound("there is no directory for " + path);
  }
  uint64_t UsedBytes() const SIGHTLINE_REQUIRES(mutex) {
    uint64_t used = 0;
    for (const auto& [path, node] : entries) used += node->content.size();
    return used;
  }
  std::shared_ptr<Node> Create(const std::string& path, bool directory) SIGHTLINE_REQUIRES(mutex) {
    auto node = std::make_shared<Node>();
    node->directory = directory;
    node->modified = base::SystemClock().UtcNow();
    entries[path] = node;
    return node;
  }

  const uint64_t space_bytes;
  mutable base::Mutex mutex;
  // Whole paths, directories included.
  Entries entries SIGHTLINE_GUARDED_BY(mutex);
  Entries durable_entries SIGHTLINE_GUARDED_BY(mutex);
  std::set<std::string> locked SIGHTLINE_GUARDED_BY(mutex);
  uint64_t temporary_count SIGHTLINE_GUARDED_BY(mutex) = 0;
};

// The files are templates over the state only because the state is private to MemoryFileSystem.
namespace {

template <typename State>
class MemoryReadableFile final : public ReadableFile {
 public:
  MemoryReadableFile(std::shared_ptr<State> state, std::shared_ptr<Node> node, std::string path)
      : state_(std::move(state)), node_(std::move(node)), path_(std::move(path)) {
    MutexLock lock(state_->mutex);
    size_bytes_ = node_->content.size();
  }

  base::Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    MutexLock lock(state_->mutex);
    const std::vector<std::byte>& content = node_->content;
    if (offset >= content.size() || out.empty()) return size_t{0};
    const size_t size = std::min<uint64_t>(out.size(), content.size() - offset);
    std::memcpy(out.data(), content.data() + offset, size);
    return size;
  }
  uint64_t size_bytes() const override { return size_bytes_; }
  base::Result<std::unique_ptr<MappedBytes>> Map() const override {
    MutexLock lock(state_->mutex);
    return std::unique_ptr<MappedBytes>(std::make_unique<CopiedBytes>(node_->content));
  }
  const std::string& path() const override { return path_; }

 private:
  const std::shared_ptr<State> state_;
  const std::shared_ptr<Node> node_;
  const std::string path_;
  uint64_t size_bytes_;
};

template <typename State>
class MemoryWritableFile final : public WritableFile {
 public:
  MemoryWritableFile(std::shared_ptr<State> state, std::shared_ptr<Node> node, std::string path)
      : state_(std::move(state)), node_(std::move(node)), path_(std::move(path)) {}

  base::Status Append(std::span<const std::byte> data) override {
    MutexLock lock(state_->mutex);
    const uint64_t used = state_->UsedBytes();
    const uint64_t room = state_->space_bytes - std::min(state_->space_bytes, used);
    // As on a disk, what fits is written before the failure.
    const size_t size = std::min<uint64_t>(room, data.size());
    node_->content.insert(node_->content.end(), data.begin(),
                          data.begin() + static_cast<std::ptrdiff_t>(size));
    node_->modified = base::SystemClock().UtcNow();
    if (size == data.size()) return base::OkStatus();
    return base::StorageFull("cannot write " + path_ + ": No space left on device");
  }
  base::Status Sync() override {
    MutexLock lock(state_->mutex);
    node_->durable = node_->content;
    return base::OkStatus();
  }
  base::Status Close() override { return base::OkStatus(); }
  uint64_t size_bytes() const override {
    MutexLock lock(state_->mutex);
    return node_->content.size();
  }
  const std::string& path() const override { return path_; }

 private:
  const std::shared_ptr<State> state_;
  const std::shared_ptr<Node> node_;
  const std::string path_;
};

template <typename State>
class MemoryFileLock final : public FileLock {
 public:
  MemoryFileLock(std::shared_ptr<State> state, std::shared_ptr<Node> node, std::string path)
      : state_(std::move(state)), node_(std::move(node)), path_(std::move(path)) {}
  ~MemoryFileLock() override {
    MutexLock lock(state_->mutex);
    state_->locked.erase(path_);
  }
  base::Status WriteContent(std::string_view content) override {
    const auto bytes = std::as_bytes(std::span(content));
    MutexLock lock(state_->mutex);
    node_->content.assign(bytes.begin(), bytes.end());
    return base::OkStatus();
  }

 private:
  const std::shared_ptr<State> state_;
  const std::shared_ptr<Node> node_;
  const std::string path_;
};

}  // namespace

MemoryFileSystem::MemoryFileSystem(uint64_t space_bytes)
    : state_(std::make_shared<State>(space_bytes)) {}

MemoryFileSystem::~MemoryFileSystem() = default;

base::Result<std::unique_ptr<ReadableFile>> MemoryFileSystem::OpenForRead(const std::string& path) {
  std::shared_ptr<Node> node;
  {
    MutexLock lock(state_->mutex);
    node = state_->Find(Normal(path));
  }
  if (node == nullptr) return base::NotFound("cannot open " + path + ": there is none");
  if (node->directory) return base::InvalidArgument("cannot open " + path + ": a directory");
  return std::unique_ptr<ReadableFile>(
      std::make_unique<MemoryReadableFile<State>>(state_, node, path));
}

base::Result<std::unique_ptr<WritableFile>> MemoryFileSystem::OpenForWrite(const std::string& path,
                                                                           WriteMode mode) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  SIGHTLINE_RETURN_IF_ERROR(state_->RequireParent(normal));
  std::shared_ptr<Node> node = state_->Find(normal);
  if (node != nullptr && node->directory) {
    return base::InvalidArgument("cannot open for writing " + path + ": a directory");
  }
  if (node != nullptr && mode == WriteMode::kCreateNew) {
    return base::AlreadyExists("cannot open for writing " + path + ": it exists");
  }
  if (node == nullptr) node = state_->Create(normal, false);
  if (mode == WriteMode::kTruncate) node->content.clear();
  return std::unique_ptr<WritableFile>(
      std::make_unique<MemoryWritableFile<State>>(state_, node, path));
}

base::Result<std::unique_ptr<WritableFile>> MemoryFileSystem::CreateTemporary(
    const std::string& directory, std::string_view prefix) {
  for (;;) {
    std::string name(prefix);
    {
      MutexLock lock(state_->mutex);
      name += std::to_string(++state_->temporary_count);
    }
    auto file = OpenForWrite(JoinPath(directory, name), WriteMode::kCreateNew);
    if (file.ok() || file.status().code() != base::StatusCode::kAlreadyExists) return file;
  }
}

base::Status MemoryFileSystem::Rename(const std::string& from, const std::string& to) {
  MutexLock lock(state_->mutex);
  const std::string source = Normal(from);
  const std::string target = Normal(to);
  const std::shared_ptr<Node> node = state_->Find(source);
  if (node == nullptr) return base::NotFound("cannot rename " + from + ": there is none");
  SIGHTLINE_RETURN_IF_ERROR(state_->RequireParent(target));
  const std::shared_ptr<Node> replaced = state_->Find(target);
  if (replaced != nullptr && replaced->directory) {
    return base::AlreadyExists("cannot rename " + from + " to " + to + ": a directory");
  }
  if (node->directory && IsBelow(target, source)) {
    return base::InvalidArgument("cannot rename " + from + " to " + to + ": below itself");
  }
  Entries moved;
  for (const auto& [path, entry] : state_->entries) {
    if (path == source || IsBelow(path, source)) moved[target + path.substr(source.size())] = entry;
  }
  std::erase_if(state_->entries, [&](const auto& entry) {
    return entry.first == source || IsBelow(entry.first, source);
  });
  for (const auto& [path, entry] : moved) state_->entries[path] = entry;
  return base::OkStatus();
}

base::Status MemoryFileSystem::RemoveFile(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  const std::shared_ptr<Node> node = state_->Find(normal);
  if (node == nullptr) return base::NotFound("cannot remove " + path + ": there is none");
  if (node->directory) return base::InvalidArgument("cannot remove " + path + ": a directory");
  state_->entries.erase(normal);
  return base::OkStatus();
}

base::Status MemoryFileSystem::RemoveTree(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  std::erase_if(state_->entries, [&](const auto& entry) {
    return entry.first != "/" && (entry.first == normal || IsBelow(entry.first, normal));
  });
  return base::OkStatus();
}

base::Status MemoryFileSystem::CreateDirectories(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  for (size_t end = 1; end != std::string::npos && normal.size() > 1;) {
    end = normal.find('/', end + 1);
    const std::string part = normal.substr(0, end);
    const std::shared_ptr<Node> node = state_->Find(part);
    if (node == nullptr) state_->Create(part, true);
    if (node != nullptr && !node->directory) {
      return base::AlreadyExists("there is a file, not a directory: " + part);
    }
  }
  return base::OkStatus();
}

base::Status MemoryFileSystem::SyncDirectory(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  const std::shared_ptr<Node> node = state_->Find(normal);
  if (node == nullptr || !node->directory) {
    return base::NotFound("cannot open the directory " + path);
  }
  const auto is_child = [&](const auto& entry) {
    return IsBelow(entry.first, normal) && ParentPath(entry.first) == normal;
  };
  std::erase_if(state_->durable_entries, is_child);
  for (const auto& entry : state_->entries) {
    if (is_child(entry)) state_->durable_entries.insert(entry);
  }
  return base::OkStatus();
}

base::Result<std::vector<std::string>> MemoryFileSystem::List(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  const std::shared_ptr<Node> node = state_->Find(normal);
  if (node == nullptr || !node->directory) {
    return base::NotFound("cannot list " + path + ": no directory");
  }
  std::vector<std::string> names;
  for (const auto& [child, entry] : state_->entries) {
    if (IsBelow(child, normal) && ParentPath(child) == normal) {
      names.push_back(child.substr(child.rfind('/') + 1));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

base::Result<FileInfo> MemoryFileSystem::Stat(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::shared_ptr<Node> node = state_->Find(Normal(path));
  if (node == nullptr) return base::NotFound("cannot look at " + path + ": there is none");
  return FileInfo{node->directory ? FileInfo::Kind::kDirectory : FileInfo::Kind::kFile,
                  node->content.size(), node->modified};
}

base::Result<std::unique_ptr<FileLock>> MemoryFileSystem::Lock(const std::string& path) {
  MutexLock lock(state_->mutex);
  const std::string normal = Normal(path);
  SIGHTLINE_RETURN_IF_ERROR(state_->RequireParent(normal));
  if (!state_->locked.insert(normal).second) {
    return base::FailedPrecondition("it is locked already: " + path);
  }
  std::shared_ptr<Node> node = state_->Find(normal);
  if (node == nullptr) node = state_->Create(normal, false);
  return std::unique_ptr<FileLock>(std::make_unique<MemoryFileLock<State>>(state_, node, normal));
}

base::Result<SpaceInfo> MemoryFileSystem::Space(const std::string& /*path*/) {
  MutexLock lock(state_->mutex);
  const uint64_t used = std::min(state_->UsedBytes(), state_->space_bytes);
  return SpaceInfo{state_->space_bytes - used, state_->space_bytes};
}

void MemoryFileSystem::LoseUnsynced() {
  MutexLock lock(state_->mutex);
  // What is below a directory that is lost is lost as well; the map's order puts parents first.
  Entries kept;
  for (const auto& [path, node] : state_->durable_entries) {
    if (path != "/" && !kept.contains(ParentPath(path))) continue;
    node->content = node->durable;
    kept[path] = node;
  }
  state_->entries = kept;
  state_->durable_entries = std::move(kept);
  state_->locked.clear();
}

}  // namespace sightline::io
