// What every Catalog must do. An adapter's test includes this and instantiates `CatalogContract`.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "store/catalog.h"
#include "store/contract/sample_documents.h"

namespace sightline::store {

/// An adapter with its empty storage, as a contract test needs it.
class CatalogUnderTest {
 public:
  virtual ~CatalogUnderTest() = default;
  /// The adapter.
  virtual Catalog& catalog() = 0;
  /// Closes the adapter and opens it on the same storage.
  virtual void Reopen() = 0;
  /// The clock that the adapter was given.
  virtual base::FakeClock& clock() = 0;
};

using CatalogFactory = std::function<std::unique_ptr<CatalogUnderTest>()>;

/// The suite.
class CatalogContract : public testing::TestWithParam<CatalogFactory> {
 protected:
  void SetUp() override { under_test_ = GetParam()(); }
  Catalog& catalog() { return under_test_->catalog(); }

  Document Create(const std::string& id, const std::string& collection = "default") {
    const Document document = SampleDocument(id, collection);
    const base::Status created = catalog().CreateDocument(document);
    EXPECT_TRUE(created.ok()) << created.ToString();
    return document;
  }

  /// Creates and commits a document of `pages` pages; returns its first unit id.
  UnitId Add(const Document& document, int pages) {
    const base::Status created = catalog().CreateDocument(document);
    EXPECT_TRUE(created.ok()) << created.ToString();
    return CommitPages(document, pages);
  }

  UnitId CommitPages(const Document& document, int pages) {
    const auto first = catalog().AllocateUnitIds(pages);
    EXPECT_TRUE(first.ok());
    const auto number = catalog().Commit(SampleCommit(document, *first, pages));
    EXPECT_TRUE(number.ok()) << number.status().ToString();
    return *first;
  }

  std::vector<UnitId> Passing(const std::string& json, const std::string& collection = "default") {
    const auto filter = ParseFilter(json);
    EXPECT_TRUE(filter.ok()) << filter.status().ToString() << ": " << json;
    if (!filter.ok()) return {};
    const auto units = catalog().ResolveFilter(collection, *filter);
    EXPECT_TRUE(units.ok()) << units.status().ToString();
    std::vector<UnitId> ids;
    for (UnitId id = 1; id < 200; ++id) {
      if ((*units)->Contains(id)) ids.push_back(id);
    }
    EXPECT_EQ(ids.size(), (*units)->size());
    return ids;
  }

  void ExpectIntact() {
    const auto findings = catalog().CheckIntegrity();
    ASSERT_TRUE(findings.ok()) << findings.status().ToString();
    EXPECT_EQ(*findings, std::vector<std::string>());
  }

  std::unique_ptr<CatalogUnderTest> under_test_;
};

TEST_P(CatalogContract, CreatedDocumentComesBackAndSurvivesReopening) {
  Document document = SampleDocument("01A");
  document.tags = {"手册", "lab"};
  document.metadata_json = R"({"year":2024,"作者":"王芳"})";
  document.warnings = {"one page is blank"};
  ASSERT_TRUE(catalog().CreateDocument(document).ok());
  under_test_->Reopen();
  const auto read = catalog().GetDocument("01A");
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->state, DocumentState::kQueued);
  EXPECT_EQ(read->title, "实验室手册 01A");
  EXPECT_EQ(read->tags, document.tags);
  EXPECT_EQ(read->warnings, document.warnings);
  EXPECT_EQ(read->metadata_json, document.metadata_json);
  EXPECT_EQ(read->blob_sha256, document.blob_sha256);
  EXPECT_EQ(read->created_at_ms, 1'000);
  EXPECT_EQ(catalog().GetDocument("01B").status().code(), base::StatusCode::kNotFound);
}

TEST_P(CatalogContract, SameBytesInOneCollectionAreOneDocument) {
  const Document first = Create("01A");
  Document again = first;
  again.id = "01B";
  const base::Status refused = catalog().CreateDocument(again);
  EXPECT_EQ(refused.code(), base::StatusCode::kAlreadyExists);
  EXPECT_EQ(refused.message(), "01A");
  again.collection = "other";
  EXPECT_TRUE(catalog().CreateDocument(again).ok());
  EXPECT_EQ((*catalog().FindByDigest("default", first.blob_sha256))->id, "01A");
  EXPECT_EQ((*catalog().FindByDigest("other", first.blob_sha256))->id, "01B");
  EXPECT_FALSE(catalog().FindByDigest("none", first.blob_sha256)->has_value());
}

TEST_P(CatalogContract, BadDocumentsAreRefused) {
  const auto refused = [&](const std::function<void(Document&)>& spoil) {
    Document document = SampleDocument("01A");
    spoil(document);
    return catalog().CreateDocument(document).code() == base::StatusCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused([](Document& d) { d.id.clear(); }));
  EXPECT_TRUE(refused([](Document& d) { d.collection.clear(); }));
  EXPECT_TRUE(refused([](Document& d) { d.collection = std::string("a\0b", 3); }));
  EXPECT_TRUE(refused([](Document& d) { d.blob_sha256 = "../../etc/passwd"; }));
  EXPECT_TRUE(refused([](Document& d) { d.tags = {"\xff"}; }));
  EXPECT_TRUE(refused([](Document& d) { d.metadata_json = "[1]"; }));
  EXPECT_TRUE(refused([](Document& d) { d.metadata_json = "{"; }));
  EXPECT_TRUE(refused(
      [](Document& d) { d.metadata_json = "{\"a\":\"" + std::string(64 << 10, 'x') + "\"}"; }));
  EXPECT_FALSE(refused([](Document&) {}));
}

TEST_P(CatalogContract, TextThatIsNoUtf8IsStoredCleaned) {
  Document document = SampleDocument("01A");
  document.title = std::string("a\0b", 3) + "\xff" + "泵";
  const UnitId first = [&] {
    EXPECT_TRUE(catalog().CreateDocument(document).ok());
    return *catalog().AllocateUnitIds(1);
  }();
  DocumentCommit commit = SampleCommit(document, first, 1);
  commit.units[0].text = std::string("\0\xc3(", 3);
  commit.lexical[0].terms = std::string("pump \xf0\x9f\x98 \0 泵", 13);
  ASSERT_TRUE(catalog().Commit(commit).ok());
  EXPECT_EQ(catalog().GetDocument("01A")->title, "a\uFFFDb\uFFFD泵");
  const std::vector<UnitId> ids = {first};
  EXPECT_EQ(catalog().GetUnits(ids)->front().text, "\uFFFD\uFFFD(");
  ExpectIntact();
}

TEST_P(CatalogContract, ListIsNewestFirstPagedAndFiltered) {
  for (int i = 0; i < 5; ++i) {
    Document document = SampleDocument("D" + std::to_string(i));
    if (i % 2 == 0) document.tags = {"even", "偶数"};
    ASSERT_TRUE(catalog().CreateDocument(document).ok());
  }
  Create("other", "elsewhere");
  DocumentQuery query;
  query.limit = 2;
  std::vector<std::string> seen;
  do {
    const auto page = catalog().ListDocuments(query);
    ASSERT_TRUE(page.ok());
    for (const Document& document : page->documents) seen.push_back(document.id);
    query.cursor = page->next_cursor;
  } while (!query.cursor.empty());
  EXPECT_EQ(seen, (std::vector<std::string>{"D4", "D3", "D2", "D1", "D0"}));
  DocumentQuery tagged;
  tagged.tag = "偶数";
  EXPECT_EQ(catalog().ListDocuments(tagged)->documents.size(), 3U);
  DocumentQuery ready;
  ready.state = DocumentState::kReady;
  EXPECT_TRUE(catalog().ListDocuments(ready)->documents.empty());
  CommitPages(SampleDocument("D1"), 1);
  EXPECT_EQ(catalog().ListDocuments(ready)->documents.size(), 1U);
  ready.kind = "video";
  EXPECT_TRUE(catalog().ListDocuments(ready)->documents.empty());
  for (const int limit : {0, -1, 1'001}) {
    DocumentQuery bad;
    bad.limit = limit;
    EXPECT_FALSE(catalog().ListDocuments(bad).ok());
  }
  DocumentQuery bad;
  bad.cursor = "1' OR 1=1";
  EXPECT_EQ(catalog().ListDocuments(bad).status().code(), base::StatusCode::kInvalidArgument);
}

TEST_P(CatalogContract, UpdateChangesWhatMayChange) {
  Document document = Create("01A");
  document.state = DocumentState::kFailed;
  document.reason = "第 3 页已加密";
  document.reason_code = "invalid_argument";
  document.progress_done = 3;
  document.progress_total = 9;
  document.revision = 77;
  ASSERT_TRUE(catalog().UpdateDocument(document).ok());
  const auto read = catalog().GetDocument("01A");
  EXPECT_EQ(read->state, DocumentState::kFailed);
  EXPECT_EQ(read->reason, document.reason);
  EXPECT_EQ(read->progress_done, 3);
  EXPECT_EQ(read->revision, 0) << "only a commit changes the revision";
  EXPECT_EQ(read->updated_at_ms, base::UnixMillis(under_test_->clock().UtcNow()));
  EXPECT_EQ(catalog().UpdateDocument(SampleDocument("none")).code(), base::StatusCode::kNotFound);
}

TEST_P(CatalogContract, UnitIdsAreNeverGivenTwice) {
  const UnitId first = *catalog().AllocateUnitIds(10);
  EXPECT_GE(first, 1);
  EXPECT_EQ(*catalog().AllocateUnitIds(1), first + 10);
  under_test_->Reopen();
  EXPECT_EQ(*catalog().AllocateUnitIds(5), first + 11);
  EXPECT_FALSE(catalog().AllocateUnitIds(0).ok());
  EXPECT_FALSE(catalog().AllocateUnitIds(-1).ok());
  EXPECT_FALSE(catalog().AllocateUnitIds(std::int64_t{1} << 60).ok());
}

TEST_P(CatalogContract, CommitMakesEveryFieldOfUnitsVisible) {
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(2);
  DocumentCommit commit = SampleCommit(document, first, 2);
  Unit& unit = commit.units[1];
  unit.parent_id = first;
  unit.kind = UnitKind::kRegion;
  unit.locator = {7, "iv", {1.5, 2.25, 30, 40}, 595.2, 841.8, 1'000, 2'500, 1'700};
  unit.source = media::TextSource::kOnScreenText;
  unit.block = media::BlockKind::kTable;
  unit.concepts = {"pump", "水泵"};
  unit.preview_sha256 = std::string(64, 'a');
  unit.preview_width = 320;
  unit.preview_height = 240;
  ASSERT_TRUE(catalog().Commit(commit).ok());
  under_test_->Reopen();
  const std::vector<UnitId> ids = {first + 1, 999, first};
  const auto units = catalog().GetUnits(ids);
  ASSERT_TRUE(units.ok());
  ASSERT_EQ(units->size(), 2U) << "in the order asked for, unknown ids left out";
  const Unit& read = units->front();
  EXPECT_EQ(read.id, first + 1);
  EXPECT_EQ(read.document_id, "01A");
  EXPECT_EQ(read.parent_id, first);
  EXPECT_EQ(read.kind, UnitKind::kRegion);
  EXPECT_EQ(read.locator.page, 7);
  EXPECT_EQ(read.locator.page_label, "iv");
  EXPECT_EQ(read.locator.box, unit.locator.box);
  EXPECT_EQ(read.locator.page_width, 595.2);
  EXPECT_EQ(read.locator.key_frame_ms, 1'700);
  EXPECT_EQ(read.source, media::TextSource::kOnScreenText);
  EXPECT_EQ(read.language, text::Language::kEnglish);
  EXPECT_EQ(read.block, media::BlockKind::kTable);
  EXPECT_EQ(read.concepts, unit.concepts);
  EXPECT_EQ(read.text, unit.text);
  EXPECT_EQ(read.preview_sha256, unit.preview_sha256);
  EXPECT_EQ(read.preview_width, 320);
  const auto after = catalog().GetDocument("01A");
  EXPECT_EQ(after->state, DocumentState::kReady);
  EXPECT_EQ(after->revision, 1);
  EXPECT_EQ(after->page_count, 2);
  ExpectIntact();
}

TEST_P(CatalogContract, CommitReplacesEarlierUnits) {
  const Document document = SampleDocument("01A");
  const UnitId old = Add(document, 3);
  const std::int64_t before = (*catalog().GetSnapshot("default"))->commit_number;
  const UnitId fresh = CommitPages(document, 2);
  const std::vector<UnitId> ids = {old, old + 1, old + 2, fresh, fresh + 1};
  const auto units = catalog().GetUnits(ids);
  ASSERT_EQ(units->size(), 2U);
  EXPECT_EQ(units->front().id, fresh);
  EXPECT_EQ(catalog().GetDocument("01A")->revision, 2);
  EXPECT_GT((*catalog().GetSnapshot("default"))->commit_number, before);
  ExpectIntact();
}

TEST_P(CatalogContract, UnitsThatWereReadBeforeAreGoneToo) {
  const Document replaced = SampleDocument("01A");
  const UnitId first = Add(replaced, 2);
  const UnitId second = Add(SampleDocument("01B"), 2);
  const std::vector<UnitId> ids = {first, first + 1, second, second + 1};
  ASSERT_EQ(catalog().GetUnits(ids)->size(), 4U);
  ASSERT_EQ(catalog().GetUnits(ids)->size(), 4U) << "the same again";
  CommitPages(replaced, 1);
  EXPECT_EQ(catalog().GetUnits(ids)->size(), 2U);
  ASSERT_TRUE(catalog().RemoveDocument("01B").ok());
  EXPECT_TRUE(catalog().GetUnits(ids)->empty());
}

TEST_P(CatalogContract, FailedCommitLeavesNoTrace) {
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(2);
  const auto refused = [&](const std::function<void(DocumentCommit&)>& spoil) {
    DocumentCommit commit = SampleCommit(document, first, 2);
    spoil(commit);
    return !catalog().Commit(commit).ok();
  };
  EXPECT_TRUE(refused([](DocumentCommit& c) { c.units[1].document_id = "02"; }));
  EXPECT_TRUE(refused([](DocumentCommit& c) { c.units[1].id = c.units[0].id; }));
  EXPECT_TRUE(refused([](DocumentCommit& c) { c.units[1].id += 1'000; }));
  EXPECT_TRUE(refused([](DocumentCommit& c) { c.lexical[1].unit_id += 1'000; }));
  EXPECT_TRUE(refused([](DocumentCommit& c) { c.segments.push_back({0, "other", "s", "f"}); }));
  EXPECT_TRUE(refused([](DocumentCommit& c) {
    c.segments = {{0, "default", "s", "same.seg"}, {0, "default", "t", "same.seg"}};
  }));
  EXPECT_EQ(catalog().GetDocument("01A")->revision, 0);
  EXPECT_EQ(catalog().Counts()->units, 0);
  EXPECT_TRUE((*catalog().GetSnapshot("default"))->segments.empty());
  ExpectIntact();
}

TEST_P(CatalogContract, CommitOfARemovedDocumentIsRefused) {
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(1);
  ASSERT_TRUE(catalog().RemoveDocument("01A").ok());
  EXPECT_EQ(catalog().Commit(SampleCommit(document, first, 1)).status().code(),
            base::StatusCode::kNotFound);
  EXPECT_EQ(catalog().RemoveDocument("01A").status().code(), base::StatusCode::kNotFound);
}

TEST_P(CatalogContract, RemovedDocumentIsGoneAndMayComeAgain) {
  const Document document = SampleDocument("01A");
  Add(document, 3);
  const UnitId kept = Add(SampleDocument("01B"), 1);
  ASSERT_TRUE(catalog().RemoveDocument("01A").ok());
  EXPECT_EQ(catalog().GetDocument("01A").status().code(), base::StatusCode::kNotFound);
  EXPECT_EQ(catalog().Counts()->units, 1);
  EXPECT_EQ(catalog().Counts()->documents, 1);
  const std::vector<UnitId> ids = {kept};
  EXPECT_EQ(catalog().GetUnits(ids)->size(), 1U);
  EXPECT_TRUE(catalog().CreateDocument(document).ok());
  ExpectIntact();
}

TEST_P(CatalogContract, UnitsOfADocumentAreListedInOrderByPageAndTime) {
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(4);
  DocumentCommit commit = SampleCommit(document, first, 4);
  for (int i = 0; i < 4; ++i) {
    Locator& at = commit.units[static_cast<std::size_t>(i)].locator;
    at.start_ms = 1'000 * i;
    at.end_ms = 1'000 * (i + 1);
  }
  ASSERT_TRUE(catalog().Commit(commit).ok());
  const auto ids_of = [&](const Catalog::UnitQuery& query) {
    const auto units = catalog().ListUnits(query);
    EXPECT_TRUE(units.ok()) << units.status().ToString();
    std::vector<UnitId> ids;
    for (const Unit& unit : *units) ids.push_back(unit.id - first);
    return ids;
  };
  EXPECT_EQ(ids_of({.document_id = "01A"}), (std::vector<UnitId>{0, 1, 2, 3}));
  EXPECT_EQ(ids_of({.document_id = "01A", .page = 3}), (std::vector<UnitId>{2}));
  EXPECT_EQ(ids_of({.document_id = "01A", .from_ms = 1'000, .to_ms = 2'001}),
            (std::vector<UnitId>{1, 2}));
  EXPECT_EQ(ids_of({.document_id = "01A", .limit = 2}), (std::vector<UnitId>{0, 1}));
  EXPECT_EQ(ids_of({.document_id = "01A", .offset = 1, .limit = 2}), (std::vector<UnitId>{1, 2}));
  EXPECT_TRUE(ids_of({.document_id = "01A", .offset = 9}).empty());
  EXPECT_TRUE(ids_of({.document_id = "none"}).empty());
}

TEST_P(CatalogContract, SnapshotListsSegmentsAndDeletedUnitsAndDoesNotChange) {
  EXPECT_EQ((*catalog().GetSnapshot("none"))->commit_number, 0);
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(3);
  DocumentCommit commit = SampleCommit(document, first, 3);
  SegmentRef segment{0, "default", "space", "segments/a.seg", 3, 30, 4'096, first, first + 2};
  commit.segments = {segment};
  const std::int64_t number = *catalog().Commit(commit);
  const auto snapshot = *catalog().GetSnapshot("default");
  EXPECT_EQ(snapshot->commit_number, number);
  ASSERT_EQ(snapshot->segments.size(), 1U);
  EXPECT_EQ(snapshot->segments[0].file, "segments/a.seg");
  EXPECT_EQ(snapshot->segments[0].space_id, "space");
  EXPECT_EQ(snapshot->segments[0].vectors, 30);
  EXPECT_GT(snapshot->segments[0].id, 0);
  EXPECT_TRUE(snapshot->deleted->empty());
  EXPECT_EQ(catalog().Counts()->vectors, 30);
  EXPECT_EQ(*catalog().GetSnapshot("default"), snapshot) << "nothing changed";
  ASSERT_TRUE(catalog().RemoveDocument("01A").ok());
  const auto after = *catalog().GetSnapshot("default");
  EXPECT_GT(after->commit_number, number);
  EXPECT_EQ(after->deleted->size(), 3U);
  EXPECT_TRUE(after->deleted->Contains(first + 2));
  EXPECT_TRUE(snapshot->deleted->empty());
  EXPECT_EQ(*catalog().LiveSegmentFiles(), (std::vector<std::string>{"segments/a.seg"}));
}

TEST_P(CatalogContract, ReplacedSegmentsGoTogetherOrNotAtAll) {
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(2);
  DocumentCommit commit = SampleCommit(document, first, 2);
  commit.segments = {{0, "default", "s", "a.seg", 1, 1, 1, first, first},
                     {0, "default", "s", "b.seg", 1, 1, 1, first + 1, first + 1}};
  ASSERT_TRUE(catalog().Commit(commit).ok());
  const auto before = *catalog().GetSnapshot("default");
  SegmentRef merged{0, "default", "s", "m.seg", 2, 2, 2, first, first + 1, before->commit_number};
  ASSERT_TRUE(catalog().ReplaceSegments(before->segments, merged).ok());
  EXPECT_EQ(*catalog().LiveSegmentFiles(), (std::vector<std::string>{"m.seg"}));
  merged.file = "n.seg";
  EXPECT_EQ(catalog().ReplaceSegments(before->segments, merged).code(),
            base::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(catalog().ReplaceSegments({}, merged).ok());
  EXPECT_EQ(*catalog().LiveSegmentFiles(), (std::vector<std::string>{"m.seg"}));
}

TEST_P(CatalogContract, LiveBlobsAreThoseOfRows) {
  const Document document = Create("01A");
  const UnitId first = *catalog().AllocateUnitIds(1);
  DocumentCommit commit = SampleCommit(document, first, 1);
  commit.blobs = {std::string(64, 'b'), std::string(64, 'c'), std::string(64, 'b')};
  ASSERT_TRUE(catalog().Commit(commit).ok());
  EXPECT_EQ(catalog().LiveBlobs()->size(), 3U);
  commit.blobs = {std::string(64, 'c')};
  commit.units[0].id = *catalog().AllocateUnitIds(1);
  commit.units[0].parent_id = commit.units[0].id;
  commit.lexical.clear();
  ASSERT_TRUE(catalog().Commit(commit).ok());
  EXPECT_EQ(catalog().LiveBlobs()->size(), 2U);
  ASSERT_TRUE(catalog().RemoveDocument("01A").ok());
  EXPECT_TRUE(catalog().LiveBlobs()->empty());
}

TEST_P(CatalogContract, FiltersSelectUnits) {
  Document a = SampleDocument("A");
  a.tags = {"手册"};
  a.metadata_json = R"({"year":2023,"author":"Wang","draft":true,"topics":["pump","泵"]})";
  Document b = SampleDocument("B");
  b.tags = {"report"};
  b.created_at_ms = base::UnixMillis(*base::ParseRfc3339("2025-01-01T00:00:00Z"));
  b.metadata_json = R"({"year":2025,"author":"李","draft":false,"nested":{"year":2023}})";
  ASSERT_EQ(Add(a, 3), 1);
  ASSERT_EQ(Add(b, 2), 4);
  Add(SampleDocument("C", "other"), 2);
  using Ids = std::vector<UnitId>;
  const auto must = [&](const std::string& condition) {
    return Passing(R"({"must":[)" + condition + "]}");
  };
  EXPECT_EQ(must(R"({"key":"tag","match":{"value":"手册"}})"), (Ids{1, 2, 3}));
  EXPECT_EQ(must(R"({"key":"tag","match":{"any":["report","none"]}})"), (Ids{4, 5}));
  EXPECT_EQ(must(R"({"key":"kind","match":{"value":"page"}})"), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(must(R"({"key":"kind","match":{"value":"shot"}})"), Ids());
  EXPECT_EQ(must(R"({"key":"document_id","match":{"value":"B"}})"), (Ids{4, 5}));
  EXPECT_EQ(must(R"({"key":"document_kind","match":{"value":"pdf"}})"), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(must(R"({"key":"language","match":{"value":"zh"}})"), (Ids{1, 3, 4}));
  EXPECT_EQ(must(R"({"key":"source","match":{"value":"text"}})"), (Ids{1, 2, 3, 4, 5}));
  EXPECT_EQ(must(R"({"key":"page","match":{"value":2}})"), (Ids{2, 5}));
  EXPECT_EQ(must(R"({"key":"page","range":{"gte":2,"lt":3}})"), (Ids{2, 5}));
  EXPECT_EQ(must(R"({"key":"created_at","range":{"gte":"2025-01-01T08:00:00+08:00"}})"),
            (Ids{4, 5}));
  EXPECT_EQ(must(R"({"key":"created_at","range":{"lte":1000}})"), (Ids{1, 2, 3}));
  EXPECT_EQ(must(R"({"key":"metadata.year","match":{"value":2023}})"), (Ids{1, 2, 3}));
  EXPECT_EQ(must(R"({"key":"metadata.year","range":{"gt":2023}})"), (Ids{4, 5}));
  EXPECT_EQ(must(R"({"key":"metadata.author","match":{"value":"李"}})"), (Ids{4, 5}));
  EXPECT_EQ(must(R"({"key":"metadata.draft","match":{"value":true}})"), (Ids{1, 2, 3}));
  EXPECT_EQ(must(R"({"key":"metadata.topics","match":{"value":"泵"}})"), (Ids{1, 2, 3}));
  EXPECT_EQ(must(R"({"key":"metadata.nested","match":{"value":2023}})"), Ids());
  EXPECT_EQ(must(R"({"key":"metadata.none","match":{"value":1}})"), Ids());
  EXPECT_EQ(must(R"({"key":"metadata.author","match":{"value":"x' OR '1'='1"}})"), Ids());
  EXPECT_EQ(Passing(R"({"should":[{"key":"page","match":{"value":1}},
                                  {"key":"page","match":{"value":3}}]})"),
            (Ids{1, 3, 4}));
  EXPECT_EQ(Passing(R"({"must":[{"key":"page","match":{"value":1}}],
                        "must_not":[{"key":"document_id","match":{"value":"A"}}]})"),
            (Ids{4}));
  EXPECT_EQ(Passing(R"({"must_not":[{"must":[{"key":"page","match":{"value":1}},
                        {"key":"document_id","match":{"value":"A"}}]}]})"),
            (Ids{2, 3, 4, 5}));
  EXPECT_EQ(Passing(R"({"must":[{"key":"page","match":{"value":1}}]})", "other"), (Ids{6}));
  EXPECT_EQ(Passing(R"({"must":[{"key":"page","match":{"value":1}}]})", "none"), Ids());
  EXPECT_EQ(*catalog().ResolveFilter("default", Filter()), nullptr) << "no filter: all pass";
}

TEST_P(CatalogContract, FiltersFollowCommits) {
  const std::string filter = R"({"must":[{"key":"kind","match":{"value":"page"}}]})";
  Document document = SampleDocument("A");
  Add(document, 2);
  EXPECT_EQ(Passing(filter).size(), 2U);
  EXPECT_EQ(Passing(filter).size(), 2U);
  Add(SampleDocument("B"), 2);
  EXPECT_EQ(Passing(filter).size(), 4U);
  const std::string tagged = R"({"must":[{"key":"tag","match":{"value":"new"}}]})";
  EXPECT_TRUE(Passing(tagged).empty());
  document = *catalog().GetDocument("A");
  document.tags = {"new"};
  ASSERT_TRUE(catalog().UpdateDocument(document).ok());
  EXPECT_EQ(Passing(tagged).size(), 2U);
  ASSERT_TRUE(catalog().RemoveDocument("A").ok());
  EXPECT_EQ(Passing(filter).size(), 2U);
}

TEST_P(CatalogContract, HalfADocumentIsNeverVisible) {
  constexpr int kPages = 20;
  const Document document = SampleDocument("A");
  Add(document, kPages);
  std::atomic<bool> done = false;
  std::atomic<int> reads = 0;
  std::thread reader([&] {
    while (!done) {
      const auto units = catalog().ListUnits({.document_id = "A"});
      ASSERT_TRUE(units.ok()) << units.status().ToString();
      ASSERT_EQ(units->size(), std::size_t{kPages});
      ASSERT_EQ(units->back().id - units->front().id, kPages - 1);
      ++reads;
    }
  });
  for (int i = 0; i < 10 || reads < 10; ++i) CommitPages(document, kPages);
  done = true;
  reader.join();
  ExpectIntact();
}

}  // namespace sightline::store
