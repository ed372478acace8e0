#include "index/inspect.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "index/segment_codes.h"
#include "index/segment_reader.h"

namespace sightline::index {
namespace {

std::string CodecName(const CodecSpec& spec) {
  if (spec.kind == CodecKind::kBit) return "bit, one a dim";
  return (spec.kind == CodecKind::kPq8 ? "pq8, " : "pq4, ") + std::to_string(spec.sub_vectors) +
         " sub-vectors";
}

base::Status AddCodes(std::shared_ptr<const SegmentReader> segment, SegmentFacts& facts) {
  const format::CodeTrailer trailer = *segment->code_trailer();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto codes, SegmentCodes::Open(std::move(segment), nullptr));
  SIGHTLINE_RETURN_IF_ERROR(codes->Verify());
  facts.emplace_back("codes", CodecName(codes->codebook()->codec().spec()));
  facts.emplace_back("codebook",
                     "learned from " + std::to_string(trailer.trained_vectors) + " vectors");
  facts.emplace_back("lists", std::to_string(trailer.centroids) + ", " +
                                  std::to_string(trailer.postings) + " postings");
  return base::OkStatus();
}

}  // namespace

bool LooksLikeSegment(io::FileSystem& files, const std::string& path) {
  const auto file = files.OpenForRead(path);
  std::array<std::byte, format::kSegmentHeaderBytes> front{};
  return file.ok() && (*file)->ReadExactlyAt(0, front).ok() && format::HasSegmentMagic(front);
}

base::Result<SegmentFacts> InspectSegment(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segment, SegmentReader::Open(files, path));
  SIGHTLINE_RETURN_IF_ERROR(segment->Verify());
  const std::size_t units = segment->unit_count();
  std::uint64_t most = 0;
  for (std::size_t unit = 0; unit < units; ++unit) {
    most = std::max(most, segment->first_vector(unit + 1) - segment->first_vector(unit));
  }
  SegmentFacts facts;
  facts.emplace_back("segment", path);
  facts.emplace_back("version", std::to_string(segment->code_trailer() ? format::kCodedVersion
                                                                       : format::kPlainVersion));
  facts.emplace_back("codec", "int8, one scale a vector, groups of 16");
  facts.emplace_back("dims", std::to_string(segment->dims()));
  facts.emplace_back("units", std::to_string(units));
  if (units > 0) {
    facts.emplace_back("unit ids", std::to_string(segment->unit_id(0)) + " to " +
                                       std::to_string(segment->unit_id(units - 1)));
  }
  facts.emplace_back("vectors", std::to_string(segment->vector_count()) + ", at most " +
                                    std::to_string(most) + " a unit");
  facts.emplace_back("blocks", std::to_string(segment->block_count()));
  facts.emplace_back("size_bytes", std::to_string(segment->size_bytes()));
  if (segment->code_trailer()) SIGHTLINE_RETURN_IF_ERROR(AddCodes(segment, facts));
  facts.emplace_back("checksums", "all match");
  return facts;
}

}  // namespace sightline::index
