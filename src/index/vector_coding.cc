#include "index/vector_coding.h"

#include <algorithm>
#include <vector>

#include "base/parallel_for.h"
#include "format/segment_codes.h"
#include "index/vector_reader.h"
#include "kernels/dispatch.h"
#include "kernels/pq4_layout.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Status;

/// Vectors that a thread takes at a time; whole groups of pq4, so that no two threads share one.
constexpr std::uint64_t kVectorsAPart = 4'096;
/// Vectors that are compared with all centroids at a time.
constexpr std::size_t kBatch = 64;
static_assert(kVectorsAPart % kCodingAlignment == 0 && kCodingAlignment == kernels::kPq4Lanes);

/// Runs `work(reader, first, count)` over the parts of a range; `first` counts from its start.
template <typename Work>
Status ForParts(const SegmentReader& segment, const CodingRange& range,
                const base::CancelToken& cancel, const Work& work) {
  const std::uint64_t parts = (range.count + kVectorsAPart - 1) / kVectorsAPart;
  return base::ParallelFor(parts, range.threads, [&](std::size_t part) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    VectorReader reader(segment);
    const std::uint64_t first = part * kVectorsAPart;
    return work(reader, first, std::min(kVectorsAPart, range.count - first));
  });
}

/// Puts the code of vector `lane` into a group of 32 that is 0 there.
void StorePq4(std::span<const std::uint8_t> code, std::size_t sub_vectors, std::size_t lane,
              std::uint8_t* group) {
  for (std::size_t s = 0; s < sub_vectors; ++s) {
    const unsigned value = (static_cast<unsigned>(code[s / 2]) >> (s % 2 * 4)) & 0xFU;
    group[s * 16 + lane % 16] |= static_cast<std::uint8_t>(value << (lane / 16 * 4));
  }
}

/// The lists of one unit, each once, growing.
class UnitLists {
 public:
  std::span<const std::uint16_t> Of(std::span<const std::uint16_t> assignments) {
    lists_.assign(assignments.begin(), assignments.end());
    std::ranges::sort(lists_);
    const auto repeated = std::ranges::unique(lists_);
    lists_.erase(repeated.begin(), repeated.end());
    return lists_;
  }

 private:
  std::vector<std::uint16_t> lists_;
};

/// Hands `use(unit, list)` every pair of a unit and a list that it has a vector in.
template <typename Use>
void ForPostings(std::span<const std::uint16_t> assignments,
                 std::span<const std::uint64_t> unit_ends, const Use& use) {
  UnitLists lists;
  std::uint64_t first = 0;
  for (std::size_t unit = 0; unit < unit_ends.size(); ++unit) {
    const std::uint64_t count = unit_ends[unit] - first;
    for (const std::uint16_t list : lists.Of(assignments.subspan(first, count))) use(unit, list);
    first = unit_ends[unit];
  }
}

}  // namespace

std::size_t CodedBytes(const Codec& codec, std::uint64_t count) {
  format::CodeTrailer trailer;
  trailer.codec = codec.spec().kind;
  trailer.sub_vectors = static_cast<std::uint32_t>(codec.spec().sub_vectors);
  return format::CodeBytes(trailer, codec.spec().dims, count);
}

Status EncodeVectors(const SegmentReader& segment, const Codec& codec, const CodingRange& range,
                     std::span<std::uint8_t> codes, const base::CancelToken& cancel) {
  const CodecSpec& spec = codec.spec();
  const std::size_t code_bytes = codec.code_bytes();
  const std::size_t group_bytes = kernels::Pq4GroupBytes(spec.sub_vectors);
  const auto encode = [&](VectorReader& reader, std::uint64_t first,
                          std::uint64_t count) -> Status {
    std::vector<float> vector(spec.dims);
    std::vector<std::uint8_t> code(code_bytes);
    for (std::uint64_t i = first; i < first + count; ++i) {
      SIGHTLINE_RETURN_IF_ERROR(reader.Read(range.first + i, vector));
      codec.Encode(vector, code);
      if (spec.kind == CodecKind::kPq4) {
        std::uint8_t* group = codes.data() + i / kernels::kPq4Lanes * group_bytes;
        StorePq4(code, spec.sub_vectors, i % kernels::kPq4Lanes, group);
      } else {
        std::ranges::copy(code, codes.data() + i * code_bytes);
      }
    }
    return OkStatus();
  };
  return ForParts(segment, range, cancel, encode);
}

Status AssignVectors(const SegmentReader& segment, const Centroids& centroids,
                     const CodingRange& range, std::span<std::uint16_t> assignments,
                     const base::CancelToken& cancel) {
  const auto assign = [&](VectorReader& reader, std::uint64_t first,
                          std::uint64_t count) -> Status {
    std::vector<float> vectors;
    std::vector<Centroids::Match> matches;
    for (std::uint64_t done = 0; done < count; done += kBatch) {
      const auto size = std::min<std::size_t>(kBatch, count - done);
      vectors.resize(size * segment.dims());
      matches.resize(size);
      SIGHTLINE_RETURN_IF_ERROR(reader.Read(range.first + first + done, vectors));
      const std::span<const float> batch = vectors;
      centroids.Nearest({std::span(&batch, 1), segment.dims(), kernels::Kernels()}, matches);
      for (std::size_t i = 0; i < size; ++i) {
        assignments[first + done + i] = static_cast<std::uint16_t>(matches[i].centroid);
      }
    }
    return OkStatus();
  };
  return ForParts(segment, range, cancel, assign);
}

void CountPostings(std::span<const std::uint16_t> assignments,
                   std::span<const std::uint64_t> unit_ends, std::span<std::uint64_t> counts) {
  ForPostings(assignments, unit_ends, [&](std::size_t, std::uint16_t list) { ++counts[list]; });
}

void FillPostings(std::span<const std::uint16_t> assignments,
                  std::span<const std::uint64_t> unit_ends, std::span<const std::uint64_t> ends,
                  const ListRange& lists, std::span<std::uint32_t> postings) {
  const std::uint64_t before = lists.first == 0 ? 0 : ends[lists.first - 1];
  std::vector<std::uint64_t> next;
  for (std::size_t list = lists.first; list < lists.end; ++list) {
    next.push_back(list == lists.first ? 0 : ends[list - 1] - before);
  }
  ForPostings(assignments, unit_ends, [&](std::size_t unit, std::uint16_t list) {
    if (list < lists.first || list >= lists.end) return;
    postings[next[list - lists.first]++] = static_cast<std::uint32_t>(unit);
  });
}

}  // namespace sightline::index
