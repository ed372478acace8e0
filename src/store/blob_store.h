// Port: bytes by their SHA-256.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::store {

/// Receives the bytes of one new blob; nothing is visible before `Commit`. Not thread-safe.
class BlobWriter {
 public:
  virtual ~BlobWriter() = default;  ///< Without `Commit` the bytes are discarded.
  /// The next bytes.
  virtual base::Status Append(std::string_view bytes) = 0;
  virtual std::int64_t size_bytes() const = 0;
  /// Makes the blob durable and visible; returns its SHA-256 in hex.
  virtual base::Result<std::string> Commit() = 0;
};

/// Thread-safe. Blobs are immutable; writing the same bytes twice keeps one copy.
class BlobStore {
 public:
  virtual ~BlobStore() = default;
  /// For bytes that come piece by piece.
  virtual base::Result<std::unique_ptr<BlobWriter>> NewWriter() = 0;
  /// Stores small bytes at once; returns their SHA-256 in hex.
  virtual base::Result<std::string> Put(std::string_view bytes) = 0;
  /// Bytes of a blob; `kNotFound` when there is none.
  virtual base::Result<std::int64_t> Size(std::string_view sha256) = 0;
  /// At most `length` bytes from `offset`.
  virtual base::Result<std::string> Read(std::string_view sha256, std::int64_t offset,
                                         std::int64_t length) = 0;
  /// A local file with the bytes, for a decoder; valid while the blob exists.
  virtual base::Result<std::string> LocalPath(std::string_view sha256) = 0;
  virtual base::Status Remove(std::string_view sha256) = 0;
  virtual base::Result<std::vector<std::string>> List() = 0;
};

}  // namespace sightline::store
