// What every BlobStore must do. An adapter's test instantiates `BlobStoreContract`.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/digest.h"
#include "store/blob_store.h"

namespace sightline::store {

/// An adapter with its empty storage.
class BlobStoreUnderTest {
 public:
  virtual ~BlobStoreUnderTest() = default;
  /// The adapter.
  virtual BlobStore& blobs() = 0;
  /// Closes the adapter and opens it on the same storage.
  virtual void Reopen() = 0;
};

using BlobStoreFactory = std::function<std::unique_ptr<BlobStoreUnderTest>()>;

/// The suite.
class BlobStoreContract : public testing::TestWithParam<BlobStoreFactory> {
 protected:
  void SetUp() override { under_test_ = GetParam()(); }
  BlobStore& blobs() { return under_test_->blobs(); }
  std::unique_ptr<BlobStoreUnderTest> under_test_;
};

TEST_P(BlobStoreContract, BytesComeBackByTheirDigest) {
  const std::string bytes("页面\0preview", 14);
  const auto sha256 = blobs().Put(bytes);
  ASSERT_TRUE(sha256.ok()) << sha256.status().ToString();
  EXPECT_EQ(*sha256, base::Sha256Hex(bytes));
  under_test_->Reopen();
  EXPECT_EQ(*blobs().Size(*sha256), 14);
  EXPECT_EQ(*blobs().Read(*sha256, 0, 100), bytes);
  const auto path = blobs().LocalPath(*sha256);
  ASSERT_TRUE(path.ok());
  std::ifstream file(*path, std::ios::binary);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), bytes);
}

TEST_P(BlobStoreContract, RangesAreCutAtTheEnd) {
  const std::string sha256 = *blobs().Put("0123456789");
  EXPECT_EQ(*blobs().Read(sha256, 3, 4), "3456");
  EXPECT_EQ(*blobs().Read(sha256, 8, 100), "89");
  EXPECT_EQ(*blobs().Read(sha256, 10, 1), "");
  EXPECT_EQ(*blobs().Read(sha256, 1'000'000, 1), "");
  EXPECT_EQ(*blobs().Read(sha256, 0, std::int64_t{1} << 62), "0123456789");
  EXPECT_FALSE(blobs().Read(sha256, -1, 1).ok());
  EXPECT_FALSE(blobs().Read(sha256, 0, -1).ok());
}

TEST_P(BlobStoreContract, WrittenInPiecesIsTheSameBlobAndIsKeptOnce) {
  auto writer = *blobs().NewWriter();
  ASSERT_TRUE(writer->Append("half ").ok());
  ASSERT_TRUE(writer->Append("一半").ok());
  EXPECT_EQ(writer->size_bytes(), 11);
  const auto sha256 = writer->Commit();
  ASSERT_TRUE(sha256.ok());
  EXPECT_EQ(*sha256, *blobs().Put("half 一半"));
  EXPECT_FALSE(writer->Append("more").ok());
  EXPECT_EQ(*blobs().List(), (std::vector<std::string>{*sha256}));
}

TEST_P(BlobStoreContract, EmptyBlobIsABlob) {
  const auto sha256 = blobs().Put("");
  ASSERT_TRUE(sha256.ok());
  EXPECT_EQ(*blobs().Size(*sha256), 0);
  EXPECT_EQ(*blobs().Read(*sha256, 0, 1), "");
}

TEST_P(BlobStoreContract, NothingIsVisibleBeforeCommitOrAfterAbandoning) {
  {
    auto writer = *blobs().NewWriter();
    ASSERT_TRUE(writer->Append("never").ok());
    EXPECT_TRUE(blobs().List()->empty());
  }
  EXPECT_TRUE(blobs().List()->empty());
  EXPECT_EQ(blobs().Size(base::Sha256Hex("never")).status().code(), base::StatusCode::kNotFound);
}

TEST_P(BlobStoreContract, RemovedBlobIsGone) {
  const std::string gone = *blobs().Put("gone");
  const std::string kept = *blobs().Put("kept");
  ASSERT_TRUE(blobs().Remove(gone).ok());
  EXPECT_EQ(blobs().Read(gone, 0, 1).status().code(), base::StatusCode::kNotFound);
  EXPECT_EQ(blobs().LocalPath(gone).status().code(), base::StatusCode::kNotFound);
  EXPECT_EQ(blobs().Remove(gone).code(), base::StatusCode::kNotFound);
  EXPECT_EQ(*blobs().List(), (std::vector<std::string>{kept}));
}

TEST_P(BlobStoreContract, WhatIsNoDigestIsRefused) {
  for (const std::string& bad :
       {std::string(), std::string("../../etc/passwd"), std::string(63, 'a'), std::string(64, 'A'),
        std::string(62, 'a') + "/.", std::string(64, '\0')}) {
    EXPECT_EQ(blobs().Size(bad).status().code(), base::StatusCode::kInvalidArgument) << bad;
    EXPECT_EQ(blobs().Read(bad, 0, 1).status().code(), base::StatusCode::kInvalidArgument);
    EXPECT_EQ(blobs().Remove(bad).code(), base::StatusCode::kInvalidArgument);
    EXPECT_EQ(blobs().LocalPath(bad).status().code(), base::StatusCode::kInvalidArgument);
  }
}

TEST_P(BlobStoreContract, ThreadsMayWriteTheSameBytesAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 8; ++i) {
        const auto sha256 = blobs().Put("blob " + std::to_string(i));
        EXPECT_TRUE(sha256.ok()) << sha256.status().ToString();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(blobs().List()->size(), 8U);
}

}  // namespace sightline::store
