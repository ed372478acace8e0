// Small segments for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/segment_reader.h"
#include "index/segment_writer.h"

namespace sightline::index {

/// `count` vectors of normal deviates.
inline std::vector<float> RandomVectors(std::size_t count, std::size_t dims, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> vectors(count * dims);
  for (float& value : vectors) value = normal(random);
  return vectors;
}

/// A unit to be written.
struct TestUnit {
  UnitId id = 0;
  std::vector<float> vectors;
};

/// `count` units from `first_id` on with 1 to 70 vectors around the unit's own direction, so that
/// units differ.
inline std::vector<TestUnit> DifferentUnits(std::size_t count, UnitId first_id, std::size_t dims) {
  std::vector<TestUnit> units;
  for (std::size_t i = 0; i < count; ++i) {
    const auto id = first_id + static_cast<UnitId>(i);
    const std::size_t vectors = 1 + (i * 13) % 70;
    TestUnit unit{id, RandomVectors(vectors, dims, static_cast<unsigned>(id))};
    const auto own = RandomVectors(1, dims, 10'000 + static_cast<unsigned>(id));
    for (std::size_t v = 0; v < unit.vectors.size(); ++v) unit.vectors[v] += 2 * own[v % dims];
    units.push_back(std::move(unit));
  }
  return units;
}

/// Vectors like those of such a unit.
inline std::vector<float> QueryLike(UnitId id, std::size_t vectors, std::size_t dims) {
  auto query = RandomVectors(vectors, dims, 777 + static_cast<unsigned>(id));
  const auto own = RandomVectors(1, dims, 10'000 + static_cast<unsigned>(id));
  for (std::size_t v = 0; v < query.size(); ++v) query[v] = 0.7F * query[v] + own[v % dims];
  return query;
}

/// Writes a segment, a coded one where `coding` is given.
inline base::Status WriteSegment(io::FileSystem& files, const std::string& path, int dims,
                                 const std::vector<TestUnit>& units,
                                 const std::optional<SegmentCoding>& coding = std::nullopt) {
  const SegmentKind kind = coding ? SegmentKind::kCoded : SegmentKind::kPlain;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, SegmentWriter::Create(files, path, dims, kind));
  for (const TestUnit& unit : units) {
    SIGHTLINE_RETURN_IF_ERROR(writer->Add(unit.id, unit.vectors));
  }
  return coding ? writer->FinishCoded(*coding, {}).status() : writer->Finish().status();
}

/// Writes and opens a segment; fails the test when that does not work.
inline std::shared_ptr<const SegmentReader> MakeSegment(
    io::FileSystem& files, const std::string& path, int dims, const std::vector<TestUnit>& units,
    const std::optional<SegmentCoding>& coding = std::nullopt) {
  const base::Status written = WriteSegment(files, path, dims, units, coding);
  EXPECT_TRUE(written.ok()) << written.ToString();
  auto reader = SegmentReader::Open(files, path);
  EXPECT_TRUE(reader.ok()) << reader.status().ToString();
  return *std::move(reader);
}

}  // namespace sightline::index
