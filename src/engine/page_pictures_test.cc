#include "engine/page_pictures.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "store/memory_store.h"

namespace sightline::engine {
namespace {

using base::StatusCode;

/// Draws as many bytes as it was asked pixels, and counts.
class CountingDecoder final : public media::Decoder {
 public:
  base::Status Decode(const media::DecodeRequest&, media::DecodeSink&,
                      const base::CancelToken&) override {
    return base::InvalidArgument("only pages in this test");
  }
  base::Result<media::Image> DecodePicture(const std::string&, int,
                                           const base::CancelToken&) override {
    return base::InvalidArgument("only pages in this test");
  }
  base::Result<media::EncodedImage> DrawPage(const media::DrawRequest& request,
                                             const base::CancelToken&) override {
    ++drawn;
    if (!failure.ok()) return failure;
    return media::EncodedImage{"image/webp",
                               std::string(static_cast<std::size_t>(request.width_px), 'p'),
                               request.width_px, request.page_number};
  }

  std::atomic<int> drawn = 0;
  base::Status failure;
};

class PagePicturesTest : public testing::Test {
 protected:
  PagePictures::Pointer Get(int page, int width_px) {
    const auto picture = pictures_.Get({blob_, page, width_px}, {});
    EXPECT_TRUE(picture.ok()) << picture.status().ToString();
    return picture.ok() ? *picture : nullptr;
  }

  store::MemoryBlobStore blobs_;
  CountingDecoder decoder_;
  const std::string blob_ = *blobs_.Put("%PDF 手册");
  PagePictures pictures_{blobs_, decoder_, 16 * 4096};
};

TEST_F(PagePicturesTest, TheSamePageAtTheSameWidthIsDrawnOnce) {
  EXPECT_EQ(Get(3, 800)->bytes, Get(3, 800)->bytes);
  EXPECT_EQ(decoder_.drawn, 1);
  EXPECT_EQ(Get(3, 1600)->width, 1600);
  EXPECT_EQ(Get(4, 800)->height, 4);
  EXPECT_EQ(decoder_.drawn, 3);
}

TEST_F(PagePicturesTest, ManyWhoAskAtOnceWaitForOneDrawing) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([this] { EXPECT_NE(Get(1, 900), nullptr); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(decoder_.drawn, 1);
}

TEST_F(PagePicturesTest, WhatIsKeptIsBounded) {
  // Each fills more than half of what one shard of the cache may hold.
  for (int page = 1; page <= 64; ++page) Get(page, 3000);
  for (int page = 1; page <= 64; ++page) Get(page, 3000);
  EXPECT_GT(decoder_.drawn, 64 + 32);
  decoder_.drawn = 0;
  Get(1, 5000);
  Get(1, 5000);
  EXPECT_EQ(decoder_.drawn, 2) << "a picture over the bound is not kept";
}

TEST_F(PagePicturesTest, WhatIsWrongWithTheDocumentIsNotFoundAndIsNotKept) {
  for (const auto& failure :
       {base::InvalidArgument("the PDF needs a password"), base::DataLoss("the page is damaged"),
        base::ResourceExhausted("page 1 needs more than 20 s of CPU time")}) {
    decoder_.failure = failure;
    const auto picture = pictures_.Get({blob_, 1, 800}, {});
    EXPECT_EQ(picture.status().code(), StatusCode::kNotFound);
    EXPECT_NE(picture.status().message().find(failure.message()), std::string::npos);
  }
  decoder_.failure = base::DeadlineExceeded("too slow");
  EXPECT_EQ(pictures_.Get({blob_, 1, 800}, {}).status().code(), StatusCode::kDeadlineExceeded);
  decoder_.failure = base::OkStatus();
  EXPECT_NE(Get(1, 800), nullptr);
}

}  // namespace
}  // namespace sightline::engine
