// Runs every fuzz target over its files in fuzz/corpus: seeds and the inputs of past findings.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "fuzz/target.h"

namespace sightline::fuzz {
namespace {

const std::filesystem::path kCorpus = "fuzz/corpus";

std::vector<std::filesystem::path> FilesOf(const Target& target) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus / target.name, error)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, SeedsAndPastFindingsAreHandled) {
  const std::vector<std::filesystem::path> files = FilesOf(GetParam());
  ASSERT_FALSE(files.empty()) << "no seed in " << kCorpus / GetParam().name;
  for (const std::filesystem::path& path : files) {
    SCOPED_TRACE(path);
    std::ifstream file(path, std::ios::binary);
    const std::string input((std::istreambuf_iterator<char>(file)), {});
    ASSERT_LE(input.size(), GetParam().max_bytes);
    GetParam().run(input);
  }
}

TEST_P(FuzzCorpus, EmptyInputIsHandled) { GetParam().run({}); }

TEST(FuzzCorpusFolder, HasNoFilesOfUnknownTargets) {
  std::set<std::string> known;
  for (const Target& target : Targets()) known.emplace(target.name);
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    EXPECT_TRUE(known.contains(entry.path().filename().string())) << entry.path();
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, testing::ValuesIn(Targets()),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace sightline::fuzz
