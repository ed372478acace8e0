// Blobs as files of a folder, named by their content.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "io/file_system.h"
#include "store/blob_store.h"
#include "store/write_stop.h"

namespace sightline::store {

/// `blobs/ab/cdef…` by SHA-256; `blobs/new/` holds what is being written. Writers must not outlive
/// the store. Thread-safe.
class FolderBlobStore final : public BlobStore {
 public:
  /// Makes the folder when it is missing, and discards what an earlier process was writing when it
  /// ended. `files` must live longer; one process uses the folder.
  static base::Result<std::unique_ptr<FolderBlobStore>> Open(io::FileSystem& files,
                                                             const std::string& folder);

  base::Result<std::unique_ptr<BlobWriter>> NewWriter() override;
  base::Result<std::string> Put(std::string_view bytes) override;
  base::Result<std::int64_t> Size(std::string_view sha256) override;
  base::Result<std::string> Read(std::string_view sha256, std::int64_t offset,
                                 std::int64_t length) override;
  base::Result<std::string> LocalPath(std::string_view sha256) override;
  base::Status Remove(std::string_view sha256) override;
  base::Result<std::vector<std::string>> List() override;

 private:
  friend class FolderBlobWriter;

  FolderBlobStore(io::FileSystem& files, std::string folder);
  base::Result<std::string> PathOf(std::string_view sha256) const;

  /// Makes the synced file `temporary` the blob and its name durable.
  base::Status Place(const std::string& temporary, const std::string& sha256);
  base::Status MakeDirectory(const std::string& directory);

  io::FileSystem& files_;
  const std::string folder_;
  WriteStop stop_;
  base::Mutex directories_mutex_;
  std::set<std::string> directories_ SIGHTLINE_GUARDED_BY(directories_mutex_);  // Durable ones.
};

}  // namespace sightline::store
