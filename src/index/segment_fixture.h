// Small segments for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <memory>
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

/// Writes and opens a segment; fails the test when that does not work.
inline std::shared_ptr<const SegmentReader> MakeSegment(io::FileSystem& files,
                                                        const std::string& path, int dims,
                                                        const std::vector<TestUnit>& units) {
  auto writer = SegmentWriter::Create(files, path, dims);
  EXPECT_TRUE(writer.ok()) << writer.status().ToString();
  for (const TestUnit& unit : units) {
    const base::Status added = (*writer)->Add(unit.id, unit.vectors);
    EXPECT_TRUE(added.ok()) << added.ToString();
  }
  const auto info = (*writer)->Finish();
  EXPECT_TRUE(info.ok()) << info.status().ToString();
  auto reader = SegmentReader::Open(files, path);
  EXPECT_TRUE(reader.ok()) << reader.status().ToString();
  return *std::move(reader);
}

}  // namespace sightline::index
