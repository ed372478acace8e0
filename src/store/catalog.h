// Port: what exists. The catalog's transaction is the only commit point (docs/ARCHITECTURE.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/unit_set.h"
#include "store/filter.h"
#include "store/unit.h"

namespace sightline::store {

/// An immutable index file of one space of one collection.
struct SegmentRef {
  std::int64_t id = 0;  ///< Given by the catalog at commit.
  std::string collection;
  std::string space_id;  ///< EmbeddingSpace::Id().
  std::string file;      ///< Relative to the data folder.
  std::int64_t units = 0;
  std::int64_t vectors = 0;
  std::int64_t size_bytes = 0;
  UnitId first_unit = 0;  ///< Smallest and largest id in it; 0: not known.
  UnitId last_unit = 0;
  /// Units deleted by commits up to this one are not in it. Set by `VectorStore::Compact`, by the
  /// catalog otherwise.
  std::int64_t clean_until = 0;
  /// Held by every snapshot that lists the segment: its file stays until nobody holds it. Null
  /// when there is nothing to wait for.
  std::shared_ptr<const void> in_use = nullptr;
};

/// One row of the text index: the analysed terms of one unit, joined by spaces.
struct LexicalRow {
  UnitId unit_id = 0;
  std::string terms;
};

/// Everything that makes a document visible, in one transaction.
struct DocumentCommit {
  Document document;                ///< State becomes `kReady`.
  std::vector<Unit> units;          ///< Ids from `AllocateUnitIds`.
  std::vector<LexicalRow> lexical;  ///< Written in the same transaction by the embedded adapter.
  std::vector<SegmentRef> segments;
  std::vector<std::string> blobs;  ///< Digests that the units refer to; kept from collection.
};

/// What a reader sees for the length of one query. Immutable; safe to share.
struct Snapshot {
  std::int64_t commit_number = 0;
  std::vector<SegmentRef> segments;  ///< Of one collection, ordered by id.
  /// Units of removed or replaced documents whose vectors are still in segments.
  std::shared_ptr<const index::UnitSet> deleted;
};

/// Which documents to list.
struct DocumentQuery {
  std::string collection = "default";
  std::optional<DocumentState> state;
  std::string tag;     ///< Empty: any.
  std::string kind;    ///< Empty: any; DocumentKindName.
  std::string cursor;  ///< Empty: from the newest.
  int limit = 50;      ///< At most 1,000.
};

/// One page of a list.
struct DocumentPage {
  std::vector<Document> documents;  ///< Newest first.
  std::string next_cursor;          ///< Empty at the end.
};

/// How much there is, over all collections.
struct CatalogCounts {
  std::int64_t documents = 0;
  std::int64_t ready = 0;
  std::int64_t failed = 0;
  std::int64_t units = 0;
  std::int64_t vectors = 0;
};

/// Thread-safe. Writers are serialised inside; readers never wait for writers.
class Catalog {
 public:
  virtual ~Catalog() = default;

  /// Inserts a document in state `queued` and its ingest job in one transaction.
  /// `kAlreadyExists` (message: the id) when the collection holds a document with these bytes.
  virtual base::Status CreateDocument(const Document& document) = 0;
  virtual base::Result<Document> GetDocument(std::string_view id) = 0;
  virtual base::Result<DocumentPage> ListDocuments(const DocumentQuery& query) = 0;
  virtual base::Result<std::optional<Document>> FindByDigest(std::string_view collection,
                                                             std::string_view blob_sha256) = 0;
  /// State, progress, reason, warnings and what was learned of the file; never units.
  virtual base::Status UpdateDocument(const Document& document) = 0;

  /// `count` fresh consecutive ids; the first is returned. Survives a crash without reuse.
  virtual base::Result<UnitId> AllocateUnitIds(std::int64_t count) = 0;
  /// The commit point. Replaces earlier units of the same document, and finishes its ingest job.
  /// Returns the commit number. kNotFound when the document was removed meanwhile.
  virtual base::Result<std::int64_t> Commit(const DocumentCommit& commit) = 0;
  /// Removes the document, its units, text rows and job. Returns the commit number.
  virtual base::Result<std::int64_t> RemoveDocument(std::string_view id) = 0;
  /// Puts `merged` in the place of `replaced` (compaction) in one transaction; a `merged` of 0
  /// units only takes `replaced` away. kFailedPrecondition when one of them is not there any more.
  virtual base::Status ReplaceSegments(std::span<const SegmentRef> replaced,
                                       const SegmentRef& merged) = 0;

  /// Units in the order of `ids`; ids that no longer exist are left out.
  virtual base::Result<std::vector<Unit>> GetUnits(std::span<const UnitId> ids) = 0;
  /// Units of a document in order; optionally of one page, or overlapping a time range.
  struct UnitQuery {
    std::string document_id;
    int page = 0;               ///< 0: any.
    std::int64_t from_ms = -1;  ///< -1: any.
    std::int64_t to_ms = -1;
    std::int64_t offset = 0;  ///< So many are left out at the beginning.
    int limit = 10'000;
  };
  /// In document order.
  virtual base::Result<std::vector<Unit>> ListUnits(const UnitQuery& query) = 0;

  /// The collection as of now; empty for one that nothing was added to.
  virtual base::Result<std::shared_ptr<const Snapshot>> GetSnapshot(
      std::string_view collection) = 0;
  /// Units of the collection that pass; null when the filter is empty (all pass).
  virtual base::Result<std::shared_ptr<const index::UnitSet>> ResolveFilter(
      std::string_view collection, const Filter& filter) = 0;
  virtual base::Result<CatalogCounts> Counts() = 0;
  /// Every segment file and every blob digest that some row refers to: the rest is garbage.
  virtual base::Result<std::vector<std::string>> LiveSegmentFiles() = 0;
  virtual base::Result<std::vector<std::string>> LiveBlobs() = 0;
  /// Checks the database itself and that its rows agree; each finding is one line.
  virtual base::Result<std::vector<std::string>> CheckIntegrity() = 0;
};

}  // namespace sightline::store
