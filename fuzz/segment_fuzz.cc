// Segment files: a small one is written, changed as the input says, and read in every way.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/check.h"
#include "fuzz/byte_source.h"
#include "fuzz/target.h"
#include "index/exact_search.h"
#include "index/inspect.h"
#include "index/merge.h"
#include "index/search.h"
#include "index/segment_codes.h"
#include "index/segment_reader.h"
#include "index/segment_writer.h"
#include "io/memory_file_system.h"

namespace sightline::fuzz {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;

// Writes a file of a few units; the input chooses their number, sizes and values.
void WriteSegment(io::FileSystem& files, const std::string& path, ByteSource& input) {
  const int dims = input.Between(1, 40);
  const bool coded = input.Between(0, 1) == 1;
  const auto kind = coded ? index::SegmentKind::kCoded : index::SegmentKind::kPlain;
  auto writer = index::SegmentWriter::Create(files, path, dims, kind);
  CHECK(writer.ok(), writer.status().ToString());
  const int units = coded ? 40 : input.Between(1, 8);
  for (int unit = 0; unit < units; ++unit) {
    const int vectors = coded ? 5 : input.Between(1, 5);
    std::vector<float> values(static_cast<std::size_t>(vectors * dims));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>((i * 37 + static_cast<std::size_t>(unit)) % 17) - 8;
    }
    const base::Status added = (*writer)->Add(10 + 3 * unit, values);
    CHECK(added.ok(), added.ToString());
  }
  if (!coded) {
    const auto info = (*writer)->Finish();
    CHECK(info.ok(), info.status().ToString());
    return;
  }
  index::SegmentCoding coding;
  coding.training.lists = 16;
  constexpr std::array kCodecs = {index::CodecKind::kPq4, index::CodecKind::kBit};
  coding.training.codec = kCodecs[static_cast<std::size_t>(input.Between(0, 1))];
  const auto info = (*writer)->FinishCoded(coding, {});
  CHECK(info.ok(), info.status().ToString());
}

// The file with bytes replaced, counted from the front or the back, then cut or made longer.
std::string Damage(std::string file, ByteSource& input) {
  const int changes = input.Between(0, 12);
  for (int change = 0; change < changes && !file.empty(); ++change) {
    const std::uint32_t where = input.Word();
    const std::string_view bytes = input.Take(static_cast<std::size_t>(input.Between(1, 16)));
    const std::size_t distance = (where >> 1) % file.size();
    const std::size_t at = (where & 1) != 0 ? file.size() - 1 - distance : distance;
    for (std::size_t i = 0; i < bytes.size() && at + i < file.size(); ++i) file[at + i] = bytes[i];
  }
  if (const int cut = input.Between(0, 255); cut > 0 && cut < 128) {
    file.resize(file.size() - std::min(file.size(), static_cast<std::size_t>(cut)));
  }
  file += input.Rest();
  return file;
}

void ReadEverything(io::FileSystem& files, const std::string& path) {
  // Whether it is refused does not matter, only that it is read within its bounds.
  [[maybe_unused]] const auto inspected = index::InspectSegment(files, path);
  auto opened = index::SegmentReader::Open(files, path);
  if (!opened.ok()) return;
  const std::shared_ptr<const index::SegmentReader> segment = *std::move(opened);
  for (std::size_t unit = 0; unit < segment->unit_count(); ++unit) {
    const auto found = segment->Find(segment->unit_id(unit));
    CHECK(!found || *found < segment->unit_count());
  }
  const std::array segments = {segment};
  const std::vector<float> query(segment->dims() * 2, 0.5F);
  const auto prepared = index::PrepareQuery(query, static_cast<int>(segment->dims()));
  CHECK(prepared.ok(), prepared.status().ToString());
  [[maybe_unused]] const auto best = index::ExactSearch(*prepared, 5, segments, {}, {});
  std::vector<index::UnitId> ids = {0, 10, 13, 1'000'000};
  [[maybe_unused]] const auto scores = index::ExactScores(*prepared, ids, segments, {}, {});
  [[maybe_unused]] const auto merged = index::MergeSegments(files, "/merged", segments, {}, {});
  if (!segment->code_trailer()) return;
  const auto codes = index::SegmentCodes::Open(segment, nullptr);
  if (!codes.ok()) return;
  const std::array indexed = {index::IndexedSegment{segment, *codes}};
  for (const auto path_taken : {index::SearchPath::kFlat, index::SearchPath::kLists}) {
    [[maybe_unused]] const auto found =
        index::Search(query, static_cast<int>(segment->dims()), indexed,
                      {.top_k = 5, .path = path_taken}, {}, {});
  }
}

void Run(std::string_view input) {
  ByteSource source(input);
  io::MemoryFileSystem files(kMaxFileBytes);
  WriteSegment(files, "/segment", source);
  auto whole = files.ReadFile("/segment", kMaxFileBytes);
  CHECK(whole.ok(), whole.status().ToString());
  const base::Status written =
      files.WriteFileAtomically("/damaged", Damage(*std::move(whole), source));
  CHECK(written.ok(), written.ToString());
  ReadEverything(files, "/damaged");
}

const Registration kTarget({.name = "segment", .max_bytes = 1024, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
