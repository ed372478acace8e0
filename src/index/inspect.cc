#include "index/inspect.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "index/segment_codes.h"
#include "index/segment_reader.h"

namespace sightline::index {

namespace {

std::string Line(const std::string& name, const std::string& value) {
  return name + std::string(14 - name.size(), ' ') + value + "\n";
}

std::string CodecName(const CodecSpec& spec) {
  if (spec.kind == CodecKind::kBit) return "bit, one a dim";
  return (spec.kind == CodecKind::kPq8 ? "pq8, " : "pq4, ") + std::to_string(spec.sub_vectors) +
         " sub-vectors";
}

base::Result<std::string> InspectCodes(std::shared_ptr<const SegmentReader> segment) {
  const format::CodeTrailer trailer = *segment->code_trailer();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto codes, SegmentCodes::Open(std::move(segment), nullptr));
  SIGHTLINE_RETURN_IF_ERROR(codes->Verify());
  std::string text = Line("codes", CodecName(codes->codebook()->codec().spec()));
  text += Line("codebook", "learned from " + std::to_string(trailer.trained_vectors) + " vectors");
  text += Line("lists", std::to_string(trailer.centroids) + ", " +
                            std::to_string(trailer.postings) + " postings");
  return text;
}

}  // namespace

base::Result<std::string> InspectSegment(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segment, SegmentReader::Open(files, path));
  SIGHTLINE_RETURN_IF_ERROR(segment->Verify());
  std::uint64_t most = 0;
  for (std::size_t unit = 0; unit < segment->unit_count(); ++unit) {
    most = std::max(most, segment->first_vector(unit + 1) - segment->first_vector(unit));
  }
  std::string text = Line("segment", path);
  text += Line("version", std::to_string(segment->code_trailer() ? format::kCodedVersion
                                                                 : format::kPlainVersion));
  text += Line("codec", "int8, one scale a vector, groups of 16");
  text += Line("dims", std::to_string(segment->dims()));
  text += Line("units", std::to_string(segment->unit_count()));
  if (segment->unit_count() > 0) {
    text += Line("unit ids", std::to_string(segment->unit_id(0)) + " to " +
                                 std::to_string(segment->unit_id(segment->unit_count() - 1)));
  }
  text += Line("vectors", std::to_string(segment->vector_count()) + ", at most " +
                              std::to_string(most) + " a unit");
  text += Line("blocks", std::to_string(segment->block_count()));
  text += Line("size_bytes", std::to_string(segment->size_bytes()));
  if (segment->code_trailer()) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string codes, InspectCodes(segment));
    text += codes;
  }
  text += Line("checksums", "all match");
  return text;
}

}  // namespace sightline::index
