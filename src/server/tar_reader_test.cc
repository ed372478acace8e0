#include "server/tar_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::server {
namespace {

std::string Entry(const std::string& path, char type, const std::string& content) {
  std::string header(512, '\0');
  header.replace(0, path.size(), path);
  std::string octal;
  for (size_t size = content.size(); size > 0; size /= 8) {
    octal.insert(octal.begin(), static_cast<char>('0' + size % 8));
  }
  octal.insert(0, 11 - octal.size(), '0');
  header.replace(124, 11, octal);
  header[156] = type;
  header.replace(257, 5, "ustar");
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return header + padded;
}

TEST(TarReaderTest, FilesAreFoundByPath) {
  const std::string archive = Entry("./", '5', "") + Entry("./index.html", '0', "<title>视线") +
                              Entry("./assets/app.js", '0', std::string(600, 'j')) +
                              Entry("empty", '0', "") + std::string(1024, '\0');
  const auto files = ReadTar(archive);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files.at("/index.html"), "<title>视线");
  EXPECT_EQ(files.at("/assets/app.js").size(), 600U);
  EXPECT_EQ(files.at("/empty"), "");
}

TEST(TarReaderTest, ACutArchiveIsReadAsFarAsItGoes) {
  const std::string archive = Entry("a", '0', "1") + Entry("b", '0', std::string(600, 'b'));
  for (size_t size = 0; size < archive.size(); ++size) {
    for (const auto& [path, content] : ReadTar(std::string_view(archive).substr(0, size))) {
      EXPECT_EQ(content.size(), path == "/a" ? 1U : 600U) << size;
    }
  }
  EXPECT_TRUE(ReadTar("").empty());
}

}  // namespace
}  // namespace sightline::server
