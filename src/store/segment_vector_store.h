// Vectors in our own segment files: the embedded default.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/ulid.h"
#include "index/segment_reader.h"
#include "io/file_system.h"
#include "store/vector_store.h"
#include "store/write_stop.h"

namespace sightline::store {

/// Segment files lie in `data_dir`/segments. Searches run in the calling thread. Writers must not
/// outlive the store. Thread-safe.
class SegmentVectorStore final : public VectorStore {
 public:
  /// Makes the folder when it is missing. `files` must live longer.
  static base::Result<std::unique_ptr<SegmentVectorStore>> Open(io::FileSystem& files,
                                                                const std::string& data_dir);

  base::Result<std::unique_ptr<VectorWriter>> NewWriter(const SpaceKey& space) override;
  base::Result<std::vector<ScoredUnit>> Search(const VectorQuery& query, const Snapshot& snapshot,
                                               const base::CancelToken& cancel) override;
  base::Result<std::vector<ScoredUnit>> Score(const VectorQuery& query,
                                              std::span<const UnitId> units,
                                              const Snapshot& snapshot,
                                              const base::CancelToken& cancel) override;
  /// Merges segments of about one size (a power of 8) when there are more than 8 of them, so that
  /// a vector is rewritten a logarithmic number of times; and rewrites a segment of which more than
  /// a quarter is deleted.
  base::Result<std::vector<Merge>> Compact(const Snapshot& snapshot,
                                           const base::CancelToken& cancel) override;
  base::Status Retire(std::span<const SegmentRef> segments) override;
  base::Status CollectGarbage(std::span<const std::string> live) override;

 private:
  using Reader = std::shared_ptr<const index::SegmentReader>;
  struct Retired {
    std::string file;
    std::weak_ptr<const void> in_use;
    Reader reader;  // Keeps the content reachable for snapshots that still list it.
  };

  SegmentVectorStore(io::FileSystem& files, std::string data_dir);
  std::string NewFile();
  base::Result<Reader> OpenSegment(const std::string& file);
  base::Result<std::vector<Reader>> OpenSpace(const SpaceKey& space, const Snapshot& snapshot);
  base::Result<Merge> MergeOf(const std::vector<SegmentRef>& segments, const Snapshot& snapshot,
                              const base::CancelToken& cancel);
  base::Result<bool> IsMostlyDeleted(const SegmentRef& segment, const Snapshot& snapshot);
  base::Status Sweep();

  io::FileSystem& files_;
  const std::string data_dir_;
  base::UlidGenerator names_;
  WriteStop stop_;
  base::Mutex mutex_;
  std::map<std::string, Reader> readers_ SIGHTLINE_GUARDED_BY(mutex_);  // By file.
  std::vector<Retired> retired_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::store
