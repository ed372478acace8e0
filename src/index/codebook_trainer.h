// Learning the codebook of a space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/deadline.h"
#include "base/result.h"
#include "index/codebook.h"
#include "index/segment_reader.h"

namespace sightline::index {

/// What is learned, and how.
struct CodebookTraining {
  /// One of pq4, pq8 and bit.
  CodecKind codec = CodecKind::kPq4;
  /// Of product quantisation; must divide the dims. 0: the largest that does and leaves at least
  /// four dims a sub-vector (pq4: a bit a dim; 1,024 at most) or sixteen (pq8: half a bit).
  std::size_t sub_vectors = 0;
  /// Inverted lists; 0: by `ListCount`.
  std::size_t lists = 0;
  std::uint64_t seed = 1;
  int threads = 1;
  /// Told the share that is done, now and then. May be empty.
  std::function<void(double done)> progress;
};

/// Inverted lists for a space of so many vectors: 4 √n, down to a power of two, 64 … 16,384.
std::size_t ListCount(std::uint64_t vectors);

/// Codebook and centroids from an evenly spread sample of the segment's vectors; the same for the
/// same vectors, however many threads there are. kFailedPrecondition when there are too few
/// vectors to learn from: such a space is searched exactly.
base::Result<std::shared_ptr<const Codebook>> TrainCodebook(const SegmentReader& segment,
                                                            const CodebookTraining& training,
                                                            const base::CancelToken& cancel);

}  // namespace sightline::index
