// multilingual-e5 through ONNX Runtime: sentence vectors and token vectors.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "model/encoder.h"
#include "model/language_means.h"
#include "model/onnx_session.h"
#include "text/tokenizer.h"

namespace sightline::model {

/// Where the model is and what its space is called.
struct E5Options {
  std::filesystem::path model;  ///< `input_ids, attention_mask` → `token_vectors, sentence_vector`.
  std::string registry_name;    ///< "e5-small".
  std::string weights_sha256;  ///< Of the model file and the means together.
  std::string tokenizer_sha256;
  OnnxOptions onnx;
};

/// Opens the encoder. It puts `query: ` or `passage: ` before each text, reads at most 512 tokens,
/// keeps the vectors of the content tokens alone, subtracts the mean of the text's language and
/// normalises. Its `Encode` runs on the calling thread; a vector depends on nothing but its text.
base::Result<std::unique_ptr<TextEncoder>> OpenE5Encoder(
    const E5Options& options, std::unique_ptr<const text::Tokenizer> tokenizer,
    LanguageMeans means);

}  // namespace sightline::model
