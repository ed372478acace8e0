// Blobs as files of a folder, named by their content.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_system.h"
#include "store/blob_store.h"

namespace sightline::store {

/// `blobs/ab/cdef…` by SHA-256; `blobs/new/` holds what is being written. Thread-safe.
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
  FolderBlobStore(io::FileSystem& files, std::string folder);
  base::Result<std::string> PathOf(std::string_view sha256) const;

  io::FileSystem& files_;
  const std::string folder_;
};

}  // namespace sightline::store
