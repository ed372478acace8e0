// Codes and lists in the life of a space: learned, shared, outgrown. The contract of every
// VectorStore is in contract/.
#include "store/segment_vector_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "index/segment_codes.h"
#include "io/memory_file_system.h"

namespace sightline::store {
namespace {

constexpr int kDims = 16;

std::vector<float> Vectors(UnitId id, std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(id));
  std::normal_distribution<float> normal;
  std::vector<float> vectors(count * kDims);
  for (float& value : vectors) value = normal(random);
  return vectors;
}

/// Small enough for a test: codes from 400 vectors on, and lists wherever there are codes.
SegmentStoreOptions SmallOptions() {
  SegmentStoreOptions options;
  options.least_coded_vectors = 400;
  options.search.thresholds = {0, 0};
  options.search.probes = 8;
  options.search.gathered = 60;
  options.search.reranked = 30;
  return options;
}

class SegmentVectorStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    snapshot_.deleted = std::make_shared<index::UnitSet>();
    Open(SmallOptions());
  }
  void Open(const SegmentStoreOptions& options) {
    store_.reset();
    auto opened = SegmentVectorStore::Open(files_, "/data", options);
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    store_ = *std::move(opened);
  }
  /// A segment of units [first, last], four vectors each.
  void Add(UnitId first, UnitId last) {
    auto writer = store_->NewWriter(kSpace);
    ASSERT_TRUE(writer.ok());
    for (UnitId id = first; id <= last; ++id) {
      ASSERT_TRUE((*writer)->Add(id, Vectors(id, 4)).ok());
    }
    auto segment = (*writer)->Finish();
    ASSERT_TRUE(segment.ok());
    segment->in_use = std::make_shared<int>(0);
    snapshot_.segments.push_back(*std::move(segment));
    ++snapshot_.commit_number;
  }
  /// Compacts and puts the result into the snapshot; how many merges there were.
  std::size_t Compact() {
    const auto merges = store_->Compact(snapshot_, {});
    EXPECT_TRUE(merges.ok()) << merges.status().ToString();
    for (const VectorStore::Merge& merge : *merges) {
      for (const SegmentRef& old : merge.replaced) {
        std::erase_if(snapshot_.segments, [&](const SegmentRef& s) { return s.file == old.file; });
      }
      snapshot_.segments.push_back(merge.merged);
      snapshot_.segments.back().in_use = std::make_shared<int>(0);
      EXPECT_TRUE(store_->Retire(merge.replaced).ok());
    }
    return merges->size();
  }
  std::vector<ScoredUnit> Search(UnitId like, SearchMode mode = SearchMode::kFast) {
    const auto query = Vectors(like, 3);
    const auto found = store_->Search({kSpace, query, 10, nullptr, mode}, snapshot_, {});
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return found.ValueOr({});
  }
  std::vector<std::vector<ScoredUnit>> SearchMany(SearchMode mode = SearchMode::kFast) {
    std::vector<std::vector<ScoredUnit>> found;
    for (UnitId id = 1; id <= 30; ++id) found.push_back(Search(id, mode));
    return found;
  }
  /// The vectors that the codebook of each coded segment was learned from.
  std::vector<std::uint64_t> Learned() {
    std::vector<std::uint64_t> learned;
    for (const SegmentRef& segment : snapshot_.segments) {
      const auto reader = index::SegmentReader::Open(files_, "/data/" + segment.file);
      EXPECT_TRUE(reader.ok());
      const auto& trailer = (*reader)->code_trailer();
      learned.push_back(trailer ? trailer->trained_vectors : 0);
    }
    std::ranges::sort(learned);
    return learned;
  }

  inline static const SpaceKey kSpace{"default", "space", kDims};
  io::MemoryFileSystem files_;
  std::unique_ptr<SegmentVectorStore> store_;
  Snapshot snapshot_;
};

TEST_F(SegmentVectorStoreTest, ALargeSpaceLearnsACodebookAndASmallOneDoesNot) {
  Add(1, 50);
  EXPECT_EQ(Compact(), 0U) << "200 vectors";
  Add(51, 120);
  EXPECT_EQ(Compact(), 1U);
  EXPECT_EQ(Learned(), std::vector<std::uint64_t>{480});
  EXPECT_EQ(Compact(), 0U) << "nothing more to do";
}

TEST_F(SegmentVectorStoreTest, NewUnitsAreFoundAtOnceAndByTheSameCodebook) {
  Add(1, 120);
  Compact();
  Add(121, 121);
  EXPECT_EQ(Search(121).front().id, 121);
  EXPECT_EQ(Compact(), 0U);
  EXPECT_EQ(Learned(), (std::vector<std::uint64_t>{0, 480}));
}

TEST_F(SegmentVectorStoreTest, ResultsAreTheSameAfterReopeningAndCompaction) {
  Add(1, 120);
  Compact();
  for (UnitId id = 121; id < 160; id += 4) Add(id, id + 3);
  auto deleted = std::make_shared<index::UnitSet>();
  for (const UnitId id : {5, 60, 130}) deleted->Insert(id);
  snapshot_.deleted = deleted;
  const auto before = SearchMany();
  EXPECT_NE(before, SearchMany(SearchMode::kExact)) << "codes are in use";
  Open(SmallOptions());
  EXPECT_EQ(SearchMany(), before);
  EXPECT_EQ(Compact(), 1U) << "more than eight segments of a size";
  EXPECT_EQ(SearchMany(), before);
  Open(SmallOptions());
  EXPECT_EQ(SearchMany(), before);
}

TEST_F(SegmentVectorStoreTest, ExactFindsTheTruthWhateverTheCodesSay) {
  Add(1, 200);
  const auto truth = SearchMany();
  Compact();
  EXPECT_NE(SearchMany(), truth);
  EXPECT_EQ(SearchMany(SearchMode::kExact), truth);
}

TEST_F(SegmentVectorStoreTest, AnOutgrownCodebookIsLearnedAnew) {
  Add(1, 120);
  Compact();
  Add(121, 480);
  EXPECT_EQ(Compact(), 1U) << "four times as many: a large plain segment gets codes";
  EXPECT_EQ(Learned(), (std::vector<std::uint64_t>{480, 480}));
  EXPECT_EQ(Compact(), 0U);
  Add(481, 481);
  EXPECT_EQ(Compact(), 1U) << "more than four times as many";
  EXPECT_EQ(Learned(), std::vector<std::uint64_t>{481 * 4});
  EXPECT_EQ(Search(300).front().id, 300);
}

}  // namespace
}  // namespace sightline::store
