#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "eval/corpus.h"

namespace sightline::eval {
namespace {

class CorpusFileTest : public testing::Test {
 protected:
  std::string path_ = testing::TempDir() + "corpus_file_test.json";
  void TearDown() override { std::filesystem::remove(path_); }
};

TEST_F(CorpusFileTest, WhatWasSavedIsReadBack) {
  Corpus corpus;
  corpus.key_by_document_id = {{"01A", "手册.pdf"}, {"01B", "report \"2025\".pdf"}};
  corpus.failures = {"broken.pdf: the file ends early"};
  corpus.seconds = 12.5;
  ASSERT_TRUE(SaveCorpus(corpus, path_).ok());

  const auto read = LoadCorpus(path_);

  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->key_by_document_id, corpus.key_by_document_id);
  EXPECT_EQ(read->failures, corpus.failures);
  EXPECT_EQ(read->seconds, corpus.seconds);
}

TEST_F(CorpusFileTest, AMissingFileIsNotFound) {
  EXPECT_EQ(LoadCorpus(path_).status().code(), base::StatusCode::kNotFound);
}

TEST_F(CorpusFileTest, SomethingElseIsDataLoss) {
  for (const char* text : {"", "{", "[]", R"({"documents":{"a":1},"failures":[],"seconds":0})"}) {
    std::ofstream(path_, std::ios::trunc) << text;
    EXPECT_EQ(LoadCorpus(path_).status().code(), base::StatusCode::kDataLoss) << text;
  }
}

}  // namespace
}  // namespace sightline::eval
