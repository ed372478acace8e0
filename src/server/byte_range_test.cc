#include "server/byte_range.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

using Kind = RangeRequest::Kind;

void ExpectPart(const char* header, uint64_t first, uint64_t size_bytes) {
  const RangeRequest request = ParseRange(header, 100);
  EXPECT_EQ(request.kind, Kind::kPart) << header;
  EXPECT_EQ(request.range.first, first) << header;
  EXPECT_EQ(request.range.size_bytes, size_bytes) << header;
}

TEST(ByteRangeTest, PartsAreCutAtTheEnd) {
  ExpectPart("bytes=0-0", 0, 1);
  ExpectPart("bytes=10-19", 10, 10);
  ExpectPart("bytes=90-", 90, 10);
  ExpectPart("bytes=90-1000", 90, 10);
  ExpectPart("bytes=-5", 95, 5);
  ExpectPart("bytes=-500", 0, 100);
}

TEST(ByteRangeTest, BehindTheEndIsUnsatisfiable) {
  for (const char* header : {"bytes=100-", "bytes=100-200", "bytes=-0"}) {
    EXPECT_EQ(ParseRange(header, 100).kind, Kind::kUnsatisfiable) << header;
  }
  EXPECT_EQ(ParseRange("bytes=0-", 0).kind, Kind::kUnsatisfiable);
}

TEST(ByteRangeTest, WhatCannotBeReadIsIgnored) {
  for (const char* header :
       {"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4", "pages=1-2",
        "bytes=1-2x", "bytes=99999999999999999999-", "bytes=--5"}) {
    EXPECT_EQ(ParseRange(header, 100).kind, Kind::kWhole) << header;
  }
}

}  // namespace
}  // namespace sightline::server
