#include "model/registry.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::model {
namespace {

const std::string kDigest(64, 'a');

std::string Registry(const std::string& name, const std::string& file, const std::string& digest,
                     const std::string& size) {
  return "schema = 1\n[[model]]\nname = \"" + name +
         "\"\nkind = \"text\"\nlicence = \"MIT\"\ndims = 384\ndefault = true\n"
         "file = [{ name = \"" +
         file + "\", sha256 = \"" + digest + "\", size_bytes = " + size +
         " }]\n[[model.package]]\nsource = \"pypi:x==1\"\n";
}

TEST(RegistryTest, ReadsAModel) {
  const auto models = ParseRegistry(Registry("e5-small", "model.onnx", kDigest, "12"));
  ASSERT_TRUE(models.ok()) << models.status().ToString();
  ASSERT_EQ(models->size(), 1U);
  const ModelEntry& entry = (*models)[0];
  EXPECT_EQ(entry.kind, "text");
  EXPECT_EQ(entry.dims, 384);
  EXPECT_TRUE(entry.is_default);
  EXPECT_EQ(entry.sources, std::vector<std::string>{"pypi:x==1"});
  ASSERT_NE(entry.FindFile("model.onnx"), nullptr);
  EXPECT_EQ(entry.FindFile("model.onnx")->size_bytes, 12U);
  EXPECT_EQ(entry.FindFile("other"), nullptr);
}

TEST(RegistryTest, WhatIsWrittenIsReadAgain) {
  auto models = ParseRegistry(Registry("e5-small", "onnx/模型.onnx", kDigest, "12"));
  ASSERT_TRUE(models.ok());
  const auto again = ParseRegistry(FormatRegistry((*models)[0]));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ((*again)[0].name, "e5-small");
  EXPECT_EQ((*again)[0].files[0].name, "onnx/模型.onnx");
  EXPECT_EQ((*again)[0].FilesDigest(""), (*models)[0].FilesDigest(""));
}

TEST(RegistryTest, DamageIsToldAndNothingLeavesItsFolder) {
  const std::string good = Registry("a", "b", kDigest, "1");
  const auto with_dims = [&](const std::string& dims) {
    return std::string(good).replace(good.find("384"), 3, dims);
  };
  const std::string bad[] = {"schema = 2\n",
                             with_dims("-1"),
                             with_dims("4097"),
                             "not toml at all [",
                             "schema = 1\nmodel = [3]\n",
                             Registry("../x", "b", kDigest, "1"),
                             Registry("a", "../b", kDigest, "1"),
                             Registry("a", "/etc/passwd", kDigest, "1"),
                             Registry("a", "b", "abc", "1"),
                             Registry("a", "b", kDigest, "-1"),
                             Registry("a", "b", kDigest, "99999999999999"),
                             good + good.substr(good.find("[[model]]"))};
  for (const std::string& text : bad) {
    EXPECT_EQ(ParseRegistry(text).status().code(), base::StatusCode::kDataLoss) << text;
  }
}

TEST(RegistryTest, TheDigestOfAModelDependsOnEveryFileButTheExcepted) {
  ModelEntry entry;
  entry.files = {{"model.onnx", kDigest, 1}, {"tokenizer.bin", kDigest, 1}};
  const std::string before = entry.FilesDigest("tokenizer");
  entry.files[1].sha256 = std::string(64, 'b');
  EXPECT_EQ(entry.FilesDigest("tokenizer"), before);
  entry.files[0].sha256 = std::string(64, 'b');
  EXPECT_NE(entry.FilesDigest("tokenizer"), before);
}

}  // namespace
}  // namespace sightline::model
