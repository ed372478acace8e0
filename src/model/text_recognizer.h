// Reads one line of text from a picture of it: PP-OCR's recogniser with greedy CTC.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "media/image.h"
#include "model/onnx_session.h"

namespace sightline::model {

/// What one line says.
struct RecognizedText {
  std::string text;      ///< UTF-8, may be empty.
  float confidence = 0;  ///< Mean probability of its characters, 0 where there are none.
};

/// Greedy CTC: `probabilities` is [steps, classes] row-major, class 0 is blank, class i is
/// `characters[i - 1]`. Repeats of a class without a blank between them are one character.
RecognizedText DecodeCtc(std::span<const float> probabilities, std::size_t classes,
                         std::span<const std::string> characters);

/// Thread-safe.
class TextRecognizer {
 public:
  /// The character set is read from the model's metadata key `character`.
  static base::Result<std::unique_ptr<TextRecognizer>> Open(const std::filesystem::path& model,
                                                            const OnnxOptions& onnx);

  /// One result a line picture, in order. Lines of similar width run as one batch; a line wider
  /// than the model reads well is cut at blank columns and put together again.
  base::Result<std::vector<RecognizedText>> Recognize(std::span<const media::Image> lines,
                                                      const base::CancelToken& cancel) const;

 private:
  struct Piece;
  TextRecognizer(std::unique_ptr<OnnxSession> session, std::vector<std::string> characters)
      : session_(std::move(session)), characters_(std::move(characters)) {}
  base::Status RunBatch(std::span<const Piece*> batch, std::vector<RecognizedText>* results,
                        const base::CancelToken& cancel) const;

  const std::unique_ptr<OnnxSession> session_;
  const std::vector<std::string> characters_;
};

}  // namespace sightline::model
