#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <utility>

#include "store/memory_store.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

Status NoDocument(std::string_view id) {
  return base::NotFound("no such document: " + std::string(id));
}

bool Passes(const Filter& filter, const Unit& unit);

bool Holds(const Condition& condition, const Unit& unit) {
  if (!condition.nested.empty()) return Passes(condition.nested.front(), unit);
  if (condition.key == "page") {
    const auto page = static_cast<double>(unit.locator.page);
    return page >= condition.gte.value_or(page) && page < condition.lt.value_or(page + 1);
  }
  const std::string value = condition.key == "kind"
                                ? std::string(UnitKindName(unit.kind))
                                : std::string(text::LanguageCode(unit.language));
  return std::any_of(condition.any_of.begin(), condition.any_of.end(), [&](const FilterValue& any) {
    return std::holds_alternative<std::string>(any) && std::get<std::string>(any) == value;
  });
}

bool Passes(const Filter& filter, const Unit& unit) {
  const auto holds = [&](const Condition& condition) { return Holds(condition, unit); };
  return std::all_of(filter.must.begin(), filter.must.end(), holds) &&
         std::none_of(filter.must_not.begin(), filter.must_not.end(), holds) &&
         (filter.should.empty() || std::any_of(filter.should.begin(), filter.should.end(), holds));
}

}  // namespace

Status MemoryCatalog::CreateDocument(const Document& document) {
  const base::MutexLock lock(mutex_);
  for (const auto& [id, known] : documents_) {
    if (known.collection == document.collection && known.blob_sha256 == document.blob_sha256) {
      return base::AlreadyExists(id);
    }
  }
  documents_[document.id] = document;
  return OkStatus();
}

Result<Document> MemoryCatalog::GetDocument(std::string_view id) {
  const base::MutexLock lock(mutex_);
  const auto it = documents_.find(id);
  if (it == documents_.end()) return NoDocument(id);
  return it->second;
}

Result<DocumentPage> MemoryCatalog::ListDocuments(const DocumentQuery& query) {
  const base::MutexLock lock(mutex_);
  DocumentPage page;
  for (auto it = documents_.rbegin(); it != documents_.rend(); ++it) {
    if (it->second.collection == query.collection) page.documents.push_back(it->second);
  }
  return page;
}

Result<std::optional<Document>> MemoryCatalog::FindByDigest(std::string_view collection,
                                                            std::string_view blob_sha256) {
  const base::MutexLock lock(mutex_);
  for (const auto& [id, document] : documents_) {
    if (document.collection == collection && document.blob_sha256 == blob_sha256) {
      return std::optional(document);
    }
  }
  return std::optional<Document>();
}

Status MemoryCatalog::UpdateDocument(const Document& document) {
  const base::MutexLock lock(mutex_);
  const auto it = documents_.find(document.id);
  if (it == documents_.end()) return NoDocument(document.id);
  it->second = document;
  return OkStatus();
}

Result<UnitId> MemoryCatalog::AllocateUnitIds(std::int64_t count) {
  const base::MutexLock lock(mutex_);
  const UnitId first = next_unit_;
  next_unit_ += count;
  return first;
}

void MemoryCatalog::Forget(std::string_view document_id) {
  std::set<UnitId> gone;
  for (const auto& [id, unit] : units_) {
    if (unit.document_id == document_id) gone.insert(id);
  }
  for (const UnitId id : gone) {
    units_.erase(id);
    lengths_.erase(id);
    deleted_.Insert(id);
  }
  for (auto& [term, units] : postings_) {
    std::erase_if(units, [&](const auto& entry) { return gone.contains(entry.first); });
  }
}

Result<std::int64_t> MemoryCatalog::Commit(const DocumentCommit& commit) {
  const base::MutexLock lock(mutex_);
  const auto it = documents_.find(commit.document.id);
  if (it == documents_.end()) return NoDocument(commit.document.id);
  Forget(commit.document.id);
  it->second = commit.document;
  it->second.state = DocumentState::kReady;
  ++it->second.revision;
  for (const Unit& unit : commit.units) units_[unit.id] = unit;
  for (const LexicalRow& row : commit.lexical) {
    std::istringstream words(row.terms);
    for (std::string term; words >> term;) {
      ++postings_[term][row.unit_id];
      ++lengths_[row.unit_id];
    }
  }
  segments_.insert(segments_.end(), commit.segments.begin(), commit.segments.end());
  return ++commits_;
}

Result<std::int64_t> MemoryCatalog::RemoveDocument(std::string_view id) {
  const base::MutexLock lock(mutex_);
  const auto it = documents_.find(id);
  if (it == documents_.end()) return NoDocument(id);
  Forget(id);
  documents_.erase(it);
  return ++commits_;
}

Status MemoryCatalog::ReplaceSegments(std::span<const SegmentRef> replaced,
                                      const SegmentRef& merged) {
  const base::MutexLock lock(mutex_);
  for (const SegmentRef& old : replaced) {
    std::erase_if(segments_, [&](const SegmentRef& s) { return s.file == old.file; });
  }
  segments_.push_back(merged);
  return OkStatus();
}

Result<std::vector<Unit>> MemoryCatalog::GetUnits(std::span<const UnitId> ids) {
  const base::MutexLock lock(mutex_);
  std::vector<Unit> found;
  for (const UnitId id : ids) {
    if (const auto it = units_.find(id); it != units_.end()) found.push_back(it->second);
  }
  return found;
}

Result<std::vector<Unit>> MemoryCatalog::ListUnits(const UnitQuery& query) {
  const base::MutexLock lock(mutex_);
  std::vector<Unit> found;
  for (const auto& [id, unit] : units_) {
    if (unit.document_id != query.document_id) continue;
    if (query.page > 0 && unit.locator.page != query.page) continue;
    found.push_back(unit);
  }
  const auto count = static_cast<std::int64_t>(found.size());
  found.erase(found.begin(), found.begin() + std::min(query.offset, count));
  if (found.size() > static_cast<std::size_t>(query.limit)) {
    found.resize(static_cast<std::size_t>(query.limit));
  }
  return found;
}

Result<std::shared_ptr<const Snapshot>> MemoryCatalog::GetSnapshot(std::string_view collection) {
  const base::MutexLock lock(mutex_);
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->commit_number = commits_;
  for (const SegmentRef& segment : segments_) {
    if (segment.collection == collection) snapshot->segments.push_back(segment);
  }
  snapshot->deleted = std::make_shared<index::UnitSet>(deleted_);
  return std::shared_ptr<const Snapshot>(std::move(snapshot));
}

Result<std::shared_ptr<const index::UnitSet>> MemoryCatalog::ResolveFilter(
    std::string_view collection, const Filter& filter) {
  if (filter.IsEmpty()) return std::shared_ptr<const index::UnitSet>();
  const base::MutexLock lock(mutex_);
  auto set = std::make_shared<index::UnitSet>();
  for (const auto& [id, unit] : units_) {
    const auto document = documents_.find(unit.document_id);
    const bool here = document != documents_.end() && document->second.collection == collection;
    if (here && Passes(filter, unit)) set->Insert(id);
  }
  return std::shared_ptr<const index::UnitSet>(std::move(set));
}

Result<CatalogCounts> MemoryCatalog::Counts() {
  const base::MutexLock lock(mutex_);
  CatalogCounts counts;
  counts.documents = static_cast<std::int64_t>(documents_.size());
  for (const auto& [id, document] : documents_) {
    counts.ready += document.state == DocumentState::kReady ? 1 : 0;
    counts.failed += document.state == DocumentState::kFailed ? 1 : 0;
  }
  counts.units = static_cast<std::int64_t>(units_.size());
  for (const SegmentRef& segment : segments_) counts.vectors += segment.vectors;
  return counts;
}

Result<std::vector<std::string>> MemoryCatalog::LiveSegmentFiles() {
  const base::MutexLock lock(mutex_);
  std::vector<std::string> files;
  for (const SegmentRef& segment : segments_) files.push_back(segment.file);
  return files;
}

Result<std::vector<std::string>> MemoryCatalog::LiveBlobs() {
  const base::MutexLock lock(mutex_);
  std::set<std::string> blobs;
  for (const auto& [id, document] : documents_) blobs.insert(document.blob_sha256);
  for (const auto& [id, unit] : units_) {
    if (!unit.preview_sha256.empty()) blobs.insert(unit.preview_sha256);
  }
  return std::vector<std::string>(blobs.begin(), blobs.end());
}

Result<std::vector<std::string>> MemoryCatalog::CheckIntegrity() {
  return std::vector<std::string>();
}

Result<LexicalHits> MemoryCatalog::Search(const LexicalQuery& query,
                                          const base::CancelToken& cancel) {
  constexpr double kK1 = 1.2;
  constexpr double kB = 0.75;
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  const base::MutexLock lock(mutex_);
  double total = 0;
  for (const auto& [id, length] : lengths_) total += length;
  const auto rows = static_cast<double>(lengths_.size());
  std::map<UnitId, double> scores;
  double bound = 0;
  for (const std::string& term : query.terms) {
    const auto posting = postings_.find(term);
    const auto in = posting == postings_.end() ? 0 : static_cast<double>(posting->second.size());
    const double idf = std::log1p((rows - in + 0.5) / (in + 0.5));
    bound += idf * (kK1 + 1);
    if (posting == postings_.end()) continue;
    for (const auto& [id, count] : posting->second) {
      if (query.filter != nullptr && !query.filter->Contains(id)) continue;
      const double norm = kK1 * (1 - kB + kB * lengths_[id] / (total / rows));
      scores[id] += idf * count * (kK1 + 1) / (count + norm);
    }
  }
  LexicalHits hits;
  std::vector<ScoredUnit>& scored = hits.units;
  for (const auto& [id, score] : scores) scored.push_back({id, static_cast<float>(score)});
  std::stable_sort(scored.begin(), scored.end(),
                   [](const ScoredUnit& a, const ScoredUnit& b) { return a.score > b.score; });
  if (scored.size() > query.top_k) scored.resize(query.top_k);
  if (!scored.empty()) hits.bound = static_cast<float>(bound);
  return hits;
}

}  // namespace sightline::store
