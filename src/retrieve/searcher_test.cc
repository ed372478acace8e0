#include "retrieve/searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/fake_models.h"
#include "retrieve/plan.h"
#include "store/memory_store.h"
#include "text/analyzer.h"

namespace sightline::retrieve {
namespace {

using base::StatusCode;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Query pictures are one colour, named by their path.
class ColourDecoder final : public media::Decoder {
 public:
  base::Status Decode(const media::DecodeRequest&, media::DecodeSink&,
                      const base::CancelToken&) override {
    return base::InvalidArgument("only pictures in this test");
  }
  base::Result<media::Image> DecodePicture(const std::string& path, int,
                                           const base::CancelToken&) override {
    if (path == "/huge.png") return base::ResourceExhausted("the picture has 51 megapixels");
    if (path == "/damaged.png") return base::DataLoss("the picture is empty");
    if (path != "/red.png") return base::InvalidArgument("not a picture: " + path);
    media::Image image{8, 8, {}};
    for (int i = 0; i < 64; ++i) image.pixels.insert(image.pixels.end(), {255, 0, 0});
    return image;
  }
  base::Result<media::EncodedImage> DrawPage(const media::DrawRequest&,
                                             const base::CancelToken&) override {
    return base::NotFound("no pages in this test");
  }
};

class SearcherTest : public ::testing::Test {
 protected:
  SearcherTest() : searcher_({catalog_, vectors_, catalog_, decoder_, models_}) {}

  /// A document of one page with one region of text.
  void AddPage(const std::string& id, const std::string& text) {
    store::DocumentCommit commit = Begin(id);
    store::Unit page = NewUnit(id, store::UnitKind::kPage);
    page.locator.page = 1;
    store::Unit region = NewUnit(id, store::UnitKind::kRegion);
    region.parent_id = page.id;
    region.text = text;
    region.language = text::DetectLanguage(text);
    region.locator.page = 1;
    region.locator.box = {10, 20, 30, 40};
    AddText(region, commit);
    commit.units = {page, region};
    ASSERT_TRUE(catalog_.Commit(commit).ok());
  }

  /// A spoken passage, or a red shot, of a video.
  void AddMoment(const std::string& id, std::int64_t start_ms, std::int64_t end_ms,
                 const std::string& text) {
    store::DocumentCommit commit = Begin(id);
    store::Unit unit = NewUnit(id, store::UnitKind::kPassage);
    unit.source = media::TextSource::kSpeech;
    unit.text = text;
    unit.language = text::DetectLanguage(text);
    unit.locator.start_ms = start_ms;
    unit.locator.end_ms = end_ms;
    AddText(unit, commit);
    store::Unit shot = NewUnit(id, store::UnitKind::kShot);
    shot.locator.start_ms = start_ms;
    shot.locator.end_ms = end_ms;
    AddPicture(shot, {255, 0, 0}, commit);
    commit.units = {unit, shot};
    ASSERT_TRUE(catalog_.Commit(commit).ok());
  }

  /// Red shots, [start, end) in milliseconds, of one silent video.
  void AddShots(const std::string& id,
                const std::vector<std::pair<std::int64_t, std::int64_t>>& times) {
    store::DocumentCommit commit = Begin(id);
    for (const auto& [start_ms, end_ms] : times) {
      store::Unit shot = NewUnit(id, store::UnitKind::kShot);
      shot.locator.start_ms = start_ms;
      shot.locator.end_ms = end_ms;
      AddPicture(shot, {255, 0, 0}, commit);
      commit.units.push_back(shot);
    }
    ASSERT_TRUE(catalog_.Commit(commit).ok());
  }

  base::Result<SearchResponse> Ask(const std::string& query) {
    SearchRequest request;
    request.query = query;
    return searcher_.Search(request, {});
  }

  store::MemoryCatalog catalog_;
  store::MemoryVectorStore vectors_;
  ColourDecoder decoder_;
  model::FakeModels models_;
  Searcher searcher_;

 private:
  store::DocumentCommit Begin(const std::string& id) {
    store::DocumentCommit commit;
    commit.document.id = id;
    commit.document.blob_sha256 = id;
    EXPECT_TRUE(catalog_.CreateDocument(commit.document).ok());
    return commit;
  }

  store::Unit NewUnit(const std::string& document_id, store::UnitKind kind) {
    store::Unit unit;
    unit.id = *catalog_.AllocateUnitIds(1);
    unit.parent_id = unit.id;
    unit.document_id = document_id;
    unit.kind = kind;
    return unit;
  }

  void AddVectors(const model::EmbeddingSpace& space, store::UnitId id,
                  const std::vector<float>& values, store::DocumentCommit& commit) {
    auto writer = *vectors_.NewWriter({"default", space.Id(), space.dims});
    ASSERT_TRUE(writer->Add(id, values).ok());
    commit.segments.push_back(*writer->Finish());
  }

  void AddText(const store::Unit& unit, store::DocumentCommit& commit) {
    const auto encoder = *models_.Text();
    const model::TextInput input{unit.text, model::TextRole::kPassage, unit.language};
    const auto embedding = (*encoder->Encode({&input, 1}, {})).front();
    AddVectors(encoder->sentence_space(), unit.id, embedding.sentence, commit);
    AddVectors(encoder->token_space(), unit.id, embedding.tokens.values, commit);
    commit.lexical.push_back({unit.id, text::ToIndexText(text::Analyze(unit.text))});
  }

  void AddPicture(const store::Unit& unit, std::array<std::uint8_t, 3> colour,
                  store::DocumentCommit& commit) {
    const auto encoder = *models_.Image();
    const media::Image image{1, 1, {colour.begin(), colour.end()}};
    const auto embedding = (*encoder->Encode({&image, 1}, {})).front();
    AddVectors(encoder->feature_space(), unit.id, embedding.features, commit);
    AddVectors(encoder->concept_space(), unit.id, embedding.concepts, commit);
  }
};

TEST_F(SearcherTest, RegionFoldsIntoItsPageWithBoxSnippetAndReason) {
  AddPage("a", "The burette must be rinsed before the titration.");
  AddPage("b", "Revenue by region grew in the north.");
  const auto response = Ask("revenue by region");
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  ASSERT_FALSE(response->hits.empty());
  const Hit& hit = response->hits.front();
  EXPECT_EQ(hit.rank, 1);
  EXPECT_EQ(hit.document.id, "b");
  EXPECT_EQ(hit.unit.kind, store::UnitKind::kPage);
  EXPECT_THAT(hit.boxes, ElementsAre(media::Box{10, 20, 30, 40}));
  EXPECT_THAT(hit.reasons, ElementsAre("text"));
  EXPECT_FALSE(hit.snippet.highlights.empty());
  EXPECT_TRUE(hit.scores.contains(Route::kLateInteraction));
}

TEST_F(SearcherTest, ChineseAndEnglishEachFindTheirOwnPage) {
  AddPage("zh", "量筒读数时视线与凹液面最低处平齐。");
  AddPage("en", "Read the cylinder at the lowest point of the meniscus.");
  EXPECT_EQ(Ask("量筒读数视线")->hits.front().document.id, "zh");
  EXPECT_EQ(Ask("cylinder meniscus")->hits.front().document.id, "en");
  EXPECT_EQ(Ask("量筒读数视线")->query_language, text::Language::kChinese);
}

TEST_F(SearcherTest, OverlappingMomentsOfOneVideoAreOneHit) {
  AddMoment("v", 1'000, 5'000, "now the red light comes on");
  const auto response = Ask("red light");
  ASSERT_TRUE(response.ok());
  ASSERT_EQ(response->hits.size(), 1U);
  EXPECT_THAT(response->hits[0].reasons, Contains("speech"));
  EXPECT_THAT(response->hits[0].reasons, Contains("concept"));
}

TEST_F(SearcherTest, MomentsOfOneSceneAreOneHit) {
  // Ranked by text, the moments come in another order than in the film: the chain must close
  // anyway.
  AddShots("film", {{0, 1'000}, {4'000, 5'000}, {2'500, 3'500}, {60'000, 61'000}});
  SearchRequest request;
  request.image_path = "/red.png";
  const auto response = searcher_.Search(request, {});
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  ASSERT_EQ(response->hits.size(), 2U);
  std::vector<std::int64_t> starts;
  for (const Hit& hit : response->hits) starts.push_back(hit.unit.locator.start_ms);
  EXPECT_THAT(starts, UnorderedElementsAre(0, 60'000));
}

TEST_F(SearcherTest, APictureFindsPicturesThatLookLikeIt) {
  AddMoment("v", 1'000, 5'000, "some speech");
  SearchRequest request;
  request.image_path = "/red.png";
  const auto response = searcher_.Search(request, {});
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  ASSERT_EQ(response->hits.size(), 1U);
  EXPECT_EQ(response->hits[0].unit.kind, store::UnitKind::kShot);
  EXPECT_THAT(response->hits[0].reasons, ElementsAre("picture"));
}

TEST_F(SearcherTest, APictureThatCannotBeReadIsTheFaultOfWhoAsks) {
  AddMoment("v", 1'000, 5'000, "some speech");
  for (const char* path : {"/huge.png", "/damaged.png", "/text.png"}) {
    SearchRequest request;
    request.image_path = path;
    EXPECT_EQ(searcher_.Search(request, {}).status().code(), base::StatusCode::kInvalidArgument)
        << path;
  }
}

TEST_F(SearcherTest, RemovedDocumentsAreNeverFound) {
  AddPage("a", "revenue by region");
  ASSERT_TRUE(catalog_.RemoveDocument("a").ok());
  EXPECT_THAT(Ask("revenue by region")->hits, IsEmpty());
}

TEST_F(SearcherTest, FiltersHoldBeforeScoring) {
  AddPage("a", "revenue by region");
  AddMoment("v", 0, 1'000, "revenue by region");
  SearchRequest request;
  request.query = "revenue by region";
  store::Condition moments;
  moments.key = "kind";
  moments.any_of = {std::string("passage")};
  request.filter.must = {moments};
  const auto response = searcher_.Search(request, {});
  ASSERT_TRUE(response.ok());
  ASSERT_EQ(response->hits.size(), 1U);
  EXPECT_EQ(response->hits[0].document.id, "v");
}

TEST_F(SearcherTest, AFilterForPagesFindsWhatStandsInTheirRegions) {
  AddPage("a", "revenue by region");
  AddMoment("v", 0, 1'000, "revenue by region");
  SearchRequest request;
  request.query = "revenue by region";
  store::Condition pages;
  pages.key = "kind";
  pages.any_of = {std::string("page")};
  request.filter.must = {pages};
  const auto found = searcher_.Search(request, {});
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->hits.size(), 1U);
  EXPECT_EQ(found->hits[0].document.id, "a");

  request.filter = {};
  request.filter.must_not = {pages};
  const auto others = searcher_.Search(request, {});
  ASSERT_TRUE(others.ok());
  ASSERT_EQ(others->hits.size(), 1U);
  EXPECT_EQ(others->hits[0].document.id, "v");

  request.filter = {};
  pages.any_of = {std::string("image")};
  request.filter.must = {pages};
  EXPECT_THAT(searcher_.Search(request, {})->hits, IsEmpty()) << "a page's region is no picture";
}

TEST_F(SearcherTest, OddQuestionsAreAnsweredAndBadOnesRefused) {
  AddPage("a", "revenue by region");
  for (const std::string query : {"😀😀", "a", "مرحبا بالعالم", "\xff\xfe", "。"}) {
    EXPECT_TRUE(Ask(query).ok()) << query;
  }
  EXPECT_EQ(Ask("").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Ask(" \t\n").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Ask(std::string(kMaxQueryBytes + 1, 'a')).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_TRUE(Ask(std::string(kMaxQueryBytes, 'a')).ok());
  SearchRequest request;
  request.query = "revenue";
  for (const int top_k : {0, -1, 1001, 1'000'000'000}) {
    request.top_k = top_k;
    EXPECT_EQ(searcher_.Search(request, {}).status().code(), StatusCode::kInvalidArgument);
  }
  request.top_k = 10;
  request.image_path = "/document.pdf";
  EXPECT_EQ(searcher_.Search(request, {}).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(SearcherTest, WithoutModelsWordsStillFindAndTheNotesSayWhatIsMissing) {
  AddPage("a", "revenue by region");
  models_.installed = false;
  const auto response = Ask("revenue");
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->hits.size(), 1U);
  ASSERT_FALSE(response->notes.empty());
  const std::set<std::string> different(response->notes.begin(), response->notes.end());
  EXPECT_EQ(different.size(), response->notes.size()) << "each is said once";
}

}  // namespace
}  // namespace sightline::retrieve
