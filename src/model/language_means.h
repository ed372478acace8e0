// What all texts of a language have in common in an encoder's space (means.bin).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/language.h"

namespace sightline::model {

/// The mean sentence vector and the mean token vector of each language, before normalisation.
/// Subtracting them on both sides makes texts of different languages comparable. Immutable.
class LanguageMeans {
 public:
  /// Reads the bytes of means.bin (layout: tools/convert/e5_means.py), which must hold Chinese and
  /// English vectors of `dims`. `kDataLoss` otherwise.
  static base::Result<LanguageMeans> Parse(std::string_view bytes, int dims);

  /// [dims]. A text in another language has half of the Chinese and half of the English mean.
  std::span<const float> sentence(text::Language language) const {
    return sentence_[Index(language)];
  }
  /// [dims], as `sentence`.
  std::span<const float> token(text::Language language) const { return token_[Index(language)]; }

 private:
  static std::size_t Index(text::Language language) { return static_cast<std::size_t>(language); }

  std::vector<float> sentence_[3];  // by Language
  std::vector<float> token_[3];
};

}  // namespace sightline::model
