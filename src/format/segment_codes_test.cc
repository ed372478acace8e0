#include "format/segment_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "format/segment.h"

namespace sightline::format {
namespace {

constexpr std::uint64_t kDims = 128;

CodeTrailer SmallTrailer() {
  CodeTrailer trailer;
  trailer.codec = CodecKind::kPq4;
  trailer.sub_vectors = 32;
  trailer.centroids = 16;
  trailer.trained_vectors = 1'000;
  trailer.postings = 90;
  trailer.plain_bytes = 1'000;
  trailer.checksums_crc = 0xDEADBEEF;
  return trailer;
}

std::vector<std::byte> FileWith(const CodeTrailer& trailer, std::uint64_t size_bytes) {
  std::vector<std::byte> file(size_bytes);
  std::ranges::copy(EncodeCodeTrailer(trailer), file.end() - kCodeTrailerBytes);
  return file;
}

TEST(SegmentCodesTest, TrailerComesBack) {
  const CodeTrailer trailer = SmallTrailer();
  const auto back = DecodeCodeTrailer(FileWith(trailer, 4'096));
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_EQ(back->codec, CodecKind::kPq4);
  EXPECT_EQ(back->sub_vectors, 32U);
  EXPECT_EQ(back->centroids, 16U);
  EXPECT_EQ(back->trained_vectors, 1'000U);
  EXPECT_EQ(back->postings, 90U);
  EXPECT_EQ(back->plain_bytes, 1'000U);
  EXPECT_EQ(back->checksums_crc, 0xDEADBEEF);
}

TEST(SegmentCodesTest, EveryFlippedBitOfTheTrailerIsFound) {
  for (std::size_t bit = 0; bit < kCodeTrailerBytes * 8; ++bit) {
    auto file = FileWith(SmallTrailer(), 4'096);
    file[file.size() - kCodeTrailerBytes + bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_EQ(DecodeCodeTrailer(file).status().code(), base::StatusCode::kDataLoss) << bit;
  }
}

TEST(SegmentCodesTest, PiecesAreAlignedAndFollowEachOther) {
  const CodeLayout at = LayOutCodes(SmallTrailer(), kDims, 100);
  EXPECT_EQ(at.codebook, 1'024U);
  EXPECT_EQ(at.centroids, at.codebook + kDims * 16 * 4);
  EXPECT_EQ(at.assignments, at.centroids + 33 * 64);
  EXPECT_EQ(at.list_ends, at.assignments + 256);  // 200 bytes, aligned.
  EXPECT_EQ(at.codes, at.list_ends + 16 * 8);
  EXPECT_EQ(at.postings, at.codes + 4 * 32 * 16);  // 100 vectors in groups of 32.
  EXPECT_EQ(at.checksums, at.postings + 384);
  EXPECT_EQ(at.trailer, at.checksums + 64);
  EXPECT_EQ(at.file_bytes, at.trailer + kCodeTrailerBytes);
}

TEST(SegmentCodesTest, CodesOfOtherCodecsLieOneAfterTheOther) {
  CodeTrailer trailer = SmallTrailer();
  trailer.codec = CodecKind::kPq8;
  trailer.sub_vectors = 48;
  EXPECT_EQ(CodeBytes(trailer, 768, 10), 480U);
  trailer.codec = CodecKind::kBit;
  EXPECT_EQ(CodeBytes(trailer, 129, 10), 170U);
  trailer.codec = CodecKind::kPq4;
  trailer.sub_vectors = 3;  // Padded to 4.
  EXPECT_EQ(CodeBytes(trailer, 129, 33), 2U * 4 * 16);
}

TEST(SegmentCodesTest, ImpossibleNumbersAreRefused) {
  const CodeTrailer sound = SmallTrailer();
  const auto check = [&](const CodeTrailer& trailer, std::uint64_t units = 10) {
    const std::uint64_t size = LayOutCodes(sound, kDims, 100).file_bytes;
    return CheckCodeTrailer(trailer, kDims, units, 100, size).code();
  };
  EXPECT_EQ(check(sound), base::StatusCode::kOk);
  CodeTrailer trailer = sound;
  for (const std::uint32_t codec : {0U, 1U, 5U, 0xFFFFFFFFU}) {
    trailer.codec = static_cast<CodecKind>(codec);
    EXPECT_EQ(check(trailer), base::StatusCode::kDataLoss) << codec;
  }
  trailer = sound;
  for (const std::uint32_t sub_vectors : {0U, 3U, 256U, 0xFFFFFFFFU}) {
    trailer.sub_vectors = sub_vectors;
    EXPECT_EQ(check(trailer), base::StatusCode::kDataLoss) << sub_vectors;
  }
  trailer = sound;
  for (const std::uint32_t centroids : {0U, 15U, 32U, kMaxCentroids + 16}) {
    trailer.centroids = centroids;
    EXPECT_EQ(check(trailer), base::StatusCode::kDataLoss) << centroids;
  }
  trailer = sound;
  for (const std::uint64_t postings : {std::uint64_t{9}, std::uint64_t{101}, ~std::uint64_t{0}}) {
    trailer.postings = postings;
    EXPECT_EQ(check(trailer), base::StatusCode::kDataLoss) << postings;
  }
  EXPECT_EQ(check(sound, 91), base::StatusCode::kDataLoss);
}

TEST(SegmentCodesTest, APlainPartThatIsLongerThanTheFileIsRefused) {
  CodeTrailer trailer = SmallTrailer();
  for (const std::uint64_t plain_bytes : {std::uint64_t{4'000}, ~std::uint64_t{0}}) {
    trailer.plain_bytes = plain_bytes;
    EXPECT_EQ(DecodeCodeTrailer(FileWith(trailer, 4'096)).status().code(),
              base::StatusCode::kDataLoss);
  }
  EXPECT_EQ(DecodeCodeTrailer(std::vector<std::byte>(300)).status().code(),
            base::StatusCode::kDataLoss);
  EXPECT_EQ(DecodeCodeTrailer(std::vector<std::byte>(10)).status().code(),
            base::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace sightline::format
