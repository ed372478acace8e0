// Search by lists and codes against exact search.
#include "index/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "index/code_scorer.h"
#include "index/merge.h"
#include "index/segment_fixture.h"
#include "io/memory_file_system.h"

namespace sightline::index {
namespace {

constexpr std::size_t kDims = 24;

SegmentCoding Coding(CodecKind codec = CodecKind::kPq4) {
  SegmentCoding coding;
  coding.training.codec = codec;
  coding.training.lists = 64;
  return coding;
}

class SearchTest : public testing::Test {
 protected:
  void SetUp() override { segments_ = Layout("/all", {MakeUnits()}); }

  static std::vector<TestUnit> MakeUnits() { return DifferentUnits(240, 1, kDims); }

  /// Segments of these units; the first one is coded, the others share its codebook in memory.
  std::vector<IndexedSegment> Layout(const std::string& name,
                                     const std::vector<std::vector<TestUnit>>& parts,
                                     SegmentCoding coding = Coding()) {
    std::vector<IndexedSegment> segments;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string path = name + std::to_string(i);
      IndexedSegment segment;
      if (i == 0) {
        segment.segment = MakeSegment(files_, path, kDims, parts[i], coding);
        segment.codes = *SegmentCodes::Open(segment.segment, nullptr);
        coding.codebook = segment.codes->codebook();
      } else {
        segment.segment = MakeSegment(files_, path, kDims, parts[i]);
        segment.codes = *SegmentCodes::Encode(segment.segment, coding.codebook, 1, {});
      }
      segments.push_back(std::move(segment));
    }
    return segments;
  }

  static SearchResult Find(std::span<const IndexedSegment> segments,
                           const std::vector<float>& query, const SearchOptions& options,
                           const Selection& selection = {}) {
    const auto found = Search(query, kDims, segments, options, selection, {});
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return found.ValueOr({});
  }
  std::vector<ScoredUnit> Exact(const std::vector<float>& query, std::size_t top_k,
                                const Selection& selection = {}) const {
    return Find(segments_, query, {.top_k = top_k, .path = SearchPath::kExact}, selection).units;
  }
  /// The share of the exact best 5 that a search finds, over many queries.
  double Recall(std::span<const IndexedSegment> segments, const SearchOptions& options) const {
    std::size_t found = 0;
    for (UnitId id = 1; id <= 100; ++id) {
      const auto query = QueryLike(id, 4, kDims);
      std::set<UnitId> best;
      for (const ScoredUnit& unit : Exact(query, 5)) best.insert(unit.id);
      for (const ScoredUnit& unit : Find(segments, query, options).units) {
        found += best.contains(unit.id) ? 1 : 0;
      }
    }
    return static_cast<double>(found) / 500;
  }

  io::MemoryFileSystem files_;
  std::vector<IndexedSegment> segments_;
};

constexpr std::array kFastPaths = {SearchPath::kFlat, SearchPath::kLists};

TEST_F(SearchTest, WithAllUnitsAsCandidatesResultsAreExact) {
  for (const SearchPath path : kFastPaths) {
    for (const UnitId id : {7, 99, 233}) {
      const auto query = QueryLike(id, 5, kDims);
      const SearchOptions all{
          .top_k = 20, .path = path, .probes = 64, .gathered = 240, .reranked = 240};
      EXPECT_EQ(Find(segments_, query, all).units, Exact(query, 20));
      EXPECT_EQ(Find(segments_, query, all).path, path);
      SearchOptions more = all;
      more.top_k = 1'000;
      EXPECT_EQ(Find(segments_, query, more).units, Exact(query, 1'000)) << "more than there are";
    }
  }
}

TEST_F(SearchTest, AFewCandidatesHoldTheBest) {
  EXPECT_GT(Recall(segments_, {.top_k = 5, .path = SearchPath::kFlat, .reranked = 25}), 0.9);
  EXPECT_GT(
      Recall(
          segments_,
          {.top_k = 5, .path = SearchPath::kLists, .probes = 16, .gathered = 120, .reranked = 25}),
      0.9);
}

TEST_F(SearchTest, EveryCodecFindsTheBest) {
  for (const CodecKind codec : {CodecKind::kPq8, CodecKind::kBit}) {
    const auto segments =
        Layout("/" + std::to_string(static_cast<int>(codec)), {MakeUnits()}, Coding(codec));
    EXPECT_GT(Recall(segments, {.top_k = 5, .path = SearchPath::kFlat, .reranked = 60}), 0.9)
        << static_cast<int>(codec);
  }
}

TEST_F(SearchTest, FiltersAndDeletesComeBeforeScoring) {
  UnitSet filter;
  for (const UnitId id : {4, 40, 140, 220}) filter.Insert(id);
  UnitSet deleted;
  deleted.Insert(40);
  const Selection selection{&filter, &deleted};
  const auto query = QueryLike(7, 3, kDims);
  for (const SearchPath path : kFastPaths) {
    // Few candidates are enough, although many other units are better.
    const SearchOptions few{.top_k = 3, .path = path, .probes = 64, .gathered = 3, .reranked = 3};
    EXPECT_EQ(Find(segments_, query, few, selection).units, Exact(query, 3, selection));
    const UnitSet none;
    EXPECT_TRUE(Find(segments_, query, few, {&none, nullptr}).units.empty());
  }
}

TEST_F(SearchTest, AFilterOfOneInAThousandHasFullRecall) {
  // Lists would probe few of the units that pass.
  UnitSet filter;
  filter.Insert(100);
  const auto query = QueryLike(7, 3, kDims);
  const SearchOptions options{.top_k = 10, .path = SearchPath::kLists, .probes = 1};
  const auto found = Find(segments_, query, options, {&filter, nullptr});
  EXPECT_EQ(found.units, Exact(query, 10, {&filter, nullptr}));
  ASSERT_EQ(found.units.size(), 1U);
  EXPECT_EQ(Find(segments_, query, {.top_k = 10}, {&filter, nullptr}).path, SearchPath::kExact);
}

TEST_F(SearchTest, HowUnitsAreSpreadOverSegmentsDoesNotMatter) {
  const auto all = MakeUnits();
  SegmentCoding same = Coding();
  same.codebook = segments_[0].codes->codebook();
  std::array<std::vector<TestUnit>, 3> parts;
  for (const TestUnit& unit : all) parts[static_cast<std::size_t>(unit.id % 3)].push_back(unit);
  const auto spread = Layout("/spread", {parts[0], parts[1], parts[2]}, same);
  UnitSet deleted;
  for (const UnitId id : {3, 90, 91, 200}) deleted.Insert(id);
  std::vector<std::shared_ptr<const SegmentReader>> readers;
  for (const IndexedSegment& segment : spread) readers.push_back(segment.segment);
  ASSERT_TRUE(MergeSegments(files_, "/compacted", readers, {&deleted, same}, {}).ok());
  IndexedSegment compacted;
  compacted.segment = *SegmentReader::Open(files_, "/compacted");
  compacted.codes = *SegmentCodes::Open(compacted.segment, nullptr);
  for (const SearchPath path : kFastPaths) {
    for (UnitId id = 1; id <= 40; ++id) {
      const auto query = QueryLike(id, 4, kDims);
      const SearchOptions options{
          .top_k = 10, .path = path, .probes = 4, .gathered = 40, .reranked = 20};
      const auto expected = Find(segments_, query, options, {nullptr, &deleted}).units;
      EXPECT_EQ(Find(spread, query, options, {nullptr, &deleted}).units, expected) << id;
      EXPECT_EQ(Find(std::span(&compacted, 1), query, options).units, expected) << id;
    }
  }
}

TEST_F(SearchTest, ThePlanGoesBySizeAndFilter) {
  const auto query = QueryLike(3, 2, kDims);
  EXPECT_EQ(Find(segments_, query, {}).path, SearchPath::kExact) << "8,000 vectors";
  // Units of 2,000 vectors, so that few of them make a large space.
  std::vector<TestUnit> large;
  for (UnitId id = 1; id <= 70; ++id) {
    large.push_back({id, RandomVectors(2'000, kDims, static_cast<unsigned>(id))});
  }
  const auto segments = Layout("/large", {large});
  EXPECT_EQ(Find(segments, query, {}).path, SearchPath::kLists) << "140,000 vectors";
  UnitSet half;
  for (UnitId id = 1; id <= 35; ++id) half.Insert(id);
  EXPECT_EQ(Find(segments, query, {}, {&half, nullptr}).path, SearchPath::kFlat);
  EXPECT_EQ(Find(segments, query, {}, {nullptr, &half}).path, SearchPath::kFlat);
  EXPECT_EQ(Find(segments, query, {.path = SearchPath::kExact}).path, SearchPath::kExact);
  std::vector<IndexedSegment> plain = segments;
  plain[0].codes = nullptr;
  EXPECT_EQ(Find(plain, query, {.path = SearchPath::kLists}).path, SearchPath::kExact);
  EXPECT_EQ(Find({}, query, {.path = SearchPath::kLists}).units.size(), 0U);
}

TEST_F(SearchTest, SegmentsOfDifferentCodebooksAreSearchedExactly) {
  SegmentCoding other = Coding();
  other.training.seed = 9;
  auto mixed = segments_;
  mixed.push_back(Layout("/other", {DifferentUnits(150, 1'000, kDims)}, other)[0]);
  const auto query = QueryLike(1'003, 3, kDims);
  const auto found = Find(mixed, query, {.path = SearchPath::kFlat});
  EXPECT_EQ(found.path, SearchPath::kExact);
  EXPECT_GE(found.units.front().id, 1'000);
}

TEST_F(SearchTest, BadQueriesAreRefused) {
  const auto code = [&](const std::vector<float>& query, int dims) {
    return Search(query, dims, segments_, {.path = SearchPath::kFlat}, {}, {}).status().code();
  };
  EXPECT_EQ(code({}, kDims), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(RandomVectors(1, kDims - 1, 1), kDims), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(RandomVectors(1, 8, 1), 8), base::StatusCode::kInvalidArgument);
  auto nan = RandomVectors(2, kDims, 1);
  nan[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(code(nan, kDims), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(std::vector<float>(kDims, 0), kDims), base::StatusCode::kOk) << "zero vector";
  const base::CancelToken cancel;
  cancel.Cancel();
  for (const SearchPath path : kFastPaths) {
    EXPECT_EQ(Search(QueryLike(1, 2, kDims), kDims, segments_, {.path = path}, {}, cancel)
                  .status()
                  .code(),
              base::StatusCode::kCancelled);
  }
}

TEST_F(SearchTest, ADamagedPageIsFoundOnEveryPath) {
  const std::string path = "/damaged";
  const auto intact = MakeSegment(files_, path, kDims, MakeUnits(), Coding());
  const std::size_t size = intact->size_bytes();
  const auto layout = format::LayOutCodes(*intact->code_trailer(), kDims, intact->vector_count());
  std::string bytes = *files_.ReadFile(path, size);
  // In pages of their own: what shares one with the list ends is found when the file is opened.
  for (const std::size_t at : {layout.codes + 8'192, layout.checksums - 8}) {
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
  }
  ASSERT_TRUE(files_.WriteFileAtomically(path, bytes).ok());
  IndexedSegment segment;
  segment.segment = *SegmentReader::Open(files_, path);
  segment.codes = *SegmentCodes::Open(segment.segment, nullptr);
  for (const SearchPath way : kFastPaths) {
    const auto found = Search(QueryLike(1, 2, kDims), kDims, std::span(&segment, 1),
                              {.path = way, .probes = 64}, {}, {});
    EXPECT_EQ(found.status().code(), base::StatusCode::kDataLoss) << SearchPathName(way);
  }
}

TEST(CodeScorerTest, ScoresAreThoseOfTheDecodedVectors) {
  constexpr std::size_t kVectors = 700;
  const auto vectors = RandomVectors(kVectors, kDims, 1);
  const auto query = RandomVectors(9, kDims, 2);
  io::MemoryFileSystem files;
  const std::vector<TestUnit> units = {{1, vectors}};
  for (const CodecKind kind : {CodecKind::kPq4, CodecKind::kPq8}) {
    SegmentCoding coding;
    coding.training.codec = kind;
    coding.training.sub_vectors = 6;
    coding.training.lists = 16;
    if (kind == CodecKind::kPq8) coding.training.sub_vectors = 3;
    const std::string path = "/" + std::to_string(static_cast<int>(kind));
    // pq8 learns 256 centroids from at least eight vectors each.
    std::vector<TestUnit> enough = units;
    enough.push_back({2, RandomVectors(1'500, kDims, 3)});
    const auto segment = MakeSegment(files, path, kDims, enough, coding);
    const auto codes = *SegmentCodes::Open(segment, nullptr);
    const Codec& codec = codes->codebook()->codec();
    const auto scorer = MakeCodeScorer(codec, query);
    const std::array<kernels::VectorRange, 5> ranges = {
        {{0, 1}, {3, 9}, {31, 33}, {0, 700}, {64, 128}}};
    for (const kernels::VectorRange& range : ranges) {
      double expected = 0;
      for (std::size_t row = 0; row < 9; ++row) {
        double best = -std::numeric_limits<double>::infinity();
        for (std::size_t v = range.first; v < range.end; ++v) {
          std::vector<std::uint8_t> code(codec.code_bytes());
          std::vector<float> decoded(kDims);
          codec.Encode(std::span(vectors).subspan(v * kDims, kDims), code);
          codec.Decode(code, decoded);
          double dot = 0;
          for (std::size_t d = 0; d < kDims; ++d) dot += query[row * kDims + d] * decoded[d];
          best = std::max(best, dot);
        }
        expected += best;
      }
      // Entries of pq4 are bytes; int8 vectors give a few other codes than floats do.
      EXPECT_NEAR(scorer->MaxSim(*codes->Codes(range), range), expected, 0.05 * 9 * kDims / 6);
    }
  }
}

}  // namespace
}  // namespace sightline::index
