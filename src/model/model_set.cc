#include "model/model_set.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/digest.h"
#include "model/batching_text_encoder.h"
#include "model/clip_encoder.h"
#include "model/cpu_support.h"
#include "model/e5_encoder.h"
#include "model/efficientnet_encoder.h"
#include "model/ocr_engine.h"
#include "model/opened_once.h"
#include "model/whisper_engine.h"
#include "text/unigram_tokenizer.h"

namespace sightline::model {
namespace {

constexpr std::uint64_t kMaxMeansBytes = 16 << 20;
constexpr std::string_view kTokenizerFile = "tokenizer.bin";
constexpr std::string_view kMeansFile = "means.bin";

base::Status NotWanted(std::string_view what) {
  return base::NotFound("not configured: " + std::string(what));
}

class InstalledModels final : public ModelSet {
 public:
  InstalledModels(const ModelOptions& options, io::FileSystem& files, ModelStore store)
      : options_(options), files_(files), store_(std::move(store)) {}

  base::Result<std::shared_ptr<TextEncoder>> Text() override { return text_.Get(); }
  base::Result<std::shared_ptr<ImageEncoder>> Image() override { return image_.Get(); }
  base::Result<std::shared_ptr<OcrEngine>> Ocr() override { return ocr_.Get(); }
  base::Result<std::shared_ptr<SpeechEngine>> Speech() override { return speech_.Get(); }
  base::Result<std::shared_ptr<DualEncoder>> Dual() override { return dual_.Get(); }
  const ModelStore& store() const override { return store_; }

  base::Status OpenAll() override {
    // A model that does not open tells its reason to whoever asks for it.
    std::vector<std::thread> threads;
    threads.emplace_back([this] { static_cast<void>(Ocr()); });
    threads.emplace_back([this] { static_cast<void>(Speech()); });
    threads.emplace_back([this] { static_cast<void>(Dual()); });
    threads.emplace_back([this] { static_cast<void>(Image()); });
    const auto text = Text();
    for (std::thread& thread : threads) thread.join();
    return text.status();
  }

 private:
  OnnxOptions Onnx() const { return {}; }

  base::Result<std::shared_ptr<TextEncoder>> OpenText();
  base::Result<std::string> ReadMeans(const ModelEntry& entry) const;
  base::Result<std::shared_ptr<ImageEncoder>> OpenImage();
  base::Result<std::shared_ptr<OcrEngine>> OpenOcr();
  base::Result<std::shared_ptr<SpeechEngine>> OpenSpeech();
  base::Result<std::shared_ptr<DualEncoder>> OpenDual();

  const ModelOptions options_;
  io::FileSystem& files_;
  const ModelStore store_;
  OpenedOnce<TextEncoder> text_{[this] { return OpenText(); }};
  OpenedOnce<ImageEncoder> image_{[this] { return OpenImage(); }};
  OpenedOnce<OcrEngine> ocr_{[this] { return OpenOcr(); }};
  OpenedOnce<SpeechEngine> speech_{[this] { return OpenSpeech(); }};
  OpenedOnce<DualEncoder> dual_{[this] { return OpenDual(); }};
};

/// The means are listed with the model, or shipped beside the registry.
base::Result<std::string> InstalledModels::ReadMeans(const ModelEntry& entry) const {
  if (entry.FindFile(kMeansFile) != nullptr) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string path,
                               store_.Locate(entry, kMeansFile, VerifyMode::kTrustStamp));
    return files_.ReadFile(path, kMaxMeansBytes);
  }
  const std::string folder = io::JoinPath(io::ParentPath(options_.registry_path), entry.name);
  return files_.ReadFile(io::JoinPath(folder, kMeansFile), kMaxMeansBytes);
}

base::Result<std::shared_ptr<TextEncoder>> InstalledModels::OpenText() {
  SIGHTLINE_ASSIGN_OR_RETURN(const ModelEntry* entry, store_.Find(options_.text_model));
  const std::string_view form = HasExactInt8Products() ? "model_int8.onnx" : "model_q4.onnx";
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string model,
                             store_.Locate(*entry, form, VerifyMode::kTrustStamp));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string tokenizer_path,
                             store_.Locate(*entry, kTokenizerFile, VerifyMode::kTrustStamp));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string means_bytes, ReadMeans(*entry));
  SIGHTLINE_ASSIGN_OR_RETURN(auto means, LanguageMeans::Parse(means_bytes, 384));
  SIGHTLINE_ASSIGN_OR_RETURN(auto tokenizer, text::UnigramTokenizer::Load(tokenizer_path));

  E5Options e5;
  e5.model = model;
  e5.registry_name = entry->name;
  e5.weights_sha256 = base::Sha256Hex(entry->FilesDigest(kTokenizerFile) + means_bytes);
  e5.tokenizer_sha256 = entry->FindFile(kTokenizerFile)->sha256;
  e5.onnx = Onnx();
  SIGHTLINE_ASSIGN_OR_RETURN(auto encoder,
                             OpenE5Encoder(e5, std::move(tokenizer), std::move(means)));
  BatcherOptions batcher;
  batcher.workers = static_cast<std::size_t>(std::max(1, options_.threads));
  return std::shared_ptr<TextEncoder>(MakeBatchingTextEncoder(std::move(encoder), batcher));
}

base::Result<std::shared_ptr<ImageEncoder>> InstalledModels::OpenImage() {
  if (options_.image_model.empty()) return NotWanted("an image encoder");
  SIGHTLINE_ASSIGN_OR_RETURN(const ModelEntry* entry, store_.Find(options_.image_model));
  EfficientNetOptions image;
  SIGHTLINE_ASSIGN_OR_RETURN(image.model,
                             store_.Locate(*entry, "model.onnx", VerifyMode::kTrustStamp));
  SIGHTLINE_ASSIGN_OR_RETURN(image.concepts.names_file,
                             store_.Locate(*entry, "classes.txt", VerifyMode::kTrustStamp));
  SIGHTLINE_ASSIGN_OR_RETURN(auto text, Text());
  image.registry_name = entry->name;
  image.weights_sha256 = entry->FilesDigest("");
  image.onnx = Onnx();
  image.concepts.cache_folder = io::JoinPath(options_.cache_folder, "concepts");
  image.concepts.files = &files_;
  SIGHTLINE_ASSIGN_OR_RETURN(auto encoder, OpenEfficientNetEncoder(image, std::move(text)));
  return std::shared_ptr<ImageEncoder>(std::move(encoder));
}

base::Result<std::shared_ptr<OcrEngine>> InstalledModels::OpenOcr() {
  if (options_.ocr_model.empty()) return NotWanted("OCR");
  SIGHTLINE_ASSIGN_OR_RETURN(const ModelEntry* entry, store_.Find(options_.ocr_model));
  OcrOptions ocr;
  SIGHTLINE_ASSIGN_OR_RETURN(
      ocr.detector, store_.Locate(*entry, "PP-OCRv6_det_small.onnx", VerifyMode::kTrustStamp));
  SIGHTLINE_ASSIGN_OR_RETURN(
      ocr.recognizer, store_.Locate(*entry, "PP-OCRv6_rec_small.onnx", VerifyMode::kTrustStamp));
  ocr.onnx = Onnx();
  SIGHTLINE_ASSIGN_OR_RETURN(auto engine, OpenOcrEngine(ocr));
  return std::shared_ptr<OcrEngine>(std::move(engine));
}

base::Result<std::shared_ptr<SpeechEngine>> InstalledModels::OpenSpeech() {
  if (options_.speech_model.empty()) return NotWanted("speech recognition");
#if defined(SIGHTLINE_HAVE_SPEECH)
  SIGHTLINE_ASSIGN_OR_RETURN(const ModelEntry* entry, store_.Find(options_.speech_model));
  WhisperOptions whisper;
  SIGHTLINE_ASSIGN_OR_RETURN(whisper.model,
                             store_.Locate(*entry, "ggml.bin", VerifyMode::kTrustStamp));
  // Its threads wait for each other by spinning, so two that share a core are slower than one.
  whisper.threads = std::max(1, options_.threads / 2);
  SIGHTLINE_ASSIGN_OR_RETURN(auto engine, OpenWhisperEngine(whisper));
  return std::shared_ptr<SpeechEngine>(std::move(engine));
#else
  return base::Unavailable("this program was built without speech recognition");
#endif
}

base::Result<std::shared_ptr<DualEncoder>> InstalledModels::OpenDual() {
  if (options_.dual_model.empty()) return NotWanted("a dual encoder");
  ClipOptions clip;
  clip.onnx = Onnx();
  if (const auto entry = store_.Find(options_.dual_model); entry.ok()) {
    SIGHTLINE_RETURN_IF_ERROR(store_.Verify(**entry, VerifyMode::kTrustStamp, {}));
    clip.folder = store_.FolderOf(**entry);
    clip.name = (*entry)->name;
    clip.weights_sha256 = (*entry)->FilesDigest("");
  } else {
    clip.folder = options_.dual_model;
    clip.name = std::filesystem::path(options_.dual_model).filename().string();
  }
  SIGHTLINE_ASSIGN_OR_RETURN(auto encoder, OpenClipEncoder(clip, files_));
  return std::shared_ptr<DualEncoder>(std::move(encoder));
}

}  // namespace

base::Result<std::shared_ptr<ModelSet>> OpenModels(const ModelOptions& options,
                                                   io::FileSystem& files) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto store,
                             ModelStore::Open(files, options.cache_folder, options.registry_path));
  return std::shared_ptr<ModelSet>(
      std::make_shared<InstalledModels>(options, files, std::move(store)));
}

}  // namespace sightline::model
