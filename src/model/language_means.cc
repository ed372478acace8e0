#include "model/language_means.h"

#include <cstdint>
#include <cstring>
#include <utility>

namespace sightline::model {
namespace {

constexpr std::string_view kMagic = "SLMV";
constexpr std::size_t kHeaderBytes = 48;
constexpr std::size_t kLabelBytes = 8;
constexpr std::uint32_t kMaxRows = 256;

std::uint32_t ReadU32(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = (value << 8) | static_cast<std::uint8_t>(bytes[offset + i]);
  }
  return value;
}

std::vector<float> Middle(std::span<const float> a, std::span<const float> b) {
  std::vector<float> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back((a[i] + b[i]) / 2);
  return result;
}

}  // namespace

base::Result<LanguageMeans> LanguageMeans::Parse(std::string_view bytes, int dims) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic) || ReadU32(bytes, 4) != 1) {
    return base::DataLoss("not a file of language means, version 1");
  }
  const std::uint32_t rows = ReadU32(bytes, 12);
  const std::size_t row_bytes = kLabelBytes + static_cast<std::size_t>(dims) * sizeof(float);
  if (ReadU32(bytes, 8) != static_cast<std::uint32_t>(dims) || rows > kMaxRows ||
      bytes.size() != kHeaderBytes + rows * row_bytes) {
    return base::DataLoss("the language means have another size than the encoder's vectors");
  }
  LanguageMeans means;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::string_view entry = bytes.substr(kHeaderBytes + row * row_bytes, row_bytes);
    const std::string_view code = entry.substr(0, 4);
    const text::Language language =
        text::LanguageFromCode(code.substr(0, std::min(code.find('\0'), code.size())));
    auto& target = entry.substr(4, 4) == "pool" ? means.sentence_ : means.token_;
    std::vector<float> values(static_cast<std::size_t>(dims));
    std::memcpy(values.data(), entry.data() + kLabelBytes, values.size() * sizeof(float));
    target[Index(language)] = std::move(values);
  }
  const std::size_t zh = Index(text::Language::kChinese);
  const std::size_t en = Index(text::Language::kEnglish);
  for (auto* kind : {&means.sentence_, &means.token_}) {
    if ((*kind)[zh].empty() || (*kind)[en].empty()) {
      return base::DataLoss("the language means lack Chinese or English");
    }
    (*kind)[Index(text::Language::kOther)] = Middle((*kind)[zh], (*kind)[en]);
  }
  return means;
}

}  // namespace sightline::model
