// Vectors in our own segment files: the embedded default.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/ulid.h"
#include "index/search.h"
#include "index/segment_reader.h"
#include "index/segment_writer.h"
#include "io/file_system.h"
#include "io/paced_file_system.h"
#include "store/vector_store.h"
#include "store/write_stop.h"

namespace sightline::store {

/// How codes are made, and what compaction may cost.
struct SegmentStoreOptions {
  /// A space gets codes and lists when it has so many vectors; below, everything is compared
  /// exactly.
  std::int64_t least_coded_vectors = 131'072;
  /// How a search goes about; `top_k` and `path` are the query's.
  index::SearchOptions search = {};
  /// Threads that make codes in compaction.
  int compaction_threads = 1;
  /// Compaction writes at most so many bytes a second; 0: as many as it can.
  std::uint64_t compaction_bytes_per_second = 0;
};

/// Segment files lie in `data_dir`/segments. Searches run in the calling thread. Writers must not
/// outlive the store. Thread-safe.
class SegmentVectorStore final : public VectorStore {
 public:
  /// Makes the folder when it is missing. `files` must live longer.
  static base::Result<std::unique_ptr<SegmentVectorStore>> Open(
      io::FileSystem& files, const std::string& data_dir, const SegmentStoreOptions& options = {});

  base::Result<std::unique_ptr<VectorWriter>> NewWriter(const SpaceKey& space) override;
  base::Result<std::vector<ScoredUnit>> Search(const VectorQuery& query, const Snapshot& snapshot,
                                               const base::CancelToken& cancel) override;
  base::Result<std::vector<ScoredUnit>> Score(const VectorQuery& query,
                                              std::span<const UnitId> units,
                                              const Snapshot& snapshot,
                                              const base::CancelToken& cancel) override;
  base::Result<std::vector<kernels::BestMatch>> Match(const VectorQuery& query, UnitId unit,
                                                      const Snapshot& snapshot) override;
  /// Merges segments of about one size (a power of 8) when there are more than 8 of them, so that
  /// a vector is rewritten a logarithmic number of times; and rewrites a segment of which more than
  /// a quarter is deleted. A space that is large enough for codes and has none, or has grown to
  /// four times what its codebook was learned from, is rewritten as one segment with a new one;
  /// in a space that has one, a large plain segment gets its codes.
  base::Result<std::vector<Merge>> Compact(const Snapshot& snapshot,
                                           const base::CancelToken& cancel) override;
  base::Status Retire(std::span<const SegmentRef> segments) override;
  base::Status CollectGarbage(std::span<const std::string> live) override;

 private:
  using Reader = std::shared_ptr<const index::SegmentReader>;
  using Codes = std::shared_ptr<const index::SegmentCodes>;
  using CodebookPointer = std::shared_ptr<const index::Codebook>;
  struct Retired {
    std::string file;
    std::weak_ptr<const void> in_use;
    Reader reader;  // Keeps the content reachable for snapshots that still list it.
  };
  /// Segments of one space that become one.
  struct MergePlan {
    std::vector<SegmentRef> segments;
    std::optional<index::SegmentCoding> coding;
  };

  SegmentVectorStore(io::FileSystem& files, std::string data_dir,
                     const SegmentStoreOptions& options);
  std::string NewFile();
  base::Result<Reader> OpenSegment(const std::string& file);
  base::Result<std::vector<Reader>> OpenSpace(const SpaceKey& space, const Snapshot& snapshot);
  base::Result<CodebookPointer> CodebookOf(std::span<const Reader> readers);
  base::Result<Codes> CodesOf(const Reader& reader, const CodebookPointer& codebook,
                              const base::CancelToken& cancel);
  base::Result<std::vector<index::IndexedSegment>> OpenIndexed(const SpaceKey& space,
                                                               const Snapshot& snapshot,
                                                               const base::CancelToken& cancel);
  base::Result<std::vector<MergePlan>> PlanSpace(const std::vector<SegmentRef>& segments,
                                                 const Snapshot& snapshot);
  base::Result<Merge> MergeOf(const MergePlan& plan, const Snapshot& snapshot,
                              const base::CancelToken& cancel);
  base::Result<bool> IsMostlyDeleted(const SegmentRef& segment, const Snapshot& snapshot);
  base::Status Sweep();

  io::FileSystem& files_;
  const std::string data_dir_;
  const SegmentStoreOptions options_;
  io::PacedFileSystem paced_;  // For compaction.
  base::UlidGenerator names_;
  WriteStop stop_;
  base::Mutex mutex_;
  std::map<std::string, Reader> readers_ SIGHTLINE_GUARDED_BY(mutex_);  // By file.
  std::map<std::string, Codes> codes_ SIGHTLINE_GUARDED_BY(mutex_);     // By file, as needed.
  base::Mutex coding_mutex_;  // Held while codes are opened or made: once is enough.
  std::vector<Retired> retired_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::store
