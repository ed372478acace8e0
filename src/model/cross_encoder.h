// A reranker that reads question and text together (BERT-type, from files that a user brings).
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "io/file_system.h"
#include "model/encoder.h"
#include "model/onnx_session.h"

namespace sightline::model {

/// Where a reranker is and how much it reads.
struct CrossEncoderOptions {
  /// Holds tokenizer.json (WordPiece) and model.onnx, there or in onnx/. Inputs `input_ids`,
  /// `attention_mask` and, where the model has it, `token_type_ids`; output `logits` [batch, 1].
  std::string folder;
  OnnxOptions onnx;
  std::size_t max_tokens = 512;
  /// Of these at most so many are the question's; the text has the rest.
  std::size_t max_query_tokens = 128;
};

/// Opens the model. Scores are the logits as they are: higher is better, negative is legal. A text
/// that is too long is cut at its end.
base::Result<std::unique_ptr<Reranker>> OpenCrossEncoder(const CrossEncoderOptions& options,
                                                         io::FileSystem& files);

}  // namespace sightline::model
