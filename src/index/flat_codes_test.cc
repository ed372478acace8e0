#include "index/flat_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "index/segment_fixture.h"
#include "io/memory_file_system.h"

namespace sightline::index {
namespace {

constexpr std::size_t kDims = 24;

/// Units of 1 to 70 vectors around the unit's own direction, so that they differ.
std::vector<TestUnit> MakeUnits(std::size_t count, UnitId first_id) {
  std::vector<TestUnit> units;
  for (std::size_t i = 0; i < count; ++i) {
    const auto id = first_id + static_cast<UnitId>(i);
    const std::size_t vectors = 1 + (i * 13) % 70;
    TestUnit unit{id, RandomVectors(vectors, kDims, static_cast<unsigned>(id))};
    const auto own = RandomVectors(1, kDims, 10'000 + static_cast<unsigned>(id));
    for (std::size_t v = 0; v < unit.vectors.size(); ++v) unit.vectors[v] += 2 * own[v % kDims];
    units.push_back(std::move(unit));
  }
  return units;
}

class FlatCodesTest : public testing::Test {
 protected:
  void SetUp() override {
    segments_.push_back(MakeSegment(files_, "1.seg", kDims, MakeUnits(150, 1)));
    segments_.push_back(MakeSegment(files_, "2.seg", kDims, MakeUnits(90, 500)));
  }

  std::unique_ptr<const FlatCodes> Build(int threads = 1, std::size_t sub_vectors = 0) {
    FlatCodesOptions options;
    options.sub_vectors = sub_vectors;
    options.training.threads = threads;
    auto codes = FlatCodes::Build(segments_, options, {});
    EXPECT_TRUE(codes.ok()) << codes.status().ToString();
    return codes.ok() ? *std::move(codes) : nullptr;
  }
  /// Vectors like those of a unit.
  static std::vector<float> QueryFor(UnitId id, std::size_t vectors) {
    auto query = RandomVectors(vectors, kDims, 777 + static_cast<unsigned>(id));
    const auto own = RandomVectors(1, kDims, 10'000 + static_cast<unsigned>(id));
    for (std::size_t v = 0; v < query.size(); ++v) query[v] = 0.7F * query[v] + own[v % kDims];
    return query;
  }
  std::vector<ScoredUnit> Exact(const std::vector<float>& query, std::size_t top_k,
                                const Selection& selection = {}) {
    return *ExactSearch(*PrepareQuery(query, kDims), top_k, segments_, selection, {});
  }
  std::vector<ScoredUnit> Flat(const FlatCodes& codes, const std::vector<float>& query,
                               std::size_t top_k, std::size_t candidates,
                               const Selection& selection = {}) {
    auto found = FlatSearch(codes, query, top_k, candidates, segments_, selection, {});
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return *std::move(found);
  }

  io::MemoryFileSystem files_;
  std::vector<std::shared_ptr<const SegmentReader>> segments_;
};

TEST_F(FlatCodesTest, ScoresAreThoseOfTheDecodedVectors) {
  const auto codes = Build();
  const Codec& codec = codes->codec();
  for (const std::size_t rows : {1U, 2U, 9U}) {
    const auto query = QueryFor(3, rows);
    const Pq4Query by_code(codec, query);
    const auto found = codes->Candidates(by_code, 240, {}, {});
    ASSERT_TRUE(found.ok());
    // Each of six entries a vector is rounded by half a step at most.
    double most = 1e-3;
    for (std::size_t row = 0; row < rows; ++row)
      most += 3 * (by_code.Dot(row, 1) - by_code.Dot(row, 0));
    ASSERT_EQ(found->size(), 240U);
    for (const ScoredUnit& unit : *found) {
      const SegmentReader& segment = unit.id < 500 ? *segments_[0] : *segments_[1];
      const auto vectors = segment.UnitVectors(*segment.Find(unit.id));
      std::vector<std::int8_t> stored(kDims);
      std::vector<float> vector(kDims);
      std::vector<std::uint8_t> code(codec.code_bytes());
      std::vector<double> best(rows, -std::numeric_limits<double>::infinity());
      for (std::size_t v = 0; v < vectors->size(); ++v) {
        const float scale = vectors->Load(v, stored);
        for (std::size_t d = 0; d < kDims; ++d) vector[d] = static_cast<float>(stored[d]) * scale;
        codec.Encode(vector, code);
        codec.Decode(code, vector);
        for (std::size_t row = 0; row < rows; ++row) {
          double dot = 0;
          for (std::size_t d = 0; d < kDims; ++d) dot += query[row * kDims + d] * vector[d];
          best[row] = std::max(best[row], dot);
        }
      }
      double sum = 0;
      for (const double dot : best) sum += dot;
      EXPECT_NEAR(unit.score, sum, most) << unit.id;
    }
  }
}

TEST_F(FlatCodesTest, WithAllUnitsAsCandidatesResultsAreExact) {
  const auto codes = Build();
  for (const UnitId id : {7, 99, 533}) {
    const auto query = QueryFor(id, 5);
    EXPECT_EQ(Flat(*codes, query, 20, 240), Exact(query, 20));
    EXPECT_EQ(Flat(*codes, query, 1'000, 0), Exact(query, 1'000)) << "more than there are";
  }
}

TEST_F(FlatCodesTest, AFewCandidatesHoldTheBest) {
  const auto codes = Build();
  std::size_t found = 0;
  for (UnitId id = 1; id <= 100; ++id) {
    const auto query = QueryFor(id, 4);
    std::set<UnitId> best;
    for (const ScoredUnit& unit : Exact(query, 5)) best.insert(unit.id);
    for (const ScoredUnit& unit : Flat(*codes, query, 5, 25)) found += best.contains(unit.id);
  }
  EXPECT_GT(found, 450U) << "of 500, among a tenth of the units";
}

TEST_F(FlatCodesTest, FiltersAndDeletesComeBeforeScoring) {
  const auto codes = Build();
  UnitSet filter;
  for (const UnitId id : {4, 40, 140, 520}) filter.Insert(id);
  UnitSet deleted;
  deleted.Insert(40);
  const Selection selection{&filter, &deleted};
  const auto query = QueryFor(7, 3);
  // Two candidates are enough for two results, although many other units are better.
  EXPECT_EQ(Flat(*codes, query, 2, 3, selection), Exact(query, 2, selection));
  EXPECT_EQ(Flat(*codes, query, 9, 9, selection).size(), 3U);
  UnitSet none;
  EXPECT_TRUE(Flat(*codes, query, 5, 50, {&none, nullptr}).empty());
}

TEST_F(FlatCodesTest, TheSameForAnyNumberOfThreads) {
  const auto one = Build(1);
  const auto three = Build(3);
  const auto query = QueryFor(12, 6);
  const auto expected = one->Candidates(Pq4Query(one->codec(), query), 240, {}, {});
  const auto got = three->Candidates(Pq4Query(three->codec(), query), 240, {}, {});
  EXPECT_EQ(*got, *expected);
}

TEST_F(FlatCodesTest, TheirBytesAreFew) {
  const auto codes = Build();
  std::uint64_t vectors = 0;
  for (const auto& segment : segments_) vectors += segment->vector_count();
  // Six sub-vectors are eight with padding, four bytes a vector; then the places of 240 units.
  EXPECT_LT(codes->hot_bytes(), vectors * 4 + 240 * 16 + 6 * 16 * 4 * 4 + 512);
}

TEST_F(FlatCodesTest, WhatCannotBeMadeIsRefused) {
  const auto code_of = [](const auto& result) { return result.status().code(); };
  EXPECT_EQ(code_of(FlatCodes::Build({}, {}, {})), base::StatusCode::kInvalidArgument);
  FlatCodesOptions options;
  options.sub_vectors = 7;
  EXPECT_EQ(code_of(FlatCodes::Build(segments_, options, {})), base::StatusCode::kInvalidArgument);
  std::vector<std::shared_ptr<const SegmentReader>> few = {
      MakeSegment(files_, "few.seg", kDims, {{1, RandomVectors(100, kDims, 1)}})};
  EXPECT_EQ(code_of(FlatCodes::Build(few, {}, {})), base::StatusCode::kFailedPrecondition);
  segments_.push_back(MakeSegment(files_, "other.seg", 8, {{900, RandomVectors(3, 8, 1)}}));
  EXPECT_EQ(code_of(FlatCodes::Build(segments_, {}, {})), base::StatusCode::kInvalidArgument);
  segments_.pop_back();
  const auto codes = Build();
  EXPECT_EQ(code_of(FlatSearch(*codes, RandomVectors(1, 8, 1), 5, 5, segments_, {}, {})),
            base::StatusCode::kInvalidArgument);
  const base::CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(code_of(FlatCodes::Build(segments_, {}, cancel)), base::StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::index
