#include "format/npy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace sightline::format {
namespace {

/// A file with this dictionary and these bytes behind it, of version 1.0 or 2.0.
std::string File(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string file("\x93NUMPY", 6);
  file += version;
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(dictionary.size() >> (8 * i) & 0xFFU);
  }
  return file + dictionary + data;
}

std::span<const std::byte> Bytes(const std::string& file) {
  return std::as_bytes(std::span(file.data(), file.size()));
}

template <typename T>
std::string Raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

TEST(NpyTest, FloatsAreReadAsNumpyWritesThem) {
  const std::string file =
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }          \n",
           Raw<float>({1, 2.5F, -3, 0, 1e-30F, 7}));
  const auto header = ParseNpyHeader(Bytes(file));
  ASSERT_TRUE(header.ok()) << header.status().ToString();
  EXPECT_EQ(header->shape, (std::vector<std::uint64_t>{2, 3}));
  const auto numbers = ReadNpyFloats(Bytes(file), *header, 0, 6);
  ASSERT_TRUE(numbers.ok());
  EXPECT_EQ(*numbers, (std::vector<float>{1, 2.5F, -3, 0, 1e-30F, 7}));
  EXPECT_EQ(*ReadNpyFloats(Bytes(file), *header, 2, 3), (std::vector<float>{-3, 0, 1e-30F}));
  EXPECT_FALSE(ReadNpyIntegers(Bytes(file), *header).ok());
}

TEST(NpyTest, HalvesAreRead) {
  const std::string file =
      File("{'descr': '<f2', 'fortran_order': False, 'shape': (8,), }\n",
           Raw<std::uint16_t>({0x3C00, 0xC000, 0x3555, 0x0001, 0x7BFF, 0x0400, 0x7C00, 0x7E00}));
  const auto header = ParseNpyHeader(Bytes(file));
  ASSERT_TRUE(header.ok());
  const auto numbers = ReadNpyFloats(Bytes(file), *header, 0, 8);
  ASSERT_TRUE(numbers.ok());
  EXPECT_EQ((*numbers)[0], 1);
  EXPECT_EQ((*numbers)[1], -2);
  EXPECT_FLOAT_EQ((*numbers)[2], 0.33325195F);
  EXPECT_FLOAT_EQ((*numbers)[3], 5.9604645e-8F);
  EXPECT_EQ((*numbers)[4], 65504);
  EXPECT_FLOAT_EQ((*numbers)[5], 6.1035156e-5F);
  EXPECT_TRUE(std::isinf((*numbers)[6]));
  EXPECT_TRUE(std::isnan((*numbers)[7]));
}

TEST(NpyTest, IntegersOfBothSizesAreRead) {
  for (const char version : {'\1', '\2', '\3'}) {
    const std::string wide = File("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
                                  Raw<std::int64_t>({-5, std::int64_t{1} << 40U}), version);
    const auto header = ParseNpyHeader(Bytes(wide));
    ASSERT_TRUE(header.ok()) << header.status().ToString();
    EXPECT_EQ(*ReadNpyIntegers(Bytes(wide), *header),
              (std::vector<std::int64_t>{-5, std::int64_t{1} << 40U}));
  }
  const std::string narrow =
      File("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }", Raw<std::int32_t>({-7}));
  EXPECT_EQ(*ReadNpyIntegers(Bytes(narrow), *ParseNpyHeader(Bytes(narrow))),
            (std::vector<std::int64_t>{-7}));
}

TEST(NpyTest, WhatIsNotReadIsRefusedWithTheReason) {
  const auto message = [](const std::string& dictionary) {
    const std::string file = File(dictionary, std::string(64, '\0'));
    const auto header = ParseNpyHeader(Bytes(file));
    EXPECT_EQ(header.status().code(), base::StatusCode::kInvalidArgument) << dictionary;
    return header.status().message();
  };
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"), "'>f4'"));
  EXPECT_TRUE(has(message("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}"), "f2, f4"));
  EXPECT_TRUE(has(message("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}"), "C order"));
  EXPECT_TRUE(has(message("{'descr': '<f4', 'fortran_order': False, 'shape': ()}"), "dimensions"));
  EXPECT_TRUE(
      has(message("{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1)}"), "dimensions"));
  EXPECT_TRUE(has(message("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "dimen"));
  EXPECT_TRUE(has(message("{'descr': '<f4', 'fortran_order': False, 'shape': (17,)}"), "shorter"));
  // 2^32 × 2^32 numbers wrap to none, and 2^64 is no number.
  EXPECT_TRUE(has(message("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, "
                          "4294967296)}"),
                  "shorter"));
  EXPECT_TRUE(
      has(message("{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}"),
          "dim"));
  EXPECT_TRUE(has(message("{}"), "f2, f4"));
  EXPECT_FALSE(ParseNpyHeader({}).ok());
  EXPECT_FALSE(ParseNpyHeader(Bytes(File("{}", "", 4))).ok());
}

TEST(NpyTest, NoCutFileIsRead) {
  const std::string whole =
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }\n", std::string(24, '\1'));
  ASSERT_TRUE(ParseNpyHeader(Bytes(whole)).ok());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    EXPECT_FALSE(ParseNpyHeader(Bytes(cut)).ok()) << size;
  }
}

TEST(NpyTest, AnEmptyArrayIsAnArray) {
  const std::string file =
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 128), }", "");
  const auto header = ParseNpyHeader(Bytes(file));
  ASSERT_TRUE(header.ok());
  EXPECT_TRUE(ReadNpyFloats(Bytes(file), *header, 0, 0)->empty());
}

}  // namespace
}  // namespace sightline::format
