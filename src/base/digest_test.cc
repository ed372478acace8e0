#include "base/digest.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace sightline::base {
namespace {

std::span<const std::byte> Bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Sha256Test, PublishedVectors) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256Test, PiecesGiveTheSameAsTheWhole) {
  const std::string text(10'000, 'x');
  Sha256 hash;
  for (size_t at = 0; at < text.size(); at += 77) {
    hash.Update(std::string_view(text).substr(at, 77));
  }
  EXPECT_EQ(hash.Finish(), Sha256Of(text));
}

TEST(Sha256Test, FieldsDoNotRunIntoEachOther) {
  const auto of = [](std::string_view a, std::string_view b) {
    Sha256 hash;
    hash.UpdateField(a);
    hash.UpdateField(b);
    return hash.Finish();
  };
  EXPECT_NE(of("ab", "c"), of("a", "bc"));
  EXPECT_NE(of("", "abc"), of("abc", ""));
}

TEST(HexTest, GoesThereAndBackAndRefusesTheRest) {
  EXPECT_EQ(HexEncode(Bytes("\x01\xfe")), "01fe");
  EXPECT_EQ(HexEncode(*HexDecode("00FFa5")), "00ffa5");
  EXPECT_FALSE(HexDecode("abc").ok());
  EXPECT_FALSE(HexDecode("zz").ok());
}

TEST(Crc32cTest, PublishedVectors) {
  // RFC 3720 B.4 and the check value of the CRC catalogue.
  EXPECT_EQ(Crc32c(Bytes("123456789")), 0xE3069283U);
  EXPECT_EQ(Crc32c(std::vector<std::byte>(32, std::byte{0})), 0x8A9136AAU);
  EXPECT_EQ(Crc32c(std::vector<std::byte>(32, std::byte{0xFF})), 0x62A8AB43U);
  EXPECT_EQ(Crc32c({}), 0U);
}

TEST(Crc32cTest, BothWaysAgreeAtEverySizeOffsetAndSplit) {
  std::vector<std::byte> data(300);
  SeededRandom random(3);
  random.Fill(data);
  const std::span<const std::byte> all(data);
  for (size_t offset = 0; offset < 9; ++offset) {
    for (size_t size = 0; size < 80; ++size) {
      const auto piece = all.subspan(offset, size);
      const uint32_t whole = Crc32c(piece);
      EXPECT_EQ(whole, Crc32cPortable(piece));
      EXPECT_EQ(whole, Crc32c(piece.subspan(size / 3), Crc32c(piece.first(size / 3))));
    }
  }
}

}  // namespace
}  // namespace sightline::base
