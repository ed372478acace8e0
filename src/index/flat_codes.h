// Codes of all units of some segments, scanned from front to back: a tenth of the bytes of int8
// and of the work, to choose what the exact rerank looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/codec.h"
#include "index/exact_search.h"
#include "index/pq4_query.h"
#include "index/scored_unit.h"

namespace sightline::index {

/// How the codes are made.
struct FlatCodesOptions {
  /// Sub-vectors of 4 bits; must divide the dims. 0: dims ÷ 4, a bit a dim, where that divides.
  std::size_t sub_vectors = 0;
  CodecTraining training;
};

/// 4-bit product quantisation codes of the units of some segments, in memory. Immutable;
/// thread-safe.
class FlatCodes {
 public:
  /// Learns a codebook from a sample of the segments' vectors and encodes them all. Errors of
  /// `TrainCodec`; kInvalidArgument when segments differ in dims or there is none.
  static base::Result<std::unique_ptr<const FlatCodes>> Build(Segments segments,
                                                              const FlatCodesOptions& options,
                                                              const base::CancelToken& cancel);

  /// What made the codes.
  const Codec& codec() const { return *codec_; }
  /// Bytes that a scan reads, codes and places of units.
  std::size_t hot_bytes() const;
  /// The best `count` of the allowed units by approximate MaxSim, best first, ties by id.
  base::Result<std::vector<ScoredUnit>> Candidates(const Pq4Query& query, std::size_t count,
                                                   const Selection& selection,
                                                   const base::CancelToken& cancel) const;

 private:
  FlatCodes(Segments segments, std::unique_ptr<Codec> codec);
  base::Status Encode(Segments segments, int threads, const base::CancelToken& cancel);

  const std::unique_ptr<const Codec> codec_;
  std::vector<UnitId> ids_;
  std::vector<std::size_t> ends_;  // By unit: vectors up to and including it.
  Pq4Groups groups_;
};

/// Results of `ExactSearch` for the best `candidates` units by their codes: nearly the same as for
/// all units, at a fraction of the work. `query` is row-major [m, dims].
base::Result<std::vector<ScoredUnit>> FlatSearch(const FlatCodes& codes,
                                                 std::span<const float> query, std::size_t top_k,
                                                 std::size_t candidates, Segments segments,
                                                 const Selection& selection,
                                                 const base::CancelToken& cancel);

}  // namespace sightline::index
