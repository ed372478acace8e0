#include "store/segment_vector_store.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "index/exact_search.h"
#include "index/merge.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;

constexpr std::string_view kFolder = "segments";
constexpr std::string_view kExtension = ".seg";
constexpr std::size_t kMaxSegmentsOfASize = 8;
/// A codebook is learned anew when there are so many times the vectors that it was learned from.
constexpr std::int64_t kOutgrown = 4;
/// A merged segment carries codes when it is so many times larger than the codebook.
constexpr std::uint64_t kLeastTimesCodebook = 8;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kSmallestTierBytes = std::uint64_t{256} << 10U;

void Describe(const index::SegmentInfo& info, SegmentRef& segment) {
  segment.units = info.units;
  segment.vectors = info.vectors;
  segment.size_bytes = info.size_bytes;
  segment.first_unit = info.first_unit;
  segment.last_unit = info.last_unit;
}

class SegmentVectorWriter final : public VectorWriter {
 public:
  SegmentVectorWriter(SpaceKey space, std::string file,
                      std::unique_ptr<index::SegmentWriter> writer, WriteStop& stop)
      : space_(std::move(space)), file_(std::move(file)), writer_(std::move(writer)), stop_(stop) {}

  Status Add(UnitId id, std::span<const float> vectors) override {
    return stop_.Note(writer_->Add(id, vectors));
  }

  Result<SegmentRef> Finish() override {
    SIGHTLINE_RETURN_IF_ERROR(stop_.Check());
    const auto info = writer_->Finish();
    SIGHTLINE_RETURN_IF_ERROR(stop_.Note(info.status()));
    SegmentRef segment;
    segment.collection = space_.collection;
    segment.space_id = space_.space_id;
    segment.file = file_;
    Describe(*info, segment);
    return segment;
  }

 private:
  const SpaceKey space_;
  const std::string file_;
  const std::unique_ptr<index::SegmentWriter> writer_;
  WriteStop& stop_;
};

/// Segments of one tier differ in size by a factor of 8 at most.
int TierOf(std::int64_t size_bytes) {
  const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(size_bytes, 0));
  return static_cast<int>(std::bit_width(size / kSmallestTierBytes)) / 3;
}

}  // namespace

Result<std::unique_ptr<SegmentVectorStore>> SegmentVectorStore::Open(
    io::FileSystem& files, const std::string& data_dir, const SegmentStoreOptions& options) {
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(io::JoinPath(data_dir, kFolder)));
  SIGHTLINE_RETURN_IF_ERROR(files.SyncDirectory(data_dir));
  return std::unique_ptr<SegmentVectorStore>(new SegmentVectorStore(files, data_dir, options));
}

SegmentVectorStore::SegmentVectorStore(io::FileSystem& files, std::string data_dir,
                                       const SegmentStoreOptions& options)
    : files_(files),
      data_dir_(std::move(data_dir)),
      options_(options),
      paced_(files, options.compaction_bytes_per_second),
      names_(base::SystemClock(), base::SystemRandom()) {}

std::string SegmentVectorStore::NewFile() {
  return io::JoinPath(kFolder, names_.Next().ToString() + std::string(kExtension));
}

Result<std::unique_ptr<VectorWriter>> SegmentVectorStore::NewWriter(const SpaceKey& space) {
  SIGHTLINE_RETURN_IF_ERROR(stop_.Check());
  std::string file = NewFile();
  auto writer = index::SegmentWriter::Create(files_, io::JoinPath(data_dir_, file), space.dims);
  SIGHTLINE_RETURN_IF_ERROR(stop_.Note(writer.status()));
  return std::unique_ptr<VectorWriter>(
      std::make_unique<SegmentVectorWriter>(space, std::move(file), *std::move(writer), stop_));
}

Result<SegmentVectorStore::Reader> SegmentVectorStore::OpenSegment(const std::string& file) {
  const base::MutexLock lock(mutex_);
  const auto found = readers_.find(file);
  if (found != readers_.end()) return found->second;
  for (const Retired& retired : retired_) {
    if (retired.file == file) return retired.reader;
  }
  SIGHTLINE_ASSIGN_OR_RETURN(Reader reader,
                             index::SegmentReader::Open(files_, io::JoinPath(data_dir_, file)));
  readers_[file] = reader;
  return reader;
}

Result<std::vector<SegmentVectorStore::Reader>> SegmentVectorStore::OpenSpace(
    const SpaceKey& space, const Snapshot& snapshot) {
  std::vector<Reader> readers;
  for (const SegmentRef& segment : snapshot.segments) {
    if (segment.space_id != space.space_id || segment.collection != space.collection) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(Reader reader, OpenSegment(segment.file));
    readers.push_back(std::move(reader));
  }
  return readers;
}

/// The codebook of a space: that of the segment whose codebook was learned from the most vectors.
/// Null where no segment has one.
Result<SegmentVectorStore::CodebookPointer> SegmentVectorStore::CodebookOf(
    std::span<const Reader> readers) {
  const Reader* chosen = nullptr;
  for (const Reader& reader : readers) {
    if (!reader->code_trailer()) continue;
    if (chosen == nullptr ||
        reader->code_trailer()->trained_vectors > (*chosen)->code_trailer()->trained_vectors) {
      chosen = &reader;
    }
  }
  if (chosen == nullptr) return CodebookPointer();
  SIGHTLINE_ASSIGN_OR_RETURN(const Codes codes, CodesOf(*chosen, nullptr, base::CancelToken()));
  return codes->codebook();
}

/// Codes of a segment by `codebook`, or by its own where that is null.
Result<SegmentVectorStore::Codes> SegmentVectorStore::CodesOf(const Reader& reader,
                                                              const CodebookPointer& codebook,
                                                              const base::CancelToken& cancel) {
  const auto suits = [&](const Codes& codes) {
    return codebook == nullptr || codes->codebook()->id() == codebook->id();
  };
  const base::MutexLock coding(coding_mutex_);
  {
    const base::MutexLock lock(mutex_);
    const auto found = codes_.find(reader->path());
    if (found != codes_.end() && suits(found->second)) return found->second;
  }
  Codes codes;
  if (reader->code_trailer()) {
    SIGHTLINE_ASSIGN_OR_RETURN(codes, index::SegmentCodes::Open(reader, codebook));
  }
  if (codes == nullptr || !suits(codes)) {
    SIGHTLINE_ASSIGN_OR_RETURN(codes, index::SegmentCodes::Encode(reader, codebook, 1, cancel));
  }
  const base::MutexLock lock(mutex_);
  codes_[reader->path()] = codes;
  return codes;
}

Result<std::vector<index::IndexedSegment>> SegmentVectorStore::OpenIndexed(
    const SpaceKey& space, const Snapshot& snapshot, const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto readers, OpenSpace(space, snapshot));
  SIGHTLINE_ASSIGN_OR_RETURN(const CodebookPointer codebook, CodebookOf(readers));
  std::vector<index::IndexedSegment> segments;
  for (const Reader& reader : readers) {
    segments.push_back({reader, nullptr});
    if (codebook == nullptr) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(segments.back().codes, CodesOf(reader, codebook, cancel));
  }
  return segments;
}

Result<std::vector<ScoredUnit>> SegmentVectorStore::Search(const VectorQuery& query,
                                                           const Snapshot& snapshot,
                                                           const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(Sweep());
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segments, OpenIndexed(query.space, snapshot, cancel));
  index::SearchOptions options = options_.search;
  options.top_k = query.top_k;
  options.path =
      query.mode == SearchMode::kExact ? index::SearchPath::kExact : index::SearchPath::kAuto;
  SIGHTLINE_ASSIGN_OR_RETURN(index::SearchResult found,
                             index::Search(query.vectors, query.space.dims, segments, options,
                                           {query.filter, snapshot.deleted.get()}, cancel));
  return std::move(found.units);
}

Result<std::vector<ScoredUnit>> SegmentVectorStore::Score(const VectorQuery& query,
                                                          std::span<const UnitId> units,
                                                          const Snapshot& snapshot,
                                                          const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(Sweep());
  SIGHTLINE_ASSIGN_OR_RETURN(const auto prepared,
                             index::PrepareQuery(query.vectors, query.space.dims));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto readers, OpenSpace(query.space, snapshot));
  return index::ExactScores(prepared, units, readers, {query.filter, snapshot.deleted.get()},
                            cancel);
}

Result<std::vector<kernels::BestMatch>> SegmentVectorStore::Match(const VectorQuery& query,
                                                                  UnitId unit,
                                                                  const Snapshot& snapshot) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto prepared,
                             index::PrepareQuery(query.vectors, query.space.dims));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto readers, OpenSpace(query.space, snapshot));
  if (snapshot.deleted != nullptr && snapshot.deleted->Contains(unit)) {
    return base::NotFound("the unit was deleted: " + std::to_string(unit));
  }
  return index::BestMatches(prepared, unit, readers);
}

Result<bool> SegmentVectorStore::IsMostlyDeleted(const SegmentRef& segment,
                                                 const Snapshot& snapshot) {
  if (snapshot.deleted == nullptr || snapshot.deleted->empty()) return false;
  SIGHTLINE_ASSIGN_OR_RETURN(const Reader reader, OpenSegment(segment.file));
  std::size_t deleted = 0;
  for (std::size_t unit = 0; unit < reader->unit_count(); ++unit) {
    if (snapshot.deleted->Contains(reader->unit_id(unit))) ++deleted;
  }
  return deleted * 4 > reader->unit_count();
}

Result<VectorStore::Merge> SegmentVectorStore::MergeOf(const MergePlan& plan,
                                                       const Snapshot& snapshot,
                                                       const base::CancelToken& cancel) {
  std::vector<Reader> readers;
  for (const SegmentRef& segment : plan.segments) {
    SIGHTLINE_ASSIGN_OR_RETURN(Reader reader, OpenSegment(segment.file));
    readers.push_back(std::move(reader));
  }
  Merge merge;
  merge.replaced = plan.segments;
  merge.merged.collection = plan.segments.front().collection;
  merge.merged.space_id = plan.segments.front().space_id;
  merge.merged.file = NewFile();
  merge.merged.clean_until = snapshot.commit_number;
  SIGHTLINE_RETURN_IF_ERROR(stop_.Check());
  const auto info = index::MergeSegments(paced_, io::JoinPath(data_dir_, merge.merged.file),
                                         readers, {snapshot.deleted.get(), plan.coding}, cancel);
  SIGHTLINE_RETURN_IF_ERROR(stop_.Note(info.status()));
  Describe(*info, merge.merged);
  return merge;
}

Result<std::vector<SegmentVectorStore::MergePlan>> SegmentVectorStore::PlanSpace(
    const std::vector<SegmentRef>& segments, const Snapshot& snapshot) {
  std::int64_t vectors = 0;
  std::vector<Reader> readers;
  for (const SegmentRef& segment : segments) {
    vectors += segment.vectors;
    SIGHTLINE_ASSIGN_OR_RETURN(Reader reader, OpenSegment(segment.file));
    readers.push_back(std::move(reader));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const CodebookPointer codebook, CodebookOf(readers));
  index::SegmentCoding coding{codebook, {}};
  coding.training.threads = options_.compaction_threads;
  const auto learned =
      static_cast<std::int64_t>(codebook == nullptr ? 0 : codebook->trained_vectors());
  if (vectors >= options_.least_coded_vectors && vectors > kOutgrown * learned) {
    coding.codebook = nullptr;
    return std::vector<MergePlan>{{segments, coding}};
  }
  // A small segment gets its codes in memory: a codebook of its own would be most of it.
  const std::uint64_t least_coded =
      codebook == nullptr ? kNever : kLeastTimesCodebook * codebook->hot_bytes();
  std::map<int, std::vector<std::size_t>> tiers;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    tiers[TierOf(segments[i].size_bytes)].push_back(i);
  }
  std::vector<MergePlan> plans;
  for (const auto& [tier, same_size] : tiers) {
    MergePlan plan;
    std::uint64_t size_bytes = 0;
    for (const std::size_t i : same_size) {
      const auto bytes = static_cast<std::uint64_t>(segments[i].size_bytes);
      bool chosen = same_size.size() > kMaxSegmentsOfASize ||
                    (bytes >= least_coded && !readers[i]->code_trailer());
      if (!chosen) {
        SIGHTLINE_ASSIGN_OR_RETURN(chosen, IsMostlyDeleted(segments[i], snapshot));
      }
      if (!chosen) continue;
      plan.segments.push_back(segments[i]);
      size_bytes += bytes;
    }
    if (plan.segments.empty()) continue;
    if (size_bytes >= least_coded) plan.coding = coding;
    plans.push_back(std::move(plan));
  }
  return plans;
}

Result<std::vector<VectorStore::Merge>> SegmentVectorStore::Compact(
    const Snapshot& snapshot, const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(Sweep());
  std::map<std::string, std::vector<SegmentRef>> spaces;
  for (const SegmentRef& segment : snapshot.segments) spaces[segment.space_id].push_back(segment);
  std::vector<Merge> merges;
  for (const auto& [space, segments] : spaces) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto plans, PlanSpace(segments, snapshot));
    for (const MergePlan& plan : plans) {
      SIGHTLINE_ASSIGN_OR_RETURN(Merge merge, MergeOf(plan, snapshot, cancel));
      merges.push_back(std::move(merge));
    }
  }
  return merges;
}

Status SegmentVectorStore::Retire(std::span<const SegmentRef> segments) {
  for (const SegmentRef& segment : segments) {
    // Opened while the file is there: a snapshot that lists it may come to ask for it.
    SIGHTLINE_ASSIGN_OR_RETURN(Reader reader, OpenSegment(segment.file));
    const base::MutexLock lock(mutex_);
    readers_.erase(segment.file);
    codes_.erase(reader->path());
    retired_.push_back({segment.file, segment.in_use, std::move(reader)});
  }
  return Sweep();
}

/// Removes the files of retired segments that no snapshot holds any more.
Status SegmentVectorStore::Sweep() {
  std::vector<Retired> gone;
  {
    const base::MutexLock lock(mutex_);
    if (retired_.empty()) return OkStatus();
    const auto first_gone = std::stable_partition(
        retired_.begin(), retired_.end(), [](const Retired& r) { return !r.in_use.expired(); });
    gone.assign(std::make_move_iterator(first_gone), std::make_move_iterator(retired_.end()));
    retired_.erase(first_gone, retired_.end());
  }
  for (const Retired& retired : gone) {
    Status removed = files_.RemoveFile(io::JoinPath(data_dir_, retired.file));
    if (!removed.ok() && removed.code() != StatusCode::kNotFound) return removed;
  }
  return OkStatus();
}

Status SegmentVectorStore::CollectGarbage(std::span<const std::string> live) {
  const std::set<std::string> keep(live.begin(), live.end());
  const std::string folder = io::JoinPath(data_dir_, kFolder);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files_.List(folder));
  bool removed_any = false;
  for (const std::string& name : names) {
    if (!name.ends_with(kExtension) || keep.contains(io::JoinPath(kFolder, name))) continue;
    SIGHTLINE_RETURN_IF_ERROR(files_.RemoveFile(io::JoinPath(folder, name)));
    removed_any = true;
  }
  return removed_any ? files_.SyncDirectory(folder) : OkStatus();
}

}  // namespace sightline::store
