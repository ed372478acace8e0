#include "eval/index_bench.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "io/memory_file_system.h"

namespace sightline::eval {
namespace {

/// A `.npy` file of these numbers.
template <typename T>
std::string Npy(const std::string& type, const std::string& shape, const std::vector<T>& numbers) {
  const std::string dictionary =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(dictionary.size());
  file += '\0';
  return file + dictionary +
         std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

std::vector<float> Random(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& number : numbers) number = normal(random);
  return numbers;
}

class IndexBenchTest : public testing::Test {
 protected:
  void SetUp() override {
    Write("vectors.npy", Npy("<f4", "60, 5, 8", Random(2'400, 1)));
    Write("queries.npy", Npy("<f4", "12, 3, 8", Random(288, 2)));
  }
  void Write(const std::string& path, const std::string& content) {
    auto file = files_.OpenForWrite(path, io::WriteMode::kTruncate);
    ASSERT_TRUE(file.ok() && (*file)->Append(content).ok() && (*file)->Close().ok());
  }
  std::string Refusal(const IndexFiles& paths) {
    const auto input = IndexInput::Load(files_, paths);
    EXPECT_EQ(input.status().code(), base::StatusCode::kInvalidArgument);
    return input.status().message();
  }

  io::MemoryFileSystem files_;
};

TEST_F(IndexBenchTest, EveryWayOfSearchingIsMeasuredAgainstTheFloats) {
  const auto input = IndexInput::Load(files_, {"vectors.npy", "", "queries.npy", "", ""});
  ASSERT_TRUE(input.ok()) << input.status().ToString();
  EXPECT_EQ(input->units(), 60U);
  EXPECT_EQ(input->vectors(), 300U);
  IndexBenchOptions options;
  options.candidates = {5, 60};
  options.threads = 2;
  options.segment = "bench.seg";
  const auto report = RunIndexBench(*input, options, files_, {});
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  ASSERT_EQ(report->lines.size(), 5U) << "exact, flat and lists with 5 and 60 candidates";
  EXPECT_EQ(report->codec, "pq4 × 2");
  EXPECT_EQ(report->lists, 64U);
  EXPECT_GT(report->build_seconds, 0);
  const IndexBenchLine& exact = report->lines[0];
  EXPECT_GE(exact.recall, 0.95);
  EXPECT_LT(report->lines[1].recall, exact.recall) << "ten of ten are not among five";
  EXPECT_EQ(report->lines[2].recall, exact.recall) << "all are candidates";
  for (const IndexBenchLine& line : report->lines) {
    EXPECT_GT(line.qps, 0);
    EXPECT_GT(line.qps_threads, 0);
    EXPECT_LE(line.p50_ms, line.p99_ms);
  }
  EXPECT_LT(report->lines[1].hot_bytes, exact.hot_bytes);

  const auto json = boost::json::parse(IndexBenchJson(*report));
  EXPECT_EQ(json.at("results").as_array().size(), 5U);
  EXPECT_EQ(json.at("vectors").as_int64(), 300);
  EXPECT_NE(IndexBenchTable(*report).find("flat, 60 exact"), std::string::npos);

  // What is there is searched as it is.
  const auto again = RunIndexBench(*input, options, files_, {});
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(again->build_seconds, 0);
  EXPECT_EQ(again->lines[1].recall, report->lines[1].recall);
  Write("fewer.npy", Npy("<f4", "59, 5, 8", Random(2'360, 1)));
  const auto fewer = IndexInput::Load(files_, {"fewer.npy", "", "queries.npy", "", ""});
  ASSERT_TRUE(fewer.ok());
  EXPECT_EQ(RunIndexBench(*fewer, options, files_, {}).status().code(),
            base::StatusCode::kInvalidArgument);
}

TEST_F(IndexBenchTest, TooFewVectorsAreComparedExactly) {
  Write("few.npy", Npy("<f4", "20, 2, 8", Random(320, 1)));
  const auto input = IndexInput::Load(files_, {"few.npy", "", "queries.npy", "", ""});
  ASSERT_TRUE(input.ok());
  IndexBenchOptions options;
  options.segment = "few.seg";
  const auto report = RunIndexBench(*input, options, files_, {});
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  ASSERT_EQ(report->lines.size(), 1U);
  EXPECT_EQ(report->lists, 0U);
}

TEST_F(IndexBenchTest, OffsetsCutVectorsIntoUnits) {
  Write("flat.npy", Npy("<f4", "300, 8", Random(2'400, 1)));
  Write("offsets.npy", Npy<std::int64_t>("<i8", "4", {0, 1, 250, 300}));
  const auto input = IndexInput::Load(files_, {"flat.npy", "offsets.npy", "queries.npy", "", ""});
  ASSERT_TRUE(input.ok()) << input.status().ToString();
  EXPECT_EQ(input->units(), 3U);
  const auto numbers = Random(2'400, 1);
  EXPECT_EQ(*input->Unit(0), (std::vector<float>(numbers.begin(), numbers.begin() + 8)));
  EXPECT_EQ(input->Unit(2)->size(), 400U);
  const auto single = IndexInput::Load(files_, {"flat.npy", "", "queries.npy", "", ""});
  ASSERT_TRUE(single.ok());
  EXPECT_EQ(single->units(), 300U) << "one vector a unit";
}

TEST_F(IndexBenchTest, OffsetsCutVectorsIntoQueries) {
  Write("asked.npy", Npy("<f4", "7, 8", Random(56, 2)));
  Write("cuts.npy", Npy<std::int64_t>("<i8", "3", {0, 5, 7}));
  const auto input = IndexInput::Load(files_, {"vectors.npy", "", "asked.npy", "cuts.npy", ""});
  ASSERT_TRUE(input.ok()) << input.status().ToString();
  ASSERT_EQ(input->queries().size(), 2U);
  const auto numbers = Random(56, 2);
  EXPECT_EQ(input->queries()[1], (std::vector<float>(numbers.begin() + 40, numbers.end())));
  Write("cuts.npy", Npy<std::int64_t>("<i8", "3", {0, 5, 8}));
  EXPECT_NE(Refusal({"vectors.npy", "", "asked.npy", "cuts.npy", ""}).find("cuts.npy"),
            std::string::npos);
}

TEST_F(IndexBenchTest, AKnownTruthIsTaken) {
  IndexBenchOptions options;
  options.top_k = 1;
  options.candidates = {60};
  options.segment = "bench.seg";
  std::vector<std::int32_t> numbers(12);
  Write("truth.npy", Npy("<i4", "12, 1", numbers));
  const auto input = IndexInput::Load(files_, {"vectors.npy", "", "queries.npy", "", "truth.npy"});
  ASSERT_TRUE(input.ok()) << input.status().ToString();
  const auto report = RunIndexBench(*input, options, files_, {});
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->truth_seconds, 0);
  EXPECT_LT(report->lines[0].recall, 1) << "unit 0 is not the best of all queries";
  numbers[3] = 60;
  Write("truth.npy", Npy("<i4", "12, 1", numbers));
  EXPECT_NE(Refusal({"vectors.npy", "", "queries.npy", "", "truth.npy"}).find("60 of 60"),
            std::string::npos);
  Write("truth.npy", Npy("<i4", "11, 1", std::vector<std::int32_t>(11)));
  EXPECT_NE(Refusal({"vectors.npy", "", "queries.npy", "", "truth.npy"}).find("12 queries"),
            std::string::npos);
}

TEST_F(IndexBenchTest, WrongArraysAreRefusedByName) {
  const auto offsets = [&](const std::vector<std::int64_t>& numbers) {
    Write("offsets.npy", Npy("<i8", std::to_string(numbers.size()) + ",", numbers));
    return Refusal({"vectors.npy", "offsets.npy", "queries.npy", "", ""});
  };
  for (const auto& numbers : std::vector<std::vector<std::int64_t>>{
           {1, 300}, {0, 5, 5, 300}, {0, 200, 100, 300}, {0, 299}, {0, 301}, {0, -1}, {0}}) {
    EXPECT_NE(offsets(numbers).find("offsets.npy"), std::string::npos);
  }
  Write("other.npy", Npy("<f4", "4, 3, 7", Random(84, 1)));
  EXPECT_NE(Refusal({"vectors.npy", "", "other.npy", "", ""}).find("8 dims"), std::string::npos);
  EXPECT_NE(Refusal({"offsets.npy", "", "queries.npy", "", ""}).find("offsets.npy"),
            std::string::npos);
  Write("broken.npy", "no array");
  EXPECT_NE(Refusal({"broken.npy", "", "queries.npy", "", ""}).find("broken.npy"),
            std::string::npos);
  EXPECT_EQ(IndexInput::Load(files_, {"none.npy", "", "queries.npy", "", ""}).status().code(),
            base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace sightline::eval
