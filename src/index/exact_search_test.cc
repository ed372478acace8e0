#include "index/exact_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "index/segment_fixture.h"
#include "io/memory_file_system.h"
#include "kernels/quantize_int8.h"

namespace sightline::index {
namespace {

constexpr int kDims = 24;

std::vector<TestUnit> MakeUnits(std::size_t count, std::size_t most_vectors, unsigned seed) {
  std::vector<TestUnit> units;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t vectors = 1 + (i * 7 + seed) % most_vectors;
    units.push_back({static_cast<UnitId>(3 * i + 2),
                     RandomVectors(vectors, kDims, seed + static_cast<unsigned>(i))});
  }
  return units;
}

/// Scores by the definition in double, from the floats.
std::map<UnitId, double> NaiveScores(const std::vector<float>& query,
                                     const std::vector<TestUnit>& units) {
  std::map<UnitId, double> scores;
  for (const TestUnit& unit : units) {
    double sum = 0;
    for (std::size_t q = 0; q < query.size(); q += kDims) {
      double best = -std::numeric_limits<double>::infinity();
      for (std::size_t v = 0; v < unit.vectors.size(); v += kDims) {
        double dot = 0;
        for (std::size_t i = 0; i < kDims; ++i) {
          dot += double{query[q + i]} * double{unit.vectors[v + i]};
        }
        best = std::max(best, dot);
      }
      sum += best;
    }
    scores[unit.id] = sum;
  }
  return scores;
}

/// MaxSim by the definition from the stored codes, one product after the other.
float NaiveStoredScore(const std::vector<float>& query, const SegmentReader& segment,
                       std::size_t unit) {
  const auto stored = segment.UnitVectors(unit);
  EXPECT_TRUE(stored.ok());
  std::vector<std::int8_t> codes(kDims);
  std::vector<std::int8_t> query_codes(kDims);
  float sum = 0;
  for (std::size_t q = 0; q < query.size(); q += kDims) {
    const float query_scale =
        kernels::QuantizeQuery(std::span(query).subspan(q, kDims), query_codes.data());
    float best = -std::numeric_limits<float>::infinity();
    for (std::size_t v = 0; v < stored->size(); ++v) {
      const float scale = stored->Load(v, codes);
      int dot = 0;
      for (std::size_t i = 0; i < kDims; ++i) dot += int{query_codes[i]} * int{codes[i]};
      best = std::max(best, static_cast<float>(dot) * scale);
    }
    sum += best * query_scale;
  }
  return sum;
}

class ExactSearchTest : public testing::Test {
 protected:
  std::vector<ScoredUnit> Search(const std::vector<float>& query, std::size_t top_k,
                                 const Selection& selection = {}) {
    const auto prepared = PrepareQuery(query, kDims);
    EXPECT_TRUE(prepared.ok());
    auto found = ExactSearch(*prepared, top_k, segments_, selection, base::CancelToken());
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return *std::move(found);
  }

  void AddSegment(const std::vector<TestUnit>& units) {
    const std::string path = std::to_string(segments_.size()) + ".seg";
    segments_.push_back(MakeSegment(files_, path, kDims, units));
  }

  io::MemoryFileSystem files_;
  std::vector<std::shared_ptr<const SegmentReader>> segments_;
};

TEST_F(ExactSearchTest, AgreesWithTheDefinition) {
  const auto units = MakeUnits(500, 9, 1);
  AddSegment(units);
  for (const std::size_t queries : {1U, 2U, 5U, 20U}) {
    const auto query = RandomVectors(queries, kDims, 77);
    const auto naive = NaiveScores(query, units);
    const auto found = Search(query, 500);
    ASSERT_EQ(found.size(), 500U);
    for (const ScoredUnit& unit : found) {
      EXPECT_NEAR(unit.score, naive.at(unit.id), 0.25 * static_cast<double>(queries));
    }
  }
}

TEST_F(ExactSearchTest, EqualsANaiveScanOfTheStoredCodesToTheBit) {
  for (unsigned round = 0; round < 12; ++round) {
    io::MemoryFileSystem files;
    const auto units = MakeUnits(150, round % 3 == 0 ? 1 : 90, round);
    segments_ = {MakeSegment(files, "a", kDims, units)};
    UnitSet filter;
    UnitSet deleted;
    for (const TestUnit& unit : units) {
      if ((unit.id + round) % 7 < 5) filter.Insert(unit.id);
      if ((unit.id + round) % 11 == 0) deleted.Insert(unit.id);
    }
    const Selection selection{round % 2 == 0 ? &filter : nullptr, &deleted};
    const auto query = RandomVectors(1 + round, kDims, 200 + round);
    std::vector<ScoredUnit> expected;
    for (std::size_t u = 0; u < segments_[0]->unit_count(); ++u) {
      const UnitId id = segments_[0]->unit_id(u);
      if (!selection.Allows(id)) continue;
      expected.push_back({id, NaiveStoredScore(query, *segments_[0], u)});
    }
    std::sort(expected.begin(), expected.end(), RanksBefore);
    EXPECT_EQ(Search(query, expected.size() + 1, selection), expected) << round;
    expected.resize(10);
    EXPECT_EQ(Search(query, 10, selection), expected) << round;
  }
}

TEST_F(ExactSearchTest, DoesNotDependOnTheLayoutOfSegments) {
  const auto units = MakeUnits(300, 5, 4);
  AddSegment(units);
  const auto query = RandomVectors(4, kDims, 5);
  const auto one = RandomVectors(1, kDims, 6);
  const auto expected = Search(query, 50);
  const auto expected_one = Search(one, 50);
  segments_.clear();
  std::vector<std::vector<TestUnit>> parts(3);
  for (std::size_t i = 0; i < units.size(); ++i) parts[i % 3].push_back(units[i]);
  io::MemoryFileSystem other;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    segments_.push_back(MakeSegment(other, std::to_string(p), kDims, parts[p]));
  }
  EXPECT_EQ(Search(query, 50), expected);
  EXPECT_EQ(Search(one, 50), expected_one);
}

TEST_F(ExactSearchTest, TiesAreOrderedByUnitId) {
  const auto vector = RandomVectors(1, kDims, 1);
  AddSegment({{5, vector}, {9, vector}});
  AddSegment({{2, vector}, {7, vector}});
  const auto found = Search(RandomVectors(3, kDims, 2), 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].id, 2);
  EXPECT_EQ(found[1].id, 5);
  EXPECT_EQ(found[2].id, 7);
}

TEST_F(ExactSearchTest, FilteredOneInAThousandHasFullRecall) {
  const auto units = MakeUnits(1000, 3, 9);
  AddSegment(units);
  UnitSet filter;
  filter.Insert(units[500].id);
  const auto found = Search(RandomVectors(2, kDims, 3), 10, {&filter, nullptr});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, units[500].id);
}

TEST_F(ExactSearchTest, DeletedUnitIsReturnedNever) {
  const auto units = MakeUnits(100, 3, 9);
  AddSegment(units);
  const auto query = RandomVectors(1, kDims, 3);
  UnitSet deleted;
  const UnitId best = Search(query, 1)[0].id;
  deleted.Insert(best);
  for (const ScoredUnit& unit : Search(query, 100, {nullptr, &deleted})) EXPECT_NE(unit.id, best);
  const auto prepared = PrepareQuery(query, kDims);
  const std::vector<UnitId> ask = {best};
  const auto scores =
      ExactScores(*prepared, ask, segments_, {nullptr, &deleted}, base::CancelToken());
  EXPECT_TRUE(scores->empty());
}

TEST_F(ExactSearchTest, TopKBeyondTheCollectionReturnsAll) {
  AddSegment(MakeUnits(3, 2, 1));
  const auto query = RandomVectors(1, kDims, 3);
  EXPECT_EQ(Search(query, 1'000'000'000).size(), 3U);
  EXPECT_TRUE(Search(query, 0).empty());
  segments_.clear();
  EXPECT_TRUE(Search(query, 5).empty());
}

TEST_F(ExactSearchTest, ScoresAreThoseOfSearchAndLeaveOutUnknownUnits) {
  const auto units = MakeUnits(50, 6, 2);
  AddSegment(units);
  const auto query = RandomVectors(7, kDims, 8);
  const auto found = Search(query, 50);
  std::vector<UnitId> ids = {1'000'000, found[3].id, found[1].id, found[1].id};
  const auto prepared = PrepareQuery(query, kDims);
  const auto scores = ExactScores(*prepared, ids, segments_, {}, base::CancelToken());
  ASSERT_TRUE(scores.ok());
  EXPECT_EQ(*scores, (std::vector<ScoredUnit>{found[1], found[3]}));
}

TEST_F(ExactSearchTest, BatchFindsForEachQueryWhatItFindsAlone) {
  AddSegment(MakeUnits(300, 40, 4));
  AddSegment({{1, RandomVectors(3, kDims, 99)}});
  UnitSet filter;
  for (UnitId id = 1; id < 700; ++id) {
    if (id % 5 != 0) filter.Insert(id);
  }
  const Selection selection{&filter, nullptr};
  std::vector<std::vector<float>> queries;
  for (unsigned q = 0; q < 8; ++q) queries.push_back(RandomVectors(1 + 3 * q, kDims, 50 + q));
  const std::vector<std::span<const float>> spans(queries.begin(), queries.end());
  const auto batch = PrepareQueries(spans, kDims);
  ASSERT_TRUE(batch.ok());
  const auto found = ExactSearchBatch(*batch, 20, segments_, selection, base::CancelToken());
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->size(), queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    EXPECT_EQ((*found)[q], Search(queries[q], 20, selection)) << q;
  }
  EXPECT_EQ(ExactSearch(*batch, 20, segments_, {}, base::CancelToken()).status().code(),
            base::StatusCode::kInvalidArgument);
}

TEST_F(ExactSearchTest, BestMatchesAddUpToTheScore) {
  const auto units = MakeUnits(50, 60, 2);
  AddSegment(units);
  const auto query = RandomVectors(7, kDims, 8);
  const auto prepared = PrepareQuery(query, kDims);
  for (const ScoredUnit& unit : Search(query, 50)) {
    const auto matches = BestMatches(*prepared, unit.id, segments_);
    ASSERT_TRUE(matches.ok());
    ASSERT_EQ(matches->size(), 7U);
    float sum = 0;
    for (const kernels::BestMatch& match : *matches) sum += match.similarity;
    EXPECT_EQ(sum, unit.score);
  }
  EXPECT_EQ(BestMatches(*prepared, 1, segments_).status().code(), base::StatusCode::kNotFound);
}

TEST_F(ExactSearchTest, BadQueriesAreRefused) {
  EXPECT_FALSE(PrepareQueries({}, kDims).ok());
  EXPECT_FALSE(PrepareQuery({}, kDims).ok());
  EXPECT_FALSE(PrepareQuery(RandomVectors(1, kDims - 1, 1), kDims).ok());
  EXPECT_FALSE(PrepareQuery(RandomVectors(1, kDims, 1), 0).ok());
  EXPECT_FALSE(PrepareQuery(RandomVectors(1, 4097, 1), 4097).ok());
  EXPECT_FALSE(PrepareQuery(RandomVectors(8193, 1, 1), 1).ok());
  auto query = RandomVectors(1, kDims, 1);
  query[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(PrepareQuery(query, kDims).ok());
  AddSegment(MakeUnits(3, 2, 1));
  const auto other = PrepareQuery(RandomVectors(1, kDims + 1, 1), kDims + 1);
  EXPECT_EQ(ExactSearch(*other, 1, segments_, {}, base::CancelToken()).status().code(),
            base::StatusCode::kInvalidArgument);
}

TEST_F(ExactSearchTest, StopsWhenCancelled) {
  AddSegment(MakeUnits(3, 2, 1));
  const base::CancelToken cancel;
  cancel.Cancel();
  const auto prepared = PrepareQuery(RandomVectors(1, kDims, 1), kDims);
  EXPECT_EQ(ExactSearch(*prepared, 1, segments_, {}, cancel).status().code(),
            base::StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::index
