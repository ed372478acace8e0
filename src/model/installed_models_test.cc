// The installed models on real input. Skipped where they are not in the cache.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <string>

#include "io/file_system.h"
#include "model/cpu_support.h"
#include "model/e5_encoder.h"
#include "model/line_image.h"
#include "model/model_set.h"
#include "text/unigram_tokenizer.h"

namespace sightline::model {
namespace {

std::string CacheFolder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && *xdg != '\0') return std::string(xdg) + "/sightline";
  const char* home = std::getenv("HOME");
  return std::string(home == nullptr ? "." : home) + "/.cache/sightline";
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::shared_ptr<ModelSet> Models() {
  static const std::shared_ptr<ModelSet> models = [] {
    ModelOptions options;
    options.cache_folder = CacheFolder();
    options.registry_path = "models/registry.toml";
    options.threads = 2;
    auto opened = OpenModels(options, io::PosixFileSystem());
    EXPECT_TRUE(opened.ok()) << opened.status().ToString();
    return opened.ok() ? *opened : nullptr;
  }();
  return models;
}

#define SKIP_UNLESS_INSTALLED(model)                                \
  if (!(model).ok()) {                                              \
    ASSERT_EQ((model).status().code(), base::StatusCode::kNotFound) \
        << (model).status().ToString();                             \
    GTEST_SKIP() << "SKIP: " << (model).status().message();         \
  }

/// Means of zero: what the encoder gives is then the model's vector alone.
LanguageMeans NoMeans() {
  std::string bytes = "SLMV";
  for (const std::uint32_t value : {1U, 384U, 4U}) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  }
  bytes += std::string(32, '\0');
  for (const std::string label : {"zhpool", "zhtok", "enpool", "entok"}) {
    bytes += label.substr(0, 2) + std::string(2, '\0');
    bytes += (label.substr(2) + '\0').substr(0, 4) + std::string(384 * sizeof(float), '\0');
  }
  return *LanguageMeans::Parse(bytes, 384);
}

TextInput Input(std::string_view text, text::Language language) {
  constexpr std::string_view kQuery = "query: ";
  constexpr std::string_view kPassage = "passage: ";
  if (text.starts_with(kQuery)) {
    return {std::string(text.substr(kQuery.size())), TextRole::kQuery, language};
  }
  return {std::string(text.substr(kPassage.size())), TextRole::kPassage, language};
}

float Dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(InstalledModelsTest, E5VectorsAreThoseOfTheReference) {
  SKIP_UNLESS_INSTALLED(Models()->Text());
  const std::string folder = CacheFolder() + "/models/e5-small/";
  const std::string form = HasExactInt8Products() ? "model_int8" : "model_q4";
  auto tokenizer = text::UnigramTokenizer::Load(folder + "tokenizer.bin");
  ASSERT_TRUE(tokenizer.ok());
  E5Options options;
  options.model = folder + form + ".onnx";
  auto encoder = OpenE5Encoder(options, *std::move(tokenizer), NoMeans());
  ASSERT_TRUE(encoder.ok()) << encoder.status().ToString();
  const auto golden = boost::json::parse(ReadText("tests/golden/e5_vectors.json"));
  for (const auto& entry : golden.at("texts").as_array()) {
    const std::string text(entry.at("text").as_string());
    const TextInput input = Input(text, text::Language::kEnglish);
    const auto embeddings = (*encoder)->Encode(std::span(&input, 1), {});
    ASSERT_TRUE(embeddings.ok()) << embeddings.status().ToString();
    const TextEmbedding& embedding = (*embeddings)[0];
    EXPECT_EQ(embedding.tokens.rows(), entry.at("ids").as_array().size() - 4) << text;
    const auto& shipped = entry.at(form);
    const double norm = shipped.at("norm").to_number<double>();
    for (std::size_t i = 0; i < 16; ++i) {
      const double expected = shipped.at("first_16").as_array()[i].to_number<double>() / norm;
      EXPECT_NEAR(static_cast<double>(embedding.sentence[i]), expected, 2e-3) << text << " " << i;
      const double exact = entry.at("reference").at("first_16").as_array()[i].to_number<double>() /
                           entry.at("reference").at("norm").to_number<double>();
      EXPECT_NEAR(static_cast<double>(embedding.sentence[i]), exact, 1e-2) << text << " " << i;
    }
  }
}

TEST(InstalledModelsTest, ATextsVectorDoesNotDependOnItsBatch) {
  const auto encoder = Models()->Text();
  SKIP_UNLESS_INSTALLED(encoder);
  std::vector<TextInput> inputs;
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += i % 2 == 0 ? "打开盖子，把水倒进水箱。" : " The pump moves water upwards.";
    inputs.push_back({text, TextRole::kPassage, text::Language::kChinese});
  }
  const auto together = (*encoder)->Encode(inputs, {});
  ASSERT_TRUE(together.ok()) << together.status().ToString();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto alone = (*encoder)->Encode(std::span(&inputs[i], 1), {});
    ASSERT_TRUE(alone.ok());
    const TextEmbedding& one = (*alone)[0];
    EXPECT_GT(Dot(one.sentence, (*together)[i].sentence), 0.9999F) << i;
    ASSERT_EQ(one.tokens.rows(), (*together)[i].tokens.rows());
    for (std::size_t row = 0; row < one.tokens.rows(); ++row) {
      EXPECT_GT(Dot(one.tokens.row(row), (*together)[i].tokens.row(row)), 0.999F)
          << i << " " << row;
    }
  }
}

TEST(InstalledModelsTest, MeaningCrossesLanguages) {
  const auto encoder = Models()->Text();
  SKIP_UNLESS_INSTALLED(encoder);
  const std::vector<TextInput> inputs = {
      {"如何更换水泵的过滤网", TextRole::kQuery, text::Language::kChinese},
      {"Take the filter out of the pump and put a new one in.", TextRole::kPassage,
       text::Language::kEnglish},
      {"The annual report lists sales by region.", TextRole::kPassage, text::Language::kEnglish}};
  const auto embeddings = (*encoder)->Encode(inputs, {});
  ASSERT_TRUE(embeddings.ok());
  EXPECT_GT(Dot((*embeddings)[0].sentence, (*embeddings)[1].sentence),
            Dot((*embeddings)[0].sentence, (*embeddings)[2].sentence) + 0.1F);
}

TEST(InstalledModelsTest, TextsWithoutContentAndTooLongOnesAreEncoded) {
  const auto encoder = Models()->Text();
  SKIP_UNLESS_INSTALLED(encoder);
  std::string endless;
  for (int i = 0; i < 20'000; ++i) endless += "水泵 pump ";
  const std::vector<TextInput> inputs = {
      {"", TextRole::kQuery, text::Language::kOther},
      {"\xff\xfe \x80", TextRole::kPassage, text::Language::kOther},
      {endless, TextRole::kPassage, text::Language::kChinese}};
  const auto embeddings = (*encoder)->Encode(inputs, {});
  ASSERT_TRUE(embeddings.ok()) << embeddings.status().ToString();
  EXPECT_EQ((*embeddings)[0].tokens.rows(), 1U);
  EXPECT_FALSE((*embeddings)[0].truncated);
  EXPECT_TRUE((*embeddings)[2].truncated);
  EXPECT_EQ((*embeddings)[2].tokens.rows(), 508U);
  for (const TextEmbedding& embedding : *embeddings) {
    EXPECT_NEAR(Dot(embedding.sentence, embedding.sentence), 1, 1e-4);
  }
}

TEST(InstalledModelsTest, ACancelledEncodingStops) {
  const auto encoder = Models()->Text();
  SKIP_UNLESS_INSTALLED(encoder);
  std::string text;
  for (int i = 0; i < 500; ++i) text += "water ";
  const std::vector<TextInput> inputs(64, {text, TextRole::kPassage, text::Language::kEnglish});
  const base::CancelToken cancel(std::chrono::steady_clock::now() + std::chrono::milliseconds(30));
  EXPECT_EQ((*encoder)->Encode(inputs, cancel).status().code(),
            base::StatusCode::kDeadlineExceeded);
}

media::Image Page() {
  const cv::Mat bgr = cv::imread("tests/golden/ocr_page.png", cv::IMREAD_COLOR);
  cv::Mat rgb;
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  return {rgb.cols, rgb.rows, {rgb.data, rgb.data + rgb.total() * 3}};
}

media::Image Skew(const media::Image& image, double degrees) {
  const cv::Mat rgb(image.height, image.width, CV_8UC3,
                    const_cast<std::uint8_t*>(image.pixels.data()));
  const cv::Mat rotation = cv::getRotationMatrix2D(
      {static_cast<float>(image.width) / 2, static_cast<float>(image.height) / 2}, degrees, 0.9);
  cv::Mat turned;
  cv::warpAffine(rgb, turned, rotation, rgb.size(), cv::INTER_CUBIC, cv::BORDER_CONSTANT,
                 cv::Scalar(255, 255, 255));
  return {turned.cols, turned.rows, {turned.data, turned.data + turned.total() * 3}};
}

const std::vector<std::string> kPageLines = {"实验室安全手册",
                                             "第三章 离心机的使用与保养",
                                             "启动离心机之前,请确认转子已经固定,盖子已经锁紧。",
                                             "转速不得超过每分钟12000转,温度保持在4℃。",
                                             "Quarterly measurement report",
                                             "The centrifuge must be balanced before every run.",
                                             "Samples 17 to 42 were stored at -80 °C for 6 months.",
                                             "样品编号 A-2026/17 的浓度为 3.75 mg/mL"};

std::string WithoutSpaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Bytes that differ between what was read and what is written, spaces left out.
std::size_t EditDistance(const std::vector<OcrLine>& lines) {
  std::string a;
  for (const OcrLine& line : lines) a += WithoutSpaces(line.text) + "\n";
  std::string b;
  for (const std::string& line : kPageLines) b += WithoutSpaces(line) + "\n";
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

TEST(InstalledModelsTest, OcrReadsAPageInBothLanguages) {
  const auto ocr = Models()->Ocr();
  SKIP_UNLESS_INSTALLED(ocr);
  const auto lines = (*ocr)->Recognize(Page(), {});
  ASSERT_TRUE(lines.ok()) << lines.status().ToString();
  EXPECT_EQ(EditDistance(*lines), 0U);
  EXPECT_NEAR((*lines)[0].box.x, 60, 8);
  EXPECT_GT((*lines)[0].confidence, 0.9F);
}

TEST(InstalledModelsTest, OcrReadsPagesThatAreTurnedOrSkewed) {
  const auto ocr = Models()->Ocr();
  SKIP_UNLESS_INSTALLED(ocr);
  for (const Turn turn : {Turn::kClockwise90, Turn::kHalf, Turn::kCounterClockwise90}) {
    const auto lines = (*ocr)->Recognize(TurnImage(Page(), turn), {});
    ASSERT_TRUE(lines.ok()) << lines.status().ToString();
    EXPECT_LE(EditDistance(*lines), 3U) << static_cast<int>(turn);
  }
  for (const double degrees : {-10.0, 10.0}) {
    const auto lines = (*ocr)->Recognize(Skew(Page(), degrees), {});
    ASSERT_TRUE(lines.ok()) << lines.status().ToString();
    EXPECT_LE(EditDistance(*lines), 8U) << degrees;
  }
}

TEST(InstalledModelsTest, OcrOfAnEmptyPageIsEmptyAndOfALieAnError) {
  const auto ocr = Models()->Ocr();
  SKIP_UNLESS_INSTALLED(ocr);
  const media::Image blank{400, 300, std::vector<std::uint8_t>(400 * 300 * 3, 255)};
  const auto lines = (*ocr)->Recognize(blank, {});
  ASSERT_TRUE(lines.ok()) << lines.status().ToString();
  EXPECT_TRUE(lines->empty());
  EXPECT_FALSE((*ocr)->Recognize({}, {}).ok());
  EXPECT_FALSE((*ocr)->Recognize({100'000, 100'000, {}}, {}).ok());
  const media::Image sliver{1, 1, {255, 255, 255}};
  EXPECT_TRUE((*ocr)->Recognize(sliver, {}).ok());
}

/// What espeak-ng says in a voice, as 16 kHz samples; empty where the program is missing.
std::vector<float> Speak(const std::string& voice, const std::string& text) {
  const std::string command =
      "espeak-ng -v " + voice + " -s 140 --stdout '" + text + "' 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string bytes;
  char buffer[4096];
  for (std::size_t got = 0; (got = fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    bytes.append(buffer, got);
  }
  pclose(pipe);
  constexpr std::size_t kWavHeader = 44;
  if (bytes.size() < kWavHeader) return {};
  constexpr double kEspeakRate = 22'050;
  const auto sample_at = [&](std::size_t i) {
    std::int16_t value = 0;
    std::memcpy(&value, bytes.data() + kWavHeader + i * 2, 2);
    return static_cast<float>(value) / 32768.0F;
  };
  const std::size_t count = (bytes.size() - kWavHeader) / 2;
  std::vector<float> samples;
  for (std::size_t i = 0;; ++i) {
    const auto position = static_cast<std::size_t>(static_cast<double>(i) * kEspeakRate / 16'000);
    if (position >= count) return samples;
    samples.push_back(sample_at(position));
  }
}

TEST(InstalledModelsTest, SpeechIsHeardAtItsTimeAndNothingInNoise) {
  const auto speech = Models()->Speech();
  if (speech.status().code() == base::StatusCode::kUnavailable) {
    GTEST_SKIP() << "SKIP: " << speech.status().message();
  }
  SKIP_UNLESS_INSTALLED(speech);
  const std::vector<float> spoken =
      Speak("en-us", "The centrifuge must be balanced before every run.");
  if (spoken.empty()) GTEST_SKIP() << "SKIP: espeak-ng is not installed";
  std::vector<float> sound(16'000 * 10, 0.0F);
  sound.insert(sound.end(), spoken.begin(), spoken.end());
  sound.insert(sound.end(), 16'000 * 5, 0.0F);
  const auto segments = (*speech)->Transcribe(sound, {});
  ASSERT_TRUE(segments.ok()) << segments.status().ToString();
  ASSERT_FALSE(segments->empty());
  std::string text;
  for (const SpeechSegment& segment : *segments) text += segment.text;
  EXPECT_NE(text.find("balanced before every run"), std::string::npos) << text;
  EXPECT_EQ((*segments)[0].language, "en");
  EXPECT_NEAR(static_cast<double>((*segments)[0].start_ms), 10'000, 500);
  const auto end_ms = static_cast<double>(10'000 + spoken.size() / 16);
  EXPECT_NEAR(static_cast<double>(segments->back().end_ms), end_ms, 800);

  std::uint32_t random = 1;
  std::vector<float> noise;
  for (int i = 0; i < 16'000 * 20; ++i) {
    random = random * 1'664'525U + 1'013'904'223U;
    noise.push_back((static_cast<float>(random >> 8) / 8'388'608.0F - 1.0F) * 0.1F);
  }
  const auto nothing = (*speech)->Transcribe(noise, {});
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->empty());
}

TEST(InstalledModelsTest, PicturesHaveConceptsThatWordsFind) {
  const auto image = Models()->Image();
  SKIP_UNLESS_INSTALLED(image);
  const char* sets = std::getenv("SIGHTLINE_DATA_SETS");
  const std::string folder = sets != nullptr && *sets != '\0' ? sets : "../shared/data";
  const cv::Mat bgr = cv::imread(folder + "/images/tux/food/fruit/sliced_lime.png");
  if (bgr.empty()) GTEST_SKIP() << "SKIP: no pictures in " << folder;
  cv::Mat rgb;
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  const media::Image lime{rgb.cols, rgb.rows, {rgb.data, rgb.data + rgb.total() * 3}};
  const auto embeddings = (*image)->Encode(std::span(&lime, 1), {});
  ASSERT_TRUE(embeddings.ok()) << embeddings.status().ToString();
  const ImageEmbedding& embedding = (*embeddings)[0];
  EXPECT_EQ(embedding.features.size(), 1280U);
  EXPECT_NEAR(Dot(embedding.features, embedding.features), 1, 1e-4);
  EXPECT_EQ(embedding.top_concepts.size(), 5U);
  const auto score = [&](std::string_view query, text::Language language) {
    const auto vector = (*image)->ConceptQuery(query, language);
    EXPECT_TRUE(vector.ok());
    return Dot(embedding.concepts, *vector);
  };
  EXPECT_GT(score("a slice of lemon", text::Language::kEnglish),
            score("a red truck", text::Language::kEnglish));
  EXPECT_GT(score("切开的柠檬", text::Language::kChinese),
            score("一辆红色的卡车", text::Language::kChinese));
}

}  // namespace
}  // namespace sightline::model
