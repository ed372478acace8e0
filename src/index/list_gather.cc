#include "index/list_gather.h"

#include <limits>

namespace sightline::index {
namespace {

/// Of units that take no part: no row comes after it.
constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void ListGather::Start(const SegmentReader& segment, const Selection& selection) {
  gains_.assign(segment.unit_count(), Gain{});
  if (selection.AllowsAll()) return;
  for (std::size_t unit = 0; unit < gains_.size(); ++unit) {
    if (!selection.Allows(segment.unit_id(unit))) gains_[unit].rows_seen = kNever;
  }
}

base::Status ListGather::Gather(const SegmentReader& segment, const SegmentCodes& codes,
                                std::uint32_t index, const Selection& selection,
                                BestOf<Candidate>& best, const base::CancelToken& cancel) {
  Start(segment, selection);
  for (const ListProbe::Entry& entry : probe_.entries()) codes.ListWillBeNeeded(entry.list);
  for (std::uint32_t row = 0; row < probe_.rows(); ++row) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    // Gains fall, so that the first one that a unit gets from a row is the best.
    for (const ListProbe::Entry& entry : probe_.row(row)) {
      SIGHTLINE_ASSIGN_OR_RETURN(const auto units, codes.List(entry.list));
      for (const std::uint32_t unit : units) {
        Gain& gain = gains_[unit];
        if (gain.rows_seen > row) continue;
        gain.rows_seen = row + 1;
        gain.sum += entry.gain;
      }
    }
  }
  for (std::uint32_t unit = 0; unit < gains_.size(); ++unit) {
    const Gain& gain = gains_[unit];
    if (gain.rows_seen == 0 || gain.rows_seen == kNever) continue;
    best.Push({{segment.unit_id(unit), gain.sum}, index, unit});
  }
  return base::OkStatus();
}

}  // namespace sightline::index
