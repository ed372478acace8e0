// Codes and lists of a segment: from the file and made in memory.
#include "index/segment_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/digest.h"
#include "format/little_endian.h"
#include "index/merge.h"
#include "index/segment_fixture.h"
#include "index/vector_coding.h"
#include "index/vector_reader.h"
#include "io/memory_file_system.h"
#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

constexpr std::size_t kDims = 24;

SegmentCoding Coding(CodecKind codec = CodecKind::kPq4, int threads = 1) {
  SegmentCoding coding;
  coding.training.codec = codec;
  coding.training.lists = 32;
  coding.training.threads = threads;
  return coding;
}

std::string Bytes(io::FileSystem& files, const std::string& path) {
  return *files.ReadFile(path, 1 << 24);
}

class SegmentCodesTest : public testing::Test {
 protected:
  std::shared_ptr<const SegmentReader> Coded(const std::string& path, const SegmentCoding& coding,
                                             std::size_t units = 150) {
    return MakeSegment(files_, path, kDims, DifferentUnits(units, 1, kDims), coding);
  }

  io::MemoryFileSystem files_;
};

TEST_F(SegmentCodesTest, WhatIsMadeInMemoryIsWhatIsInTheFile) {
  for (const CodecKind codec : {CodecKind::kPq4, CodecKind::kPq8, CodecKind::kBit}) {
    const std::string path = "/" + std::to_string(static_cast<int>(codec));
    const auto segment = Coded(path, Coding(codec));
    const auto stored = SegmentCodes::Open(segment, nullptr);
    ASSERT_TRUE(stored.ok()) << stored.status().ToString();
    ASSERT_TRUE((*stored)->Verify().ok());
    const auto made = SegmentCodes::Encode(segment, (*stored)->codebook(), 3, {});
    ASSERT_TRUE(made.ok()) << made.status().ToString();
    const std::size_t bytes = CodedBytes((*stored)->codebook()->codec(), segment->vector_count());
    const kernels::VectorRange all{0, segment->vector_count()};
    EXPECT_TRUE(
        std::equal(*(*stored)->Codes(all), *(*stored)->Codes(all) + bytes, *(*made)->Codes(all)));
    for (std::size_t list = 0; list < 32; ++list) {
      const std::span<const std::uint32_t> expected = *(*stored)->List(list);
      const std::span<const std::uint32_t> got = *(*made)->List(list);
      EXPECT_TRUE(std::ranges::equal(got, expected)) << list;
    }
    EXPECT_EQ((*stored)->hot_bytes(), (*made)->hot_bytes());
  }
}

TEST_F(SegmentCodesTest, EveryUnitIsInTheListsNearestToItsVectors) {
  const auto segment = Coded("/s", Coding());
  const auto codes = *SegmentCodes::Open(segment, nullptr);
  const Centroids& centroids = codes->codebook()->centroids();
  std::set<std::pair<std::size_t, std::size_t>> expected;
  VectorReader reader(*segment);
  std::vector<float> vector(kDims);
  for (std::size_t unit = 0; unit < segment->unit_count(); ++unit) {
    for (std::uint64_t v = segment->first_vector(unit); v < segment->first_vector(unit + 1); ++v) {
      ASSERT_TRUE(reader.Read(v, vector).ok());
      const std::span<const float> query = vector;
      const kernels::QueryBatch batch(std::span(&query, 1), kDims, kernels::Kernels());
      std::vector<float> scores(centroids.count());
      centroids.Scores(batch, scores);
      const auto best = std::ranges::max_element(scores) - scores.begin();
      EXPECT_EQ(codes->assignments()[v], best);
      expected.insert({static_cast<std::size_t>(best), unit});
    }
  }
  std::set<std::pair<std::size_t, std::size_t>> got;
  std::size_t postings = 0;
  for (std::size_t list = 0; list < centroids.count(); ++list) {
    const std::span<const std::uint32_t> units = *codes->List(list);
    for (const std::uint32_t unit : units) got.insert({list, unit});
    postings += units.size();
    EXPECT_TRUE(std::ranges::is_sorted(units));
  }
  EXPECT_EQ(got, expected);
  EXPECT_EQ(postings, expected.size()) << "each unit once a list";
}

TEST_F(SegmentCodesTest, TheFileIsTheSameForAnyNumberOfThreads) {
  Coded("/one", Coding(CodecKind::kPq4, 1));
  Coded("/three", Coding(CodecKind::kPq4, 3));
  EXPECT_EQ(Bytes(files_, "/one"), Bytes(files_, "/three"));
}

TEST_F(SegmentCodesTest, AddingAThenBIsBuildingBothOnce) {
  const auto all = DifferentUnits(150, 1, kDims);
  MakeSegment(files_, "/once", kDims, all, Coding());
  // Odd and even units in two segments, then merged.
  std::array<std::vector<TestUnit>, 2> halves;
  for (const TestUnit& unit : all) halves[static_cast<std::size_t>(unit.id % 2)].push_back(unit);
  const std::vector<std::shared_ptr<const SegmentReader>> parts = {
      MakeSegment(files_, "/even", kDims, halves[0]),
      MakeSegment(files_, "/odd", kDims, halves[1])};
  ASSERT_TRUE(MergeSegments(files_, "/merged", parts, {nullptr, Coding()}, {}).ok());
  EXPECT_EQ(Bytes(files_, "/merged"), Bytes(files_, "/once"));
  // And once more, with the codebook that is there.
  SegmentCoding known = Coding();
  known.codebook =
      (*SegmentCodes::Open(*SegmentReader::Open(files_, "/once"), nullptr))->codebook();
  ASSERT_TRUE(MergeSegments(files_, "/again", parts, {nullptr, known}, {}).ok());
  EXPECT_EQ(Bytes(files_, "/again"), Bytes(files_, "/once"));
}

TEST_F(SegmentCodesTest, AUnitThatDoesNotExistIsFoundBehindRightChecksums) {
  const auto segment = Coded("/s", Coding());
  format::CodeTrailer trailer = *segment->code_trailer();
  const auto at = format::LayOutCodes(trailer, kDims, segment->vector_count());
  std::string bytes = Bytes(files_, "/s");
  const auto file = std::as_writable_bytes(std::span(bytes));
  format::StoreLittleEndian(file, at.postings, std::uint32_t{150});  // There are 0 to 149.
  const std::uint64_t page = (at.postings - at.codebook) / format::kCodePageBytes;
  const std::uint64_t first = at.codebook + page * format::kCodePageBytes;
  const std::uint64_t end = std::min(first + format::kCodePageBytes, at.checksums);
  format::StoreLittleEndian(file, at.checksums + page * sizeof(std::uint32_t),
                            base::Crc32c(file.subspan(first, end - first)));
  const std::uint64_t pages = (at.checksums - at.codebook + 4'095) / 4'096;
  trailer.checksums_crc = base::Crc32c(file.subspan(at.checksums, pages * sizeof(std::uint32_t)));
  std::ranges::copy(format::EncodeCodeTrailer(trailer),
                    file.begin() + static_cast<long>(at.trailer));
  ASSERT_TRUE(files_.WriteFileAtomically("/s", bytes).ok());
  const auto codes = SegmentCodes::Open(*SegmentReader::Open(files_, "/s"), nullptr);
  ASSERT_TRUE(codes.ok()) << codes.status().ToString();
  std::size_t list = 0;  // The first that is not empty.
  while ((*codes)->List(list).ok() && (*codes)->List(list)->empty()) ++list;
  EXPECT_EQ((*codes)->List(list).status().code(), base::StatusCode::kDataLoss);
}

TEST_F(SegmentCodesTest, AnEqualCodebookIsShared) {
  const auto first = *SegmentCodes::Open(Coded("/a", Coding()), nullptr);
  SegmentCoding same = Coding();
  same.codebook = first->codebook();
  const auto second = *SegmentCodes::Open(Coded("/b", same, 60), first->codebook());
  EXPECT_EQ(second->codebook().get(), first->codebook().get());
  SegmentCoding other = Coding();
  other.training.seed = 2;
  const auto third = *SegmentCodes::Open(Coded("/c", other), first->codebook());
  EXPECT_NE(third->codebook()->id(), first->codebook()->id());
}

TEST_F(SegmentCodesTest, WhatCannotBeMadeIsRefused) {
  const auto units = DifferentUnits(150, 1, kDims);
  const auto refusal = [&](const SegmentCoding& coding) {
    return WriteSegment(files_, "/refused", kDims, units, coding).code();
  };
  SegmentCoding coding = Coding();
  coding.training.sub_vectors = 7;
  EXPECT_EQ(refusal(coding), base::StatusCode::kInvalidArgument);
  coding = Coding(CodecKind::kInt8);
  EXPECT_EQ(refusal(coding), base::StatusCode::kInvalidArgument);
  coding = Coding();
  coding.training.lists = 17;
  EXPECT_EQ(refusal(coding), base::StatusCode::kInvalidArgument);
  coding.training.lists = 65'552;
  EXPECT_EQ(refusal(coding), base::StatusCode::kInvalidArgument);
  coding.training.lists = 8'192;
  EXPECT_EQ(refusal(coding), base::StatusCode::kFailedPrecondition) << "fewer vectors than lists";
  EXPECT_EQ(
      WriteSegment(files_, "/few", kDims, {{1, RandomVectors(100, kDims, 1)}}, Coding()).code(),
      base::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(*files_.Exists("/refused"));
  const auto plain = MakeSegment(files_, "/plain", kDims, units);
  EXPECT_EQ(SegmentCodes::Open(plain, nullptr).status().code(),
            base::StatusCode::kFailedPrecondition);
  const auto narrow = MakeSegment(files_, "/narrow", 8, {{1, RandomVectors(3, 8, 1)}});
  const auto codebook = (*SegmentCodes::Open(Coded("/s", Coding()), nullptr))->codebook();
  EXPECT_EQ(SegmentCodes::Encode(narrow, codebook, 1, {}).status().code(),
            base::StatusCode::kInvalidArgument);
  const base::CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(SegmentCodes::Encode(plain, codebook, 1, cancel).status().code(),
            base::StatusCode::kCancelled);
}

TEST_F(SegmentCodesTest, ZeroVectorsAndEqualVectorsAreCodedToo) {
  std::vector<TestUnit> units = {{1, std::vector<float>(kDims * 100, 0.0F)},
                                 {2, std::vector<float>(kDims * 100, 1.0F)},
                                 {3, RandomVectors(200, kDims, 3)}};
  const auto segment = MakeSegment(files_, "/s", kDims, units, Coding());
  const auto codes = SegmentCodes::Open(segment, nullptr);
  ASSERT_TRUE(codes.ok()) << codes.status().ToString();
  EXPECT_TRUE((*codes)->Verify().ok());
}

}  // namespace
}  // namespace sightline::index
