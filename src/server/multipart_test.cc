#include "server/multipart.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

constexpr char kType[] = "multipart/form-data; boundary=XyZ";

std::string Part(const std::string& name, const std::string& content) {
  return "--XyZ\r\nContent-Disposition: form-data; name=\"" + name +
         "\"; filename=\"图.png\"\r\nContent-Type: image/png\r\n\r\n" + content + "\r\n";
}

TEST(MultipartTest, FieldsKeepTheirBytes) {
  const std::string binary("\x89PNG\r\n\r\n\0--XyY", 14);
  auto fields = ParseMultipart(
      kType, Part("query", "视线") + Part("image", binary) + Part("empty", "") + "--XyZ--\r\n");
  ASSERT_TRUE(fields.ok()) << fields.status().ToString();
  EXPECT_EQ(fields->at("query"), "视线");
  EXPECT_EQ(fields->at("image"), binary);
  EXPECT_EQ(fields->at("empty"), "");
}

TEST(MultipartTest, ABoundaryMayBeQuoted) {
  auto fields = ParseMultipart("multipart/form-data; charset=utf-8; boundary=\"XyZ\"",
                               Part("q", "1") + "--XyZ--");
  ASSERT_TRUE(fields.ok());
  EXPECT_EQ(fields->at("q"), "1");
}

TEST(MultipartTest, AFieldThatIsNamedTwiceIsRefusedByName) {
  const auto fields = ParseMultipart(kType, Part("q", "1") + Part("q", "2") + "--XyZ--");
  ASSERT_EQ(fields.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(fields.status().message(), "the form names a field twice: q");
}

TEST(MultipartTest, BrokenFormsAreRefused) {
  const std::string good = Part("q", "1") + "--XyZ--";
  // A form that is cut anywhere before its last delimiter is complete is no form.
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(ParseMultipart(kType, good.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(ParseMultipart("multipart/form-data", good).ok());
  EXPECT_FALSE(ParseMultipart("multipart/form-data; boundary=" + std::string(71, 'x'), good).ok());
  EXPECT_FALSE(ParseMultipart(kType, "--XyZ\r\n\r\n\r\nno name\r\n--XyZ--").ok());
  std::string many;
  for (int i = 0; i < 17; ++i) many += Part(std::to_string(i), "x");
  EXPECT_FALSE(ParseMultipart(kType, many + "--XyZ--").ok());
}

}  // namespace
}  // namespace sightline::server
