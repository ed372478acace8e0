#include "store/local_store.h"

#include <gtest/gtest.h>

#include <random>

#include "store/contract/sample_documents.h"
#include "store/contract/temporary_folder.h"

namespace sightline::store {
namespace {

constexpr int kDims = 16;

std::vector<float> Vectors(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> vectors(count * kDims);
  for (float& value : vectors) value = normal(random);
  return vectors;
}

class LocalStoreTest : public testing::Test {
 protected:
  LocalStore Open() {
    auto store = OpenLocalStore({.data_dir = folder_.File("data")});
    EXPECT_TRUE(store.ok()) << store.status().ToString();
    return *std::move(store);
  }

  /// Everything that ingest does with the store for a document of `pages` pages.
  void AddDocument(LocalStore& store, const std::string& id, int pages) {
    const Document document = SampleDocument(id);
    ASSERT_TRUE(store.blobs->Put("bytes of " + id).ok());
    ASSERT_TRUE(store.catalog->CreateDocument(document).ok());
    const auto first = store.catalog->AllocateUnitIds(pages);
    ASSERT_TRUE(first.ok());
    DocumentCommit commit = SampleCommit(document, *first, pages);
    auto writer = store.vectors->NewWriter({"default", "tokens", kDims});
    ASSERT_TRUE(writer.ok());
    for (const Unit& unit : commit.units) {
      ASSERT_TRUE((*writer)->Add(unit.id, Vectors(3, static_cast<unsigned>(unit.id))).ok());
    }
    auto segment = (*writer)->Finish();
    ASSERT_TRUE(segment.ok());
    commit.segments.push_back(*segment);
    const auto preview = store.blobs->Put("preview of " + id);
    ASSERT_TRUE(preview.ok());
    commit.blobs.push_back(*preview);
    const auto number = store.catalog->Commit(commit);
    ASSERT_TRUE(number.ok()) << number.status().ToString();
  }

  std::vector<ScoredUnit> Search(LocalStore& store, unsigned seed) {
    const auto query = Vectors(2, seed);
    const auto snapshot = store.catalog->GetSnapshot("default");
    const auto found = store.vectors->Search({{"default", "tokens", kDims}, query, 5, nullptr},
                                             **snapshot, base::CancelToken());
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return *found;
  }

  TemporaryFolder folder_;
};

TEST_F(LocalStoreTest, WhatWasCommittedIsThereAfterReopening) {
  std::vector<ScoredUnit> before;
  {
    LocalStore store = Open();
    AddDocument(store, "A", 4);
    AddDocument(store, "B", 3);
    before = Search(store, 5);
    EXPECT_EQ(before.size(), 5U);
  }
  LocalStore store = Open();
  EXPECT_EQ(Search(store, 5), before);
  const auto found =
      store.lexical->Search({"default", {"泵"}, 10, nullptr, {}}, base::CancelToken());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->units.size(), 7U);
  EXPECT_EQ(*store.catalog->CheckIntegrity(), std::vector<std::string>());
  EXPECT_EQ(*CheckFiles({.data_dir = folder_.File("data")}, *store.catalog, *store.blobs),
            std::vector<std::string>());
}

TEST_F(LocalStoreTest, GarbageIsCollectedAtStartAndNothingElse) {
  {
    LocalStore store = Open();
    AddDocument(store, "A", 2);
    ASSERT_TRUE(store.blobs->Put("nobody refers to this").ok());
    auto writer = store.vectors->NewWriter({"default", "tokens", kDims});
    ASSERT_TRUE((*writer)->Add(99, Vectors(1, 1)).ok());
    ASSERT_TRUE((*writer)->Finish().ok());
    EXPECT_EQ(store.blobs->List()->size(), 3U);
  }
  LocalStore store = Open();
  EXPECT_EQ(store.blobs->List()->size(), 2U);
  const auto files = io::PosixFileSystem().List(folder_.File("data/segments"));
  EXPECT_EQ(files->size(), 1U);
  EXPECT_EQ(Search(store, 1).size(), 2U);
}

TEST_F(LocalStoreTest, CompactionKeepsResultsAndSnapshotsOfReaders) {
  LocalStore store = Open();
  for (int i = 0; i < 10; ++i) AddDocument(store, "D" + std::to_string(i), 2);
  const auto before = Search(store, 9);
  auto old_snapshot = *store.catalog->GetSnapshot("default");
  ASSERT_EQ(old_snapshot->segments.size(), 10U);
  auto merges = store.vectors->Compact(*old_snapshot, base::CancelToken());
  ASSERT_TRUE(merges.ok()) << merges.status().ToString();
  ASSERT_EQ(merges->size(), 1U);
  for (const auto& merge : *merges) {
    ASSERT_TRUE(store.catalog->ReplaceSegments(merge.replaced, merge.merged).ok());
    ASSERT_TRUE(store.vectors->Retire(merge.replaced).ok());
  }
  merges->clear();
  EXPECT_EQ((*store.catalog->GetSnapshot("default"))->segments.size(), 1U);
  EXPECT_EQ(Search(store, 9), before);
  const auto query = Vectors(2, 9);
  const auto of_old = store.vectors->Search({{"default", "tokens", kDims}, query, 5, nullptr},
                                            *old_snapshot, base::CancelToken());
  ASSERT_TRUE(of_old.ok()) << of_old.status().ToString();
  EXPECT_EQ(*of_old, before);
  EXPECT_EQ(io::PosixFileSystem().List(folder_.File("data/segments"))->size(), 11U);
  old_snapshot.reset();
  EXPECT_EQ(Search(store, 9), before);
  EXPECT_EQ(io::PosixFileSystem().List(folder_.File("data/segments"))->size(), 1U);
}

TEST_F(LocalStoreTest, RemovedDocumentIsGoneFromEveryRouteAndItsSpaceComesBack) {
  LocalStore store = Open();
  AddDocument(store, "A", 2);
  AddDocument(store, "B", 2);
  ASSERT_TRUE(store.catalog->RemoveDocument("A").ok());
  EXPECT_EQ(Search(store, 3).size(), 2U);
  const auto snapshot = *store.catalog->GetSnapshot("default");
  EXPECT_EQ(snapshot->deleted->size(), 2U);
  const auto merges = store.vectors->Compact(*snapshot, base::CancelToken());
  ASSERT_EQ(merges->size(), 1U);
  EXPECT_EQ(merges->front().merged.units, 0);
  ASSERT_TRUE(
      store.catalog->ReplaceSegments(merges->front().replaced, merges->front().merged).ok());
  const auto after = *store.catalog->GetSnapshot("default");
  EXPECT_EQ(after->segments.size(), 1U);
  EXPECT_EQ(after->deleted->size(), 0U) << "deleted ids are forgotten once no segment has them";
  EXPECT_EQ(*store.catalog->CheckIntegrity(), std::vector<std::string>());
}

}  // namespace
}  // namespace sightline::store
