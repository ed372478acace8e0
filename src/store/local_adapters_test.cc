// The contract suites over the embedded adapters.
#include <gtest/gtest.h>

#include "store/contract/blob_store_contract.h"
#include "store/contract/catalog_contract.h"
#include "store/contract/lexical_index_contract.h"
#include "store/contract/temporary_folder.h"
#include "store/contract/vector_store_contract.h"
#include "store/folder_blob_store.h"
#include "store/fts5_lexical_index.h"
#include "store/segment_vector_store.h"
#include "store/sqlite_catalog.h"

namespace sightline::store {
namespace {

/// One data folder that serves every suite.
class LocalUnderTest final : public CatalogUnderTest,
                             public LexicalIndexUnderTest,
                             public BlobStoreUnderTest,
                             public VectorStoreUnderTest {
 public:
  LocalUnderTest() { Open(); }

  Catalog& catalog() override { return *catalog_; }
  LexicalIndex& lexical() override { return *lexical_; }
  BlobStore& blobs() override { return *blobs_; }
  VectorStore& vectors() override { return *vectors_; }
  base::FakeClock& clock() override { return clock_; }

  void Reopen() override {
    lexical_.reset();
    catalog_.reset();
    blobs_.reset();
    vectors_.reset();
    Open();
  }

 private:
  template <typename T>
  static std::unique_ptr<T> Take(base::Result<std::unique_ptr<T>> opened) {
    EXPECT_TRUE(opened.ok()) << opened.status().ToString();
    return *std::move(opened);
  }

  void Open() {
    io::FileSystem& files = io::PosixFileSystem();
    catalog_ = Take(SqliteCatalog::Open(folder_.File("catalog.sqlite"), clock_));
    lexical_ = std::make_unique<Fts5LexicalIndex>(catalog_->database());
    blobs_ = Take(FolderBlobStore::Open(files, folder_.File("blobs")));
    vectors_ = Take(SegmentVectorStore::Open(files, folder_.path()));
  }

  TemporaryFolder folder_;
  base::FakeClock clock_;
  std::unique_ptr<SqliteCatalog> catalog_;
  std::unique_ptr<Fts5LexicalIndex> lexical_;
  std::unique_ptr<FolderBlobStore> blobs_;
  std::unique_ptr<SegmentVectorStore> vectors_;
};

template <typename Port>
std::function<std::unique_ptr<Port>()> Local() {
  return [] { return std::make_unique<LocalUnderTest>(); };
}

INSTANTIATE_TEST_SUITE_P(Sqlite, CatalogContract, testing::Values(Local<CatalogUnderTest>()));
INSTANTIATE_TEST_SUITE_P(Fts5, LexicalIndexContract,
                         testing::Values(Local<LexicalIndexUnderTest>()));
INSTANTIATE_TEST_SUITE_P(Folder, BlobStoreContract, testing::Values(Local<BlobStoreUnderTest>()));
INSTANTIATE_TEST_SUITE_P(Segments, VectorStoreContract,
                         testing::Values(Local<VectorStoreUnderTest>()));

}  // namespace
}  // namespace sightline::store
