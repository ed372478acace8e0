#include "ingest/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "model/fake_models.h"
#include "store/memory_store.h"

namespace sightline::ingest {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Status;
using media::DecodeSink;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Plays what the test scripted.
class ScriptedDecoder final : public media::Decoder {
 public:
  using Script = std::function<Status(DecodeSink&, const CancelToken&)>;
  Status Decode(const media::DecodeRequest&, DecodeSink& sink, const CancelToken& cancel) override {
    return script(sink, cancel);
  }
  base::Result<media::Image> DecodePicture(const std::string&, int, const CancelToken&) override {
    return base::InvalidArgument("no pictures in this test");
  }
  base::Result<media::EncodedImage> DrawPage(const media::DrawRequest&,
                                             const CancelToken&) override {
    return base::NotFound("no pages in this test");
  }
  Script script;
};

media::Image Colour(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  media::Image image{64, 64, {}};
  for (int i = 0; i < 64 * 64; ++i) image.pixels.insert(image.pixels.end(), {red, green, blue});
  return image;
}

media::DecodedPage Page(int number, const std::string& text) {
  media::DecodedPage page;
  page.page_number = number;
  page.width_pt = 600;
  page.height_pt = 800;
  page.pixels_per_point = 0.1;
  page.render = Colour(255, 255, 255);
  page.preview = {"image/webp", "preview " + std::to_string(number), 64, 64};
  page.blocks = {{media::BlockKind::kParagraph, {50, 50, 300, 12}, {{text, {50, 50, 300, 12}}}}};
  return page;
}

media::DecodedFrame Frame(std::int64_t pts_ms) {
  media::DecodedFrame frame;
  frame.pts_ms = pts_ms;
  frame.image = Colour(255, 0, 0);
  frame.preview = {"image/webp", "frame " + std::to_string(pts_ms), 64, 64};
  return frame;
}

media::DocumentInfo Info(media::DocumentKind kind) {
  media::DocumentInfo info;
  info.kind = kind;
  info.media_type = "application/test";
  return info;
}

class PipelineTest : public ::testing::Test {
 protected:
  PipelineTest() : pipeline_({catalog_, blobs_, vectors_, decoder_, models_}, {}) {}

  store::Document NewDocument() {
    store::Document document;
    document.id = "01J00000000000000000000001";
    document.file_name = "手册 handbook.pdf";
    document.blob_sha256 = *blobs_.Put("bytes");
    EXPECT_TRUE(catalog_.CreateDocument(document).ok());
    return document;
  }

  base::Result<store::Document> Run(ScriptedDecoder::Script script) {
    decoder_.script = std::move(script);
    return pipeline_.Run(NewDocument(), {}, {});
  }

  std::vector<store::Unit> Units() {
    return *catalog_.ListUnits({.document_id = "01J00000000000000000000001"});
  }

  store::MemoryCatalog catalog_;
  store::MemoryBlobStore blobs_;
  store::MemoryVectorStore vectors_;
  ScriptedDecoder decoder_;
  model::FakeModels models_;
  Pipeline pipeline_;
};

TEST_F(PipelineTest, PagesStayInOrderWhateverThreadEncodesThem) {
  constexpr int kPages = 60;
  const auto document = Run([](DecodeSink& sink, const CancelToken&) -> Status {
    media::DocumentInfo info = Info(media::DocumentKind::kPdf);
    info.page_count = kPages;
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(info));
    for (int i = 1; i <= kPages; ++i) {
      SIGHTLINE_RETURN_IF_ERROR(sink.OnPage(Page(i, "page number " + std::to_string(i))));
    }
    return OkStatus();
  });
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->state, store::DocumentState::kReady);
  EXPECT_EQ(document->title, "手册 handbook");
  EXPECT_EQ(document->language, "en");
  const auto units = Units();
  ASSERT_EQ(units.size(), 2U * kPages);
  for (int i = 0; i < kPages; ++i) {
    const auto at = static_cast<std::size_t>(2 * i);
    EXPECT_EQ(units[at].locator.page, i + 1);
    EXPECT_EQ(units[at + 1].parent_id, units[at].id);
    EXPECT_EQ(*blobs_.Read(units[at].preview_sha256, 0, 100), "preview " + std::to_string(i + 1));
  }
  EXPECT_EQ(document->preview_sha256, units.front().preview_sha256);
}

TEST_F(PipelineTest, ShotsEndWhereTheNextBeginsAndSpeechTakesTheirPreview) {
  models_.speech->segments = {{1'500, 3'500, "fill the cylinder.", "en"}};
  const auto document = Run([](DecodeSink& sink, const CancelToken&) -> Status {
    media::DocumentInfo info = Info(media::DocumentKind::kVideo);
    info.duration_ms = 9'000;
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(info));
    SIGHTLINE_RETURN_IF_ERROR(sink.OnFrame(Frame(0)));
    SIGHTLINE_RETURN_IF_ERROR(sink.OnFrame(Frame(4'000)));
    return sink.OnAudio({0, std::vector<float>(16'000, 0.1F)});
  });
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  const auto units = Units();
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(units[0].locator.end_ms, 4'000);
  EXPECT_EQ(units[1].locator.end_ms, 9'000);
  EXPECT_THAT(units[0].concepts, ElementsAre("red"));
  EXPECT_EQ(units[2].kind, store::UnitKind::kPassage);
  EXPECT_EQ(units[2].preview_sha256, units[0].preview_sha256);
}

TEST_F(PipelineTest, ADamagedTailLeavesTheRestSearchableWithAWarning) {
  const auto document = Run([](DecodeSink& sink, const CancelToken&) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(Info(media::DocumentKind::kPdf)));
    SIGHTLINE_RETURN_IF_ERROR(sink.OnPage(Page(1, "good page")));
    return base::DataLoss("this PDF is damaged at page 2");
  });
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_THAT(document->warnings, Contains(HasSubstr("damaged at page 2")));
  EXPECT_EQ(Units().size(), 2U);
}

TEST_F(PipelineTest, AFileThatCannotBeReadCommitsNothing) {
  const auto document = Run([](DecodeSink&, const CancelToken&) -> Status {
    return base::InvalidArgument("needs a password");
  });
  EXPECT_EQ(document.status().message(), "needs a password");
  EXPECT_TRUE(Units().empty());
}

TEST_F(PipelineTest, MissingModelsAreWarningsAndWordsAreStillFound) {
  models_.installed = false;
  const auto document = Run([](DecodeSink& sink, const CancelToken&) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(Info(media::DocumentKind::kPdf)));
    return sink.OnPage(Page(1, "量筒读数"));
  });
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_THAT(document->warnings, Contains(HasSubstr("found by its words only")));
  EXPECT_EQ(catalog_.Search({.collection = "default", .terms = {"量筒"}, .prefixes = {}}, {})
                ->units.size(),
            1U);
}

TEST_F(PipelineTest, CancellingStopsTheDecoderAndCommitsNothing) {
  const CancelToken cancel;
  decoder_.script = [&cancel](DecodeSink& sink, const CancelToken& stop) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(Info(media::DocumentKind::kPdf)));
    for (int i = 1;; ++i) {
      if (i == 20) cancel.Cancel();
      SIGHTLINE_RETURN_IF_ERROR(stop.Check());
      SIGHTLINE_RETURN_IF_ERROR(sink.OnPage(Page(i, "page")));
    }
  };
  const auto document = pipeline_.Run(NewDocument(), {}, cancel);
  EXPECT_EQ(document.status().code(), base::StatusCode::kCancelled);
  EXPECT_TRUE(Units().empty());
}

TEST_F(PipelineTest, PagesCanBeEditedBeforeTheyAreComposed) {
  PipelineOptions options;
  options.edit_page = [](media::DecodedPage& page) { page.blocks.clear(); };
  Pipeline masked({catalog_, blobs_, vectors_, decoder_, models_}, options);
  decoder_.script = [](DecodeSink& sink, const CancelToken&) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(Info(media::DocumentKind::kPdf)));
    return sink.OnPage(Page(1, "secret"));
  };
  ASSERT_TRUE(masked.Run(NewDocument(), {}, {}).ok());
  EXPECT_TRUE(catalog_.Search({.collection = "default", .terms = {"secret"}, .prefixes = {}}, {})
                  ->units.empty());
}

TEST_F(PipelineTest, TokenVectorsArePooledBeforeTheyAreWritten) {
  decoder_.script = [](DecodeSink& sink, const CancelToken&) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(sink.OnInfo(Info(media::DocumentKind::kPdf)));
    return sink.OnPage(Page(1, "water pump water pump"));
  };
  PipelineOptions options;
  options.pool_factor = 2;
  Pipeline pooling({catalog_, blobs_, vectors_, decoder_, models_}, options);
  ASSERT_TRUE(pooling.Run(NewDocument(), {}, {}).ok());

  model::FakeTextEncoder encoder;
  const model::EmbeddingSpace& space = encoder.token_space();
  const auto snapshot = *catalog_.GetSnapshot("default");
  std::int64_t tokens = 0;
  for (const store::SegmentRef& segment : snapshot->segments) {
    if (segment.space_id == space.Id()) tokens += segment.vectors;
  }
  EXPECT_EQ(tokens, 2) << "one for each word";
  const model::TextInput question{"pump water pump", model::TextRole::kQuery};
  const auto asked = encoder.Encode({&question, 1}, {});
  const auto found = vectors_.Search(
      {.space = {"default", space.Id(), space.dims}, .vectors = asked->front().tokens.values},
      *snapshot, {});
  ASSERT_EQ(found->size(), 1U);
  EXPECT_NEAR(found->front().score, 3, 1e-5) << "equal words have equal vectors";
}

}  // namespace
}  // namespace sightline::ingest
