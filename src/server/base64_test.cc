#include "server/base64.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

TEST(Base64Test, PublishedVectors) {
  EXPECT_EQ(*Base64Decode(""), "");
  EXPECT_EQ(*Base64Decode("Zg=="), "f");
  EXPECT_EQ(*Base64Decode("Zm8="), "fo");
  EXPECT_EQ(*Base64Decode("Zm9vYmFy"), "foobar");
  EXPECT_EQ(*Base64Decode("6KeG57q/"), "视线");
  EXPECT_EQ(*Base64Decode("Zm9v\r\nYmE"), "fooba");
}

TEST(Base64Test, OtherTextIsRefused) {
  for (const char* text : {"Z", "Zg=", "Zg===", "Zm=9", "Zm9v!", "视线", "Zm9vYg=", "Z-_="}) {
    EXPECT_FALSE(Base64Decode(text).ok()) << text;
  }
}

}  // namespace
}  // namespace sightline::server
