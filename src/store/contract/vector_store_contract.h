// What every VectorStore must do. An adapter's test instantiates `VectorStoreContract`.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "store/vector_store.h"

namespace sightline::store {

/// An adapter with its empty storage.
class VectorStoreUnderTest {
 public:
  virtual ~VectorStoreUnderTest() = default;
  /// The adapter.
  virtual VectorStore& vectors() = 0;
  /// Closes the adapter and opens it on the same storage.
  virtual void Reopen() = 0;
};

using VectorStoreFactory = std::function<std::unique_ptr<VectorStoreUnderTest>()>;

/// The suite.
class VectorStoreContract : public testing::TestWithParam<VectorStoreFactory> {
 protected:
  static constexpr int kDims = 32;

  void SetUp() override {
    under_test_ = GetParam()();
    snapshot_.deleted = std::make_shared<index::UnitSet>();
  }
  VectorStore& vectors() { return under_test_->vectors(); }

  static SpaceKey Space(const std::string& id = "space") { return {"default", id, kDims}; }

  static std::vector<float> Random(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count * kDims);
    for (float& value : values) value = normal(random);
    return values;
  }

  /// Writes units [first, last], one to three vectors each by their id, and lists the segment.
  void Add(UnitId first, UnitId last, const SpaceKey& space = Space()) {
    auto writer = vectors().NewWriter(space);
    ASSERT_TRUE(writer.ok()) << writer.status().ToString();
    for (UnitId id = first; id <= last; ++id) {
      const auto added = (*writer)->Add(
          id, Random(1 + static_cast<std::size_t>(id % 3), static_cast<unsigned>(id)));
      ASSERT_TRUE(added.ok()) << added.ToString();
    }
    auto segment = (*writer)->Finish();
    ASSERT_TRUE(segment.ok()) << segment.status().ToString();
    EXPECT_EQ(segment->units, last - first + 1);
    EXPECT_EQ(segment->space_id, space.space_id);
    segment->id = static_cast<std::int64_t>(snapshot_.segments.size()) + 1;
    segment->in_use = std::make_shared<int>(0);
    snapshot_.segments.push_back(*std::move(segment));
    ++snapshot_.commit_number;
  }

  void Delete(UnitId first, UnitId last) {
    auto deleted = std::make_shared<index::UnitSet>(*snapshot_.deleted);
    for (UnitId id = first; id <= last; ++id) deleted->Insert(id);
    snapshot_.deleted = std::move(deleted);
    ++snapshot_.commit_number;
  }

  std::vector<ScoredUnit> Search(const std::vector<float>& query, std::size_t top_k,
                                 const index::UnitSet* filter = nullptr) {
    const auto found =
        vectors().Search({Space(), query, top_k, filter}, snapshot_, base::CancelToken());
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return found.ValueOr({});
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const SegmentRef& segment : snapshot_.segments) files.push_back(segment.file);
    return files;
  }

  /// What the engine does with merges.
  void Apply(const std::vector<VectorStore::Merge>& merges) {
    for (const VectorStore::Merge& merge : merges) {
      for (const SegmentRef& old : merge.replaced) {
        std::erase_if(snapshot_.segments, [&](const SegmentRef& s) { return s.file == old.file; });
      }
      if (merge.merged.units > 0) {
        snapshot_.segments.push_back(merge.merged);
        snapshot_.segments.back().in_use = std::make_shared<int>(0);
      }
      ASSERT_TRUE(vectors().Retire(merge.replaced).ok());
    }
    ++snapshot_.commit_number;
  }

  std::unique_ptr<VectorStoreUnderTest> under_test_;
  Snapshot snapshot_;
};

TEST_P(VectorStoreContract, MatchNamesTheVectorThatAnswersBest) {
  Add(1, 10);
  // Unit 5 has three vectors; each is the best answer to itself.
  const auto query = Random(3, 5);
  const auto matches = vectors().Match({Space(), query}, 5, snapshot_);
  ASSERT_TRUE(matches.ok()) << matches.status().ToString();
  ASSERT_EQ(matches->size(), 3U);
  float sum = 0;
  for (std::uint32_t v = 0; v < 3; ++v) {
    EXPECT_EQ((*matches)[v].vector, v);
    sum += (*matches)[v].similarity;
  }
  EXPECT_NEAR(sum, Search(query, 1).front().score, 1e-3F);
  EXPECT_EQ(vectors().Match({Space(), query}, 11, snapshot_).status().code(),
            base::StatusCode::kNotFound);
  Delete(5, 5);
  EXPECT_EQ(vectors().Match({Space(), query}, 5, snapshot_).status().code(),
            base::StatusCode::kNotFound);
}

TEST_P(VectorStoreContract, UnitIsBestForItsOwnVectors) {
  Add(1, 40);
  Add(41, 60);
  for (const UnitId id : {1, 17, 41, 60}) {
    const auto found =
        Search(Random(1 + static_cast<std::size_t>(id % 3), static_cast<unsigned>(id)), 3);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].id, id);
    EXPECT_GT(found[0].score, found[1].score);
  }
}

TEST_P(VectorStoreContract, ResultsSurviveReopeningAndDoNotDependOnSegments) {
  Add(1, 30);
  const auto query = Random(5, 99);
  const auto expected = Search(query, 30);
  under_test_->Reopen();
  EXPECT_EQ(Search(query, 30), expected);
  snapshot_.segments.clear();
  Add(11, 30);
  Add(1, 10);
  EXPECT_EQ(Search(query, 30), expected);
}

TEST_P(VectorStoreContract, FilterAndDeletesApplyBeforeTopK) {
  Add(1, 50);
  const auto query = Random(2, 7);
  const auto all = Search(query, 50);
  index::UnitSet filter;
  filter.Insert(all[20].id);
  filter.Insert(all[40].id);
  const auto filtered = Search(query, 1, &filter);
  ASSERT_EQ(filtered.size(), 1U);
  EXPECT_EQ(filtered[0], all[20]);
  Delete(all[0].id, all[0].id);
  Delete(all[20].id, all[20].id);
  EXPECT_EQ(Search(query, 1)[0], all[1]);
  EXPECT_EQ(Search(query, 5, &filter), (std::vector<ScoredUnit>{all[40]}));
}

TEST_P(VectorStoreContract, ScoreAgreesWithSearch) {
  Add(1, 20);
  Add(21, 40, Space("another"));
  const auto query = Random(4, 3);
  const auto all = Search(query, 100);
  ASSERT_EQ(all.size(), 20U) << "another space is not looked at";
  Delete(all[2].id, all[2].id);
  const std::vector<UnitId> ask = {all[5].id, all[1].id, all[2].id, 25, 9'999};
  const auto scored =
      vectors().Score({Space(), query, 100, nullptr}, ask, snapshot_, base::CancelToken());
  ASSERT_TRUE(scored.ok());
  EXPECT_EQ(*scored, (std::vector<ScoredUnit>{all[1], all[5]}));
}

TEST_P(VectorStoreContract, EmptySpaceHasNoResults) {
  EXPECT_TRUE(Search(Random(1, 1), 10).empty());
  Add(1, 2);
  EXPECT_TRUE(Search(Random(1, 1), 0).empty());
}

TEST_P(VectorStoreContract, BadVectorsAndQueriesAreRefused) {
  auto writer = *vectors().NewWriter(Space());
  EXPECT_FALSE(writer->Add(1, {}).ok());
  EXPECT_FALSE(writer->Add(1, std::vector<float>(kDims + 1, 1.0F)).ok());
  auto bad = Random(1, 1);
  bad[4] = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(writer->Add(1, bad).ok());
  EXPECT_FALSE(vectors().NewWriter({"default", "space", 0}).ok());
  Add(1, 3);
  const auto refused = [&](const std::vector<float>& query) {
    return vectors()
               .Search({Space(), query, 5, nullptr}, snapshot_, base::CancelToken())
               .status()
               .code() == base::StatusCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused(std::vector<float>(kDims - 1, 1.0F)));
  EXPECT_TRUE(refused(bad));
}

TEST_P(VectorStoreContract, StopsWhenCancelled) {
  Add(1, 3);
  const base::CancelToken cancel;
  cancel.Cancel();
  const auto query = Random(1, 1);
  EXPECT_EQ(vectors().Search({Space(), query, 5, nullptr}, snapshot_, cancel).status().code(),
            base::StatusCode::kCancelled);
}

TEST_P(VectorStoreContract, CompactionChangesNoResult) {
  for (UnitId first = 1; first <= 120; first += 10) Add(first, first + 9);
  Delete(15, 44);
  const auto query = Random(3, 5);
  const auto before = Search(query, 200);
  EXPECT_EQ(before.size(), 90U);
  const auto merges = vectors().Compact(snapshot_, base::CancelToken());
  ASSERT_TRUE(merges.ok()) << merges.status().ToString();
  ASSERT_FALSE(merges->empty());
  EXPECT_EQ(merges->front().merged.clean_until, snapshot_.commit_number);
  Apply(*merges);
  EXPECT_LT(snapshot_.segments.size(), 12U);
  EXPECT_EQ(Search(query, 200), before);
  under_test_->Reopen();
  EXPECT_EQ(Search(query, 200), before);
}

TEST_P(VectorStoreContract, CompactionTakesAwayWhatIsMostlyDeleted) {
  Add(1, 20);
  Add(21, 40);
  EXPECT_TRUE(vectors().Compact(snapshot_, base::CancelToken())->empty());
  Delete(1, 20);
  Delete(21, 30);
  const auto query = Random(1, 2);
  const auto before = Search(query, 100);
  const auto merges = *vectors().Compact(snapshot_, base::CancelToken());
  Apply(merges);
  std::int64_t units = 0;
  for (const SegmentRef& segment : snapshot_.segments) units += segment.units;
  EXPECT_EQ(units, 10);
  EXPECT_EQ(Search(query, 100), before);
}

TEST_P(VectorStoreContract, GarbageIsCollectedAndLiveSegmentsStay) {
  Add(1, 10);
  const auto live = Files();
  Add(11, 20);
  snapshot_.segments.pop_back();
  under_test_->Reopen();
  ASSERT_TRUE(vectors().CollectGarbage(live).ok());
  EXPECT_EQ(Search(Random(1, 1), 100).size(), 10U);
}

}  // namespace sightline::store
