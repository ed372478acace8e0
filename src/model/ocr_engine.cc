#include "model/ocr_engine.h"

#include <malloc.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "model/line_image.h"
#include "model/reading_order.h"
#include "model/text_detector.h"
#include "model/text_recognizer.h"

namespace sightline::model {
namespace {

constexpr std::int64_t kMaxPixels = 50'000'000;
/// The longest lines stand for the page when its orientation is judged.
constexpr std::size_t kOrientationSample = 6;
/// Lines of an upright page are read with more confidence than this.
constexpr float kPoorConfidence = 0.80F;
constexpr double kUprightRatio = 1.5;

bool IsUprightQuad(const Quad& quad) { return quad.Height() >= kUprightRatio * quad.Width(); }

float MeanConfidence(std::span<const RecognizedText> texts) {
  float weighted = 0;
  std::size_t size = 0;
  for (const RecognizedText& text : texts) {
    weighted += text.confidence * static_cast<float>(text.text.size());
    size += text.text.size();
  }
  return size == 0 ? 0 : weighted / static_cast<float>(size);
}

class PaddleOcr final : public OcrEngine {
 public:
  PaddleOcr(std::unique_ptr<TextDetector> detector, std::unique_ptr<TextRecognizer> recognizer,
            float min_confidence)
      : detector_(std::move(detector)),
        recognizer_(std::move(recognizer)),
        min_confidence_(min_confidence) {}

  base::Result<std::vector<OcrLine>> Recognize(const media::Image& image,
                                               const base::CancelToken& cancel) override {
    SIGHTLINE_RETURN_IF_ERROR(CheckImage(image));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<Quad> quads, detector_->Detect(image, cancel));
    if (quads.empty()) return std::vector<OcrLine>();
    KnownTexts known(quads.size());
    SIGHTLINE_ASSIGN_OR_RETURN(const Turn turn, FindTurn(image, quads, cancel, &known));
    if (turn == Turn::kNone) {
      auto lines = ReadLines(image, quads, known, cancel);
      GiveBackMemory();
      return lines;
    }

    const media::Image turned = TurnImage(image, turn);
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<Quad> upright, detector_->Detect(turned, cancel));
    SIGHTLINE_ASSIGN_OR_RETURN(std::vector<OcrLine> lines,
                               ReadLines(turned, upright, KnownTexts(upright.size()), cancel));
    for (OcrLine& line : lines) {
      line.box = UndoTurn(QuadOf(line.box), turn, image.width, image.height).Hull();
    }
    GiveBackMemory();
    return lines;
  }

 private:
  static base::Status CheckImage(const media::Image& image) {
    if (image.IsEmpty()) return base::InvalidArgument("the picture for OCR is empty");
    const std::int64_t pixels = std::int64_t{image.width} * image.height;
    if (pixels > kMaxPixels) {
      return base::InvalidArgument(
          "the picture for OCR has more than 50 megapixels: " + std::to_string(image.width) +
          " x " + std::to_string(image.height));
    }
    if (image.pixels.size() != static_cast<std::size_t>(pixels) * 3) {
      return base::InvalidArgument("the pixels of the picture for OCR do not fill its size");
    }
    return base::OkStatus();
  }

  /// A page takes a second and some hundred megabytes of activations, which the allocator would
  /// keep; giving them back takes a millisecond.
  static void GiveBackMemory() { malloc_trim(0); }

  static Quad QuadOf(const media::Box& box) {
    return {{Point{box.x, box.y}, Point{box.right(), box.y}, Point{box.right(), box.bottom()},
             Point{box.x, box.bottom()}}};
  }

  /// What was read of each quad so far.
  using KnownTexts = std::vector<std::optional<RecognizedText>>;

  /// How the picture has to be turned to be read. Reads a few lines as they are (they go to
  /// `known`), and the other way round where that went badly.
  base::Result<Turn> FindTurn(const media::Image& image, std::span<const Quad> quads,
                              const base::CancelToken& cancel, KnownTexts* known) const {
    std::vector<std::size_t> sample(quads.size());
    std::iota(sample.begin(), sample.end(), std::size_t{0});
    std::ranges::stable_sort(sample, std::ranges::greater(), [&](std::size_t i) {
      return std::max(quads[i].Width(), quads[i].Height());
    });
    sample.resize(std::min(sample.size(), kOrientationSample));
    const auto is_upright = [&](std::size_t i) { return IsUprightQuad(quads[i]); };
    const auto upright = std::ranges::count_if(sample, is_upright);
    const bool on_side = 2 * static_cast<std::size_t>(upright) > sample.size();
    std::erase_if(sample, [&](std::size_t i) { return is_upright(i) != on_side; });

    std::vector<media::Image> crops;
    for (const std::size_t i : sample) {
      SIGHTLINE_ASSIGN_OR_RETURN(media::Image crop, CropQuad(image, quads[i]));
      crops.push_back(std::move(crop));
    }
    SIGHTLINE_ASSIGN_OR_RETURN(const auto as_is, recognizer_->Recognize(crops, cancel));
    for (std::size_t i = 0; i < sample.size(); ++i) (*known)[sample[i]] = as_is[i];
    const float confidence = MeanConfidence(as_is);
    if (confidence >= kPoorConfidence) {
      return on_side && crops.size() >= 3 ? Turn::kCounterClockwise90 : Turn::kNone;
    }
    for (media::Image& crop : crops) crop = TurnImage(crop, Turn::kHalf);
    SIGHTLINE_ASSIGN_OR_RETURN(const auto flipped, recognizer_->Recognize(crops, cancel));
    if (MeanConfidence(flipped) < std::max(confidence + 0.05F, min_confidence_)) return Turn::kNone;
    return on_side ? Turn::kClockwise90 : Turn::kHalf;
  }

  base::Result<std::vector<OcrLine>> ReadLines(const media::Image& image,
                                               std::span<const Quad> quads, KnownTexts known,
                                               const base::CancelToken& cancel) const {
    std::vector<std::size_t> unread;
    std::vector<media::Image> crops;
    for (std::size_t i = 0; i < quads.size(); ++i) {
      if (known[i]) continue;
      SIGHTLINE_ASSIGN_OR_RETURN(media::Image crop, CropQuad(image, quads[i]));
      crops.push_back(std::move(crop));
      unread.push_back(i);
    }
    SIGHTLINE_ASSIGN_OR_RETURN(auto texts, recognizer_->Recognize(crops, cancel));
    for (std::size_t i = 0; i < unread.size(); ++i) known[unread[i]] = std::move(texts[i]);
    std::vector<OcrLine> lines;
    for (const std::size_t i : ReadingOrder(quads)) {
      RecognizedText& text = *known[i];
      if (text.text.empty() || text.confidence < min_confidence_) continue;
      lines.push_back({std::move(text.text), quads[i].Hull(), text.confidence});
    }
    return lines;
  }

  const std::unique_ptr<TextDetector> detector_;
  const std::unique_ptr<TextRecognizer> recognizer_;
  const float min_confidence_;
};

}  // namespace

base::Result<std::unique_ptr<OcrEngine>> OpenOcrEngine(const OcrOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto detector, TextDetector::Open(options.detector, options.onnx, {}));
  SIGHTLINE_ASSIGN_OR_RETURN(auto recognizer,
                             TextRecognizer::Open(options.recognizer, options.onnx));
  return std::unique_ptr<OcrEngine>(std::make_unique<PaddleOcr>(
      std::move(detector), std::move(recognizer), options.min_confidence));
}

}  // namespace sightline::model
