#include "index/merge.h"

#include <limits>
#include <memory>
#include <vector>

namespace sightline::index {
namespace {

using base::Result;

/// Walks the remaining units of one segment in order.
struct Cursor {
  const SegmentReader* segment = nullptr;
  std::size_t unit = 0;

  UnitId id() const {
    return unit < segment->unit_count() ? segment->unit_id(unit)
                                        : std::numeric_limits<UnitId>::max();
  }
};

}  // namespace

Result<SegmentInfo> MergeSegments(io::FileSystem& files, const std::string& path, Segments segments,
                                  const MergeOptions& options, const base::CancelToken& cancel) {
  if (segments.empty()) return SegmentInfo{};
  std::vector<Cursor> cursors;
  for (const auto& segment : segments) {
    if (segment->dims() != segments.front()->dims()) {
      return base::InvalidArgument("segments of different dims cannot be merged: " +
                                   segment->path());
    }
    cursors.push_back({segment.get(), 0});
  }
  const auto kind = options.coding ? SegmentKind::kCoded : SegmentKind::kPlain;
  SIGHTLINE_ASSIGN_OR_RETURN(
      const auto writer,
      SegmentWriter::Create(files, path, static_cast<int>(segments.front()->dims()), kind));
  UnitId last = 0;
  bool any = false;
  while (true) {
    Cursor* next = &cursors.front();
    for (Cursor& cursor : cursors) {
      if (cursor.id() < next->id()) next = &cursor;
    }
    const UnitId id = next->id();
    if (id == std::numeric_limits<UnitId>::max()) break;
    if (id == last) {
      return base::DataLoss("a unit is in two segments: unit " + std::to_string(id) + ", " +
                            next->segment->path());
    }
    last = id;
    const std::size_t unit = next->unit++;
    if (options.deleted != nullptr && options.deleted->Contains(id)) continue;
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    next->segment->ReadAhead(next->segment->BlockOf(next->segment->first_vector(unit)));
    SIGHTLINE_ASSIGN_OR_RETURN(const StoredVectors vectors, next->segment->UnitVectors(unit));
    SIGHTLINE_RETURN_IF_ERROR(writer->AddStored(id, vectors));
    any = true;
  }
  if (!any) return SegmentInfo{};
  return options.coding ? writer->FinishCoded(*options.coding, cancel) : writer->Finish();
}

}  // namespace sightline::index
