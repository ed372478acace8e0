#include "index/codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace sightline::index {
namespace {

using base::StatusCode;

/// Unit vectors around some directions, as token vectors are.
std::vector<float> UnitVectors(std::size_t count, std::size_t dims, std::uint64_t seed) {
  base::SeededRandom random(seed);
  const auto next = [&] { return static_cast<float>(random.NextUint64() >> 40U) * 0x1p-23F - 1; };
  std::vector<float> topics(32 * dims);
  for (float& value : topics) value = next();
  std::vector<float> vectors(count * dims);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t topic = random.NextUint64() % 32;
    float squared = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      float& value = vectors[i * dims + d];
      value = topics[topic * dims + d] + next();
      squared += value * value;
    }
    for (std::size_t d = 0; d < dims; ++d) vectors[i * dims + d] /= std::sqrt(squared);
  }
  return vectors;
}

std::unique_ptr<Codec> Train(const CodecSpec& spec, std::span<const float> vectors,
                             int threads = 1) {
  CodecTraining training;
  training.rounds = 2;
  training.threads = threads;
  auto codec = TrainCodec(spec, vectors, training, {});
  EXPECT_TRUE(codec.ok()) << codec.status().ToString();
  return codec.ok() ? *std::move(codec) : nullptr;
}

struct Case {
  CodecSpec spec;
  std::size_t code_bytes;
  double least_cosine;
};

class CodecTest : public testing::TestWithParam<Case> {};

TEST_P(CodecTest, CopiesAreCloseAndCodesAreSmall) {
  const Case& expected = GetParam();
  const std::vector<float> vectors = UnitVectors(2'048, expected.spec.dims, 1);
  const auto codec = Train(expected.spec, vectors);
  ASSERT_NE(codec, nullptr);
  EXPECT_EQ(codec->code_bytes(), expected.code_bytes);
  EXPECT_EQ(codec->codebook().size(), CodebookSize(expected.spec));
  const std::vector<float> others = UnitVectors(512, expected.spec.dims, 1);
  const Distortion distortion = MeasureDistortion(*codec, others);
  EXPECT_EQ(distortion.vectors, 512U);
  EXPECT_GT(distortion.mean_cosine, expected.least_cosine);
  EXPECT_LT(distortion.relative_error, 1 - expected.least_cosine * expected.least_cosine);
}

TEST_P(CodecTest, TheSameForAnyNumberOfThreadsAndMadeAgain) {
  const CodecSpec& spec = GetParam().spec;
  const std::vector<float> vectors = UnitVectors(2'048, spec.dims, 2);
  const auto one = Train(spec, vectors, 1);
  const auto three = Train(spec, vectors, 3);
  ASSERT_TRUE(one != nullptr && three != nullptr);
  EXPECT_TRUE(std::ranges::equal(one->codebook(), three->codebook()));
  const auto again = MakeCodec(spec, {one->codebook().begin(), one->codebook().end()});
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  std::vector<std::uint8_t> code(one->code_bytes());
  std::vector<std::uint8_t> code_again(one->code_bytes());
  for (std::size_t i = 0; i < 100; ++i) {
    const auto vector = std::span(vectors).subspan(i * spec.dims, spec.dims);
    one->Encode(vector, code);
    (*again)->Encode(vector, code_again);
    EXPECT_EQ(code, code_again);
  }
}

TEST_P(CodecTest, EncodingACopyGivesItsCode) {
  const CodecSpec& spec = GetParam().spec;
  const std::vector<float> vectors = UnitVectors(2'048, spec.dims, 3);
  const auto codec = Train(spec, vectors);
  std::vector<std::uint8_t> code(codec->code_bytes());
  std::vector<float> copy(spec.dims);
  std::vector<float> second(spec.dims);
  for (std::size_t i = 0; i < 100; ++i) {
    codec->Encode(std::span(vectors).subspan(i * spec.dims, spec.dims), code);
    codec->Decode(code, copy);
    codec->Encode(copy, code);
    codec->Decode(code, second);
    for (std::size_t d = 0; d < spec.dims; ++d) EXPECT_NEAR(copy[d], second[d], 1e-5F);
  }
}

TEST_P(CodecTest, AnyBytesAreACode) {
  const CodecSpec& spec = GetParam().spec;
  const auto codec = Train(spec, UnitVectors(2'048, spec.dims, 4));
  std::vector<float> copy(spec.dims);
  for (const int byte : {0x00, 0x7E, 0xFF}) {
    codec->Decode(std::vector<std::uint8_t>(codec->code_bytes(), static_cast<std::uint8_t>(byte)),
                  copy);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CodecTest,
                         testing::Values(Case{{CodecKind::kInt8, 128, 0}, 132, 0.9999},
                                         Case{{CodecKind::kInt8, 7, 0}, 11, 0.9999},
                                         Case{{CodecKind::kPq4, 128, 32}, 16, 0.82},
                                         Case{{CodecKind::kPq4, 128, 16}, 8, 0.68},
                                         Case{{CodecKind::kPq4, 21, 7}, 4, 0.85},
                                         Case{{CodecKind::kPq8, 768, 48}, 48, 0.75},
                                         Case{{CodecKind::kPq8, 96, 32}, 32, 0.9},
                                         Case{{CodecKind::kBit, 128, 0}, 16, 0.75},
                                         Case{{CodecKind::kBit, 13, 0}, 2, 0.75}),
                         [](const auto& chosen) {
                           return "Kind" +
                                  std::to_string(static_cast<int>(chosen.param.spec.kind)) +
                                  "Dims" + std::to_string(chosen.param.spec.dims) + "Parts" +
                                  std::to_string(chosen.param.spec.sub_vectors);
                         });

TEST(CodecSpecTest, WhatMakesNoSenseIsRefusedByName) {
  const std::vector<float> vectors = UnitVectors(2'048, 8, 1);
  const auto message = [&](const CodecSpec& spec) {
    const auto codec = TrainCodec(spec, vectors, {}, {});
    EXPECT_EQ(codec.status().code(), StatusCode::kInvalidArgument);
    return codec.status().message();
  };
  EXPECT_NE(message({CodecKind::kInt8, 0}).find("1 to 4096"), std::string::npos);
  EXPECT_NE(message({CodecKind::kInt8, 4'097}).find("4097"), std::string::npos);
  EXPECT_NE(message({CodecKind::kPq4, 8, 3}).find("divide"), std::string::npos);
  EXPECT_NE(message({CodecKind::kPq8, 8, 0}).find("divide"), std::string::npos);
  EXPECT_NE(message({static_cast<CodecKind>(9), 8}).find("9"), std::string::npos);
  EXPECT_NE(message({CodecKind::kBit, 7}).find("dims 7"), std::string::npos) << "not a multiple";
}

TEST(CodecSpecTest, TooFewVectorsAreToldFromWrongOnes) {
  const std::vector<float> few = UnitVectors(127, 8, 1);
  EXPECT_EQ(TrainCodec({CodecKind::kPq4, 8, 2}, few, {}, {}).status().code(),
            StatusCode::kFailedPrecondition);
  EXPECT_EQ(TrainCodec({CodecKind::kBit, 8}, std::span(few).first(56), {}, {}).status().code(),
            StatusCode::kFailedPrecondition);
  EXPECT_TRUE(TrainCodec({CodecKind::kInt8, 8}, {}, {}, {}).ok()) << "needs none";
  std::vector<float> broken = UnitVectors(2'048, 8, 1);
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    broken[77] = value;
    EXPECT_EQ(TrainCodec({CodecKind::kPq4, 8, 2}, broken, {}, {}).status().code(),
              StatusCode::kInvalidArgument);
  }
}

TEST(CodecSpecTest, DamagedCodebooksAreRefused) {
  const CodecSpec spec{CodecKind::kPq4, 8, 2};
  std::vector<float> codebook(CodebookSize(spec), 0.5F);
  EXPECT_TRUE(MakeCodec(spec, codebook).ok());
  codebook[3] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(MakeCodec(spec, codebook).status().code(), StatusCode::kDataLoss);
  codebook.pop_back();
  EXPECT_EQ(MakeCodec(spec, codebook).status().code(), StatusCode::kDataLoss);
}

TEST(CodecTrainingTest, TellsItsProgressAndCanBeCancelled) {
  const std::vector<float> vectors = UnitVectors(1'000, 8, 1);
  std::vector<double> told;
  CodecTraining training;
  training.progress = [&](double done) { told.push_back(done); };
  ASSERT_TRUE(TrainCodec({CodecKind::kPq4, 8, 4}, vectors, training, {}).ok());
  EXPECT_EQ(told, (std::vector<double>{0.25, 0.5, 0.75, 1}));
  const base::CancelToken cancel;
  cancel.Cancel();
  training.threads = 2;
  EXPECT_EQ(TrainCodec({CodecKind::kPq4, 8, 4}, vectors, training, cancel).status().code(),
            StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::index
