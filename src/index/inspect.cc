#include "index/inspect.h"

#include <algorithm>

#include "index/segment_reader.h"

namespace sightline::index {

base::Result<std::string> InspectSegment(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segment, SegmentReader::Open(files, path));
  SIGHTLINE_RETURN_IF_ERROR(segment->Verify());
  std::uint64_t most = 0;
  for (std::size_t unit = 0; unit < segment->unit_count(); ++unit) {
    most = std::max(most, segment->first_vector(unit + 1) - segment->first_vector(unit));
  }
  const auto line = [](const std::string& name, const std::string& value) {
    return name + std::string(14 - name.size(), ' ') + value + "\n";
  };
  std::string text = line("segment", path);
  text += line("version", std::to_string(format::kSegmentVersion));
  text += line("codec", "int8, one scale a vector, groups of 16");
  text += line("dims", std::to_string(segment->dims()));
  text += line("units", std::to_string(segment->unit_count()));
  if (segment->unit_count() > 0) {
    text += line("unit ids", std::to_string(segment->unit_id(0)) + " to " +
                                 std::to_string(segment->unit_id(segment->unit_count() - 1)));
  }
  text += line("vectors", std::to_string(segment->vector_count()) + ", at most " +
                              std::to_string(most) + " a unit");
  text += line("blocks", std::to_string(segment->block_count()));
  text += line("size_bytes", std::to_string(segment->size_bytes()));
  text += line("checksums", "all match");
  return text;
}

}  // namespace sightline::index
