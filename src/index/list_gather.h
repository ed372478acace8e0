// Collecting the units of inverted lists.
#pragma once

#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "base/status.h"
#include "index/candidate.h"
#include "index/exact_search.h"
#include "index/list_probe.h"
#include "index/segment_codes.h"
#include "index/top_k.h"

namespace sightline::index {

/// Scores the units of segments by the lists that they are in (`ListProbe`). Holds buffers: one a
/// thread.
class ListGather {
 public:
  /// `probe` must live longer.
  explicit ListGather(const ListProbe& probe) : probe_(probe) {}

  /// Hands the allowed units of a segment that are in a probed list to `best`. `index` is the
  /// segment's.
  base::Status Gather(const SegmentReader& segment, const SegmentCodes& codes, std::uint32_t index,
                      const Selection& selection, BestOf<Candidate>& best,
                      const base::CancelToken& cancel);

 private:
  struct Gain {
    float sum = 0;
    std::uint32_t rows_seen = 0;  // Up to and including the last row that gave it something.
  };

  void Start(const SegmentReader& segment, const Selection& selection);

  const ListProbe& probe_;
  std::vector<Gain> gains_;  // By unit.
};

}  // namespace sightline::index
