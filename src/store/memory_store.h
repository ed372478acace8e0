// The stores in memory: for tests and experiments of what is built on the ports. Nothing survives.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/blob_store.h"
#include "store/catalog.h"
#include "store/lexical_index.h"
#include "store/vector_store.h"

namespace sightline::store {

/// Blobs in a map. `LocalPath` writes a temporary file. Thread-safe.
class MemoryBlobStore final : public BlobStore {
 public:
  ~MemoryBlobStore() override;
  base::Result<std::unique_ptr<BlobWriter>> NewWriter() override;
  base::Result<std::string> Put(std::string_view bytes) override;
  base::Result<std::int64_t> Size(std::string_view sha256) override;
  base::Result<std::string> Read(std::string_view sha256, std::int64_t offset,
                                 std::int64_t length) override;
  base::Result<std::string> LocalPath(std::string_view sha256) override;
  base::Status Remove(std::string_view sha256) override;
  base::Result<std::vector<std::string>> List() override;

 private:
  base::Mutex mutex_;
  std::map<std::string, std::string, std::less<>> blobs_ SIGHTLINE_GUARDED_BY(mutex_);
  std::vector<std::string> paths_ SIGHTLINE_GUARDED_BY(mutex_);
};

/// Float vectors, searched exactly. A segment is visible as soon as it is finished and referred to
/// by the snapshot. Thread-safe.
class MemoryVectorStore final : public VectorStore {
 public:
  /// A unit with its vectors, row-major.
  struct Entry {
    UnitId id;
    std::vector<float> vectors;
  };
  base::Result<std::unique_ptr<VectorWriter>> NewWriter(const SpaceKey& space) override;
  base::Result<std::vector<ScoredUnit>> Search(const VectorQuery& query, const Snapshot& snapshot,
                                               const base::CancelToken& cancel) override;
  base::Result<std::vector<ScoredUnit>> Score(const VectorQuery& query,
                                              std::span<const UnitId> units,
                                              const Snapshot& snapshot,
                                              const base::CancelToken& cancel) override;
  base::Result<std::vector<kernels::BestMatch>> Match(const VectorQuery& query, UnitId unit,
                                                      const Snapshot& snapshot) override;
  base::Result<std::vector<Merge>> Compact(const Snapshot& snapshot,
                                           const base::CancelToken& cancel) override;
  base::Status Retire(std::span<const SegmentRef> segments) override;
  base::Status CollectGarbage(std::span<const std::string> live) override;

  /// Called by the writers.
  std::string AddSegment(std::vector<Entry> entries);

 private:
  base::Mutex mutex_;
  std::map<std::string, std::shared_ptr<const std::vector<Entry>>> segments_
      SIGHTLINE_GUARDED_BY(mutex_);
  int next_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
};

/// Documents and units in maps, with the text index beside them. Thread-safe.
class MemoryCatalog final : public Catalog, public LexicalIndex {
 public:
  base::Status CreateDocument(const Document& document) override;
  base::Result<Document> GetDocument(std::string_view id) override;
  base::Result<DocumentPage> ListDocuments(const DocumentQuery& query) override;
  base::Result<std::optional<Document>> FindByDigest(std::string_view collection,
                                                     std::string_view blob_sha256) override;
  base::Status UpdateDocument(const Document& document) override;
  base::Result<UnitId> AllocateUnitIds(std::int64_t count) override;
  base::Result<std::int64_t> Commit(const DocumentCommit& commit) override;
  base::Result<std::int64_t> RemoveDocument(std::string_view id) override;
  base::Status ReplaceSegments(std::span<const SegmentRef> replaced,
                               const SegmentRef& merged) override;
  base::Result<std::vector<Unit>> GetUnits(std::span<const UnitId> ids) override;
  base::Result<std::vector<Unit>> ListUnits(const UnitQuery& query) override;
  base::Result<std::shared_ptr<const Snapshot>> GetSnapshot(std::string_view collection) override;
  /// Understands `language` and `kind` with `match` in `must` and `must_not`.
  base::Result<std::shared_ptr<const index::UnitSet>> ResolveFilter(std::string_view collection,
                                                                    const Filter& filter) override;
  base::Result<CatalogCounts> Counts() override;
  base::Result<std::vector<std::string>> LiveSegmentFiles() override;
  base::Result<std::vector<std::string>> LiveBlobs() override;
  base::Result<std::vector<std::string>> CheckIntegrity() override;

  base::Result<LexicalHits> Search(const LexicalQuery& query,
                                   const base::CancelToken& cancel) override;

 private:
  void Forget(std::string_view document_id) SIGHTLINE_REQUIRES(mutex_);

  base::Mutex mutex_;
  std::map<std::string, Document, std::less<>> documents_ SIGHTLINE_GUARDED_BY(mutex_);
  std::map<UnitId, Unit> units_ SIGHTLINE_GUARDED_BY(mutex_);
  std::map<std::string, std::map<UnitId, int>> postings_ SIGHTLINE_GUARDED_BY(mutex_);
  std::map<UnitId, int> lengths_ SIGHTLINE_GUARDED_BY(mutex_);
  std::vector<SegmentRef> segments_ SIGHTLINE_GUARDED_BY(mutex_);
  index::UnitSet deleted_ SIGHTLINE_GUARDED_BY(mutex_);
  UnitId next_unit_ SIGHTLINE_GUARDED_BY(mutex_) = 1;
  std::int64_t commits_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
};

}  // namespace sightline::store
