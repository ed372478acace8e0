// Small files of models: the picture preprocessing, the means of languages, the stamp of checked
// files.
#include <cstring>
#include <string>
#include <vector>

#include "base/check.h"
#include "fuzz/byte_source.h"
#include "fuzz/target.h"
#include "model/image_preprocessor.h"
#include "model/language_means.h"
#include "model/verification_stamp.h"

namespace sightline::fuzz {
namespace {

void CheckPreprocessor(std::string_view json) {
  const auto preprocessor = model::ImagePreprocessor::Parse(json);
  if (!preprocessor.ok()) return;
  CHECK(preprocessor->width() >= 1 && preprocessor->width() <= 4096);
  CHECK(preprocessor->height() >= 1 && preprocessor->height() <= 4096);
  // Larger ones only take longer.
  constexpr std::size_t kMaxValues = 3 * 64 * 64;
  if (preprocessor->value_count() > kMaxValues) return;
  media::Image image{.width = 5, .height = 3, .pixels = std::vector<std::uint8_t>(45, 77)};
  std::vector<float> values(preprocessor->value_count());
  [[maybe_unused]] const base::Status status = preprocessor->Prepare(image, values);
}

void CheckMeans(std::string_view bytes) {
  constexpr int kDims = 4;
  const auto means = model::LanguageMeans::Parse(bytes, kDims);
  if (!means.ok()) return;
  for (const auto language :
       {text::Language::kChinese, text::Language::kEnglish, text::Language::kOther}) {
    CHECK(means->sentence(language).size() == kDims && means->token(language).size() == kDims);
  }
}

void CheckStamp(std::string_view content) {
  const std::string written = model::VerificationStamp::Parse(content).Format();
  CHECK(model::VerificationStamp::Parse(written).Format() == written, written);
}

// The first byte says which of them is read.
void Run(std::string_view input) {
  ByteSource source(input);
  switch (source.Byte() % 3) {
    case 0:
      CheckPreprocessor(source.Rest());
      break;
    case 1:
      CheckMeans(source.Rest());
      break;
    default:
      CheckStamp(source.Rest());
  }
}

const Registration kTarget({.name = "model_files", .max_bytes = 2048, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
