#include "model/text_recognizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "model/line_image.h"

namespace sightline::model {
namespace {

constexpr int kHeight = 48;
/// The recogniser was trained on crops of 320 pixels; narrower ones are padded up to this.
constexpr int kMinWidth = 160;
constexpr int kMaxWidth = 1280;
/// The output holds 18,710 probabilities for each 8 columns: 1,280 columns are 12 MB.
constexpr std::size_t kMaxBatchColumns = 2560;
/// Widths in a batch differ by at most this factor, so that little is spent on padding.
constexpr double kMaxPadding = 1.2;

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = text.find('\n', start);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(start, end - start);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    start = end + 1;
  }
  return lines;
}

/// BGR planes of one line at `offset`; what is right of the line stays 0, as in training.
void FillInput(const media::Image& image, int padded_width, std::span<float> values) {
  const std::size_t plane = static_cast<std::size_t>(padded_width) * kHeight;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const std::size_t pixel = static_cast<std::size_t>(y * image.width + x) * 3;
      const auto target = static_cast<std::size_t>(y * padded_width + x);
      for (std::size_t channel = 0; channel < 3; ++channel) {
        values[channel * plane + target] =
            static_cast<float>(image.pixels[pixel + 2 - channel]) / 127.5F - 1.0F;
      }
    }
  }
}

/// Joins the parts of a line; the confidence is weighted by bytes of text.
RecognizedText Join(std::span<const RecognizedText> parts, std::span<const LinePart> images) {
  RecognizedText line;
  float weighted = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].text.empty()) continue;
    if (!line.text.empty() && images[i].space_before) line.text += ' ';
    line.text += parts[i].text;
    weighted += parts[i].confidence * static_cast<float>(parts[i].text.size());
  }
  if (!line.text.empty()) line.confidence = weighted / static_cast<float>(line.text.size());
  return line;
}

}  // namespace

struct TextRecognizer::Piece {
  const media::Image* image = nullptr;
  std::size_t slot = 0;
};

RecognizedText DecodeCtc(std::span<const float> probabilities, std::size_t classes,
                         std::span<const std::string> characters) {
  RecognizedText result;
  std::size_t previous = 0;
  std::size_t count = 0;
  float sum = 0;
  for (std::size_t start = 0; start + classes <= probabilities.size(); start += classes) {
    const auto row = probabilities.subspan(start, classes);
    const auto best = std::ranges::max_element(row);
    const auto index = static_cast<std::size_t>(best - row.begin());
    if (index != 0 && index != previous && index <= characters.size()) {
      result.text += characters[index - 1];
      sum += *best;
      ++count;
    }
    previous = index;
  }
  if (count > 0) result.confidence = sum / static_cast<float>(count);
  return result;
}

base::Result<std::unique_ptr<TextRecognizer>> TextRecognizer::Open(
    const std::filesystem::path& model, const OnnxOptions& onnx) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto session, OnnxSession::Open(model, onnx));
  const auto metadata = session->Metadata("character");
  if (!metadata || session->inputs().size() != 1 || session->outputs().size() != 1) {
    return base::DataLoss("not a text recogniser with a character set: " + model.string());
  }
  std::vector<std::string> characters = SplitLines(*metadata);
  characters.emplace_back(" ");
  const std::int64_t classes =
      session->outputs()[0].shape.empty() ? -1 : session->outputs()[0].shape.back();
  if (classes > 0 && static_cast<std::size_t>(classes) != characters.size() + 1) {
    return base::DataLoss(
        "the recogniser's classes and its character set differ: " + std::to_string(classes) +
        " and " + std::to_string(characters.size() + 1));
  }
  return std::unique_ptr<TextRecognizer>(
      new TextRecognizer(std::move(session), std::move(characters)));
}

base::Status TextRecognizer::RunBatch(std::span<const Piece*> batch,
                                      std::vector<RecognizedText>* results,
                                      const base::CancelToken& cancel) const {
  int width = kMinWidth;
  for (const Piece* piece : batch) width = std::max(width, piece->image->width);
  const std::size_t item = static_cast<std::size_t>(width) * kHeight * 3;
  std::vector<float> values(item * batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    FillInput(*batch[i]->image, width, std::span(values).subspan(i * item, item));
  }
  const OnnxInput input{session_->inputs()[0].name,
                        {static_cast<std::int64_t>(batch.size()), 3, kHeight, width},
                        std::span<const float>(values)};
  const std::string output = session_->outputs()[0].name;
  SIGHTLINE_ASSIGN_OR_RETURN(auto tensors,
                             session_->Run(std::span(&input, 1), std::span(&output, 1), cancel));
  const OnnxTensor& tensor = tensors[0];
  const std::size_t classes = characters_.size() + 1;
  if (tensor.shape.size() != 3 || tensor.shape[0] != static_cast<std::int64_t>(batch.size()) ||
      tensor.shape[2] != static_cast<std::int64_t>(classes)) {
    return base::DataLoss("the text recogniser returned another shape than its character set");
  }
  const std::size_t steps = static_cast<std::size_t>(tensor.shape[1]) * classes;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    (*results)[batch[i]->slot] =
        DecodeCtc(tensor.values.subspan(i * steps, steps), classes, characters_);
  }
  return base::OkStatus();
}

base::Result<std::vector<RecognizedText>> TextRecognizer::Recognize(
    std::span<const media::Image> lines, const base::CancelToken& cancel) const {
  std::vector<std::vector<LinePart>> parts;
  std::vector<Piece> pieces;
  for (const media::Image& line : lines) {
    SIGHTLINE_ASSIGN_OR_RETURN(auto split, ScaleAndSplitLine(line, kHeight, kMaxWidth));
    parts.push_back(std::move(split));
  }
  for (const auto& line : parts) {
    for (const LinePart& part : line) pieces.push_back({&part.image, pieces.size()});
  }
  std::vector<const Piece*> order;
  for (const Piece& piece : pieces) order.push_back(&piece);
  std::ranges::stable_sort(order, {}, [](const Piece* piece) { return piece->image->width; });

  std::vector<RecognizedText> read(pieces.size());
  for (std::size_t start = 0; start < order.size();) {
    const double limit = std::max(order[start]->image->width, kMinWidth) * kMaxPadding;
    std::size_t end = start + 1;
    while (end < order.size() && order[end]->image->width <= limit &&
           (end - start + 1) *
                   static_cast<std::size_t>(std::max(order[end]->image->width, kMinWidth)) <=
               kMaxBatchColumns) {
      ++end;
    }
    SIGHTLINE_RETURN_IF_ERROR(
        RunBatch(std::span(order).subspan(start, end - start), &read, cancel));
    start = end;
  }

  std::vector<RecognizedText> results;
  std::size_t slot = 0;
  for (const auto& line : parts) {
    results.push_back(Join(std::span(read).subspan(slot, line.size()), line));
    slot += line.size();
  }
  return results;
}

}  // namespace sightline::model
