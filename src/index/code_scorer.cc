#include "index/code_scorer.h"

#include "index/bit_scorer.h"
#include "index/pq4_query.h"
#include "index/pq8_scorer.h"

namespace sightline::index {

std::unique_ptr<CodeScorer> MakeCodeScorer(const Codec& codec, std::span<const float> query) {
  switch (codec.spec().kind) {
    case CodecKind::kPq8:
      return std::make_unique<Pq8Scorer>(codec, query);
    case CodecKind::kBit:
      return std::make_unique<BitScorer>(codec, query);
    case CodecKind::kPq4:
    case CodecKind::kInt8:
      break;
  }
  return std::make_unique<Pq4Scorer>(codec, query);
}

}  // namespace sightline::index
