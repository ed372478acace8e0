#include "media/decoder/sniff.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sightline::media {
namespace {

using std::string_view_literals::operator""sv;

TEST(SniffTest, KindsAreKnownByTheirFirstBytes) {
  const struct {
    std::string_view head;
    DocumentKind kind;
    std::string_view media_type;
  } kCases[] = {
      {"%PDF-1.7\n", DocumentKind::kPdf, "application/pdf"},
      {"some mail header\r\n\r\n%PDF-1.4\n", DocumentKind::kPdf, "application/pdf"},
      {"\xFF\xD8\xFF\xE0\0\x10JFIF"sv, DocumentKind::kImage, "image/jpeg"},
      {"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"sv, DocumentKind::kImage, "image/png"},
      {"RIFF\x24\0\0\0WEBPVP8 "sv, DocumentKind::kImage, "image/webp"},
      {"II*\0\x08\0\0\0"sv, DocumentKind::kImage, "image/tiff"},
      {"P6\n2 2\n255\n", DocumentKind::kImage, "image/x-portable-anymap"},
      {"\0\0\0\x20"
       "ftypisom"sv,
       DocumentKind::kVideo, "video/mp4"},
      {"\x1A\x45\xDF\xA3\x01\0\0\0\0\0\0\x1F\x42\x82\x84webm"sv, DocumentKind::kVideo,
       "video/webm"},
      {"RIFF\x24\0\0\0WAVEfmt "sv, DocumentKind::kAudio, "audio/wav"},
      {"ID3\x04\0\0\0\0\0\0"sv, DocumentKind::kAudio, "audio/mpeg"},
      {"Plain words, nothing else.\n", DocumentKind::kText, "text/plain"},
      {"一份中文文本。\n", DocumentKind::kText, "text/plain"},
      {"\xFF\xFEh\0i\0"sv, DocumentKind::kText, "text/plain"},
  };
  for (const auto& test : kCases) {
    const SniffedType type = Sniff(test.head);
    EXPECT_EQ(type.kind, test.kind) << test.media_type;
    EXPECT_EQ(type.media_type, test.media_type);
  }
}

TEST(SniffTest, WhatIsNotSupportedHasAName) {
  const struct {
    std::string_view head;
    std::string_view refusal;
  } kCases[] = {
      {"PK\3\4..........[Content_Types].xml.....word/document.xml", "Word document"},
      {"PK\3\4..........ppt/presentation.xml", "PowerPoint presentation"},
      {"PK\3\4..........xl/workbook.xml", "Excel workbook"},
      {"PK\3\4..........photos/1.jpg", "zip archive"},
      {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "old Microsoft Office file"},
      {"<!DOCTYPE html>\n<html>", "web page"},
      {"<svg xmlns='http://www.w3.org/2000/svg'>", "SVG drawing"},
      {"\x7F"
       "ELF\2\1\1",
       "program"},
  };
  for (const auto& test : kCases) {
    const SniffedType type = Sniff(test.head);
    EXPECT_EQ(type.kind, DocumentKind::kUnknown) << test.refusal;
    EXPECT_EQ(type.refusal, test.refusal);
  }
}

TEST(SniffTest, JunkIsNothing) {
  for (const std::string_view junk :
       {""sv, "\0"sv, "\0\1\2\3\4\5\6\7"sv, "\x01\x02 words \x03\x04"sv}) {
    const SniffedType type = Sniff(junk);
    EXPECT_EQ(type.kind, DocumentKind::kUnknown);
    EXPECT_EQ(type.refusal, "");
  }
}

TEST(SniffTest, AnyPrefixIsReadWithinItsBounds) {
  const std::string head = "RIFF\x24";
  for (std::size_t size = 0; size <= head.size(); ++size) {
    EXPECT_EQ(Sniff(head.substr(0, size)).media_type == "image/webp", false);
  }
}

}  // namespace
}  // namespace sightline::media
