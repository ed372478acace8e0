// What every LexicalIndex must do. An adapter's test instantiates `LexicalIndexContract`.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/contract/sample_documents.h"
#include "store/lexical_index.h"

namespace sightline::store {

/// An adapter with the catalog that writes its rows.
class LexicalIndexUnderTest {
 public:
  virtual ~LexicalIndexUnderTest() = default;
  /// Writes the rows.
  virtual Catalog& catalog() = 0;
  /// The adapter.
  virtual LexicalIndex& lexical() = 0;
};

using LexicalIndexFactory = std::function<std::unique_ptr<LexicalIndexUnderTest>()>;

/// The suite.
class LexicalIndexContract : public testing::TestWithParam<LexicalIndexFactory> {
 protected:
  void SetUp() override { under_test_ = GetParam()(); }

  /// Adds a document with one unit for each of `terms`; returns the first unit id.
  UnitId Add(const std::string& id, const std::vector<std::string>& terms,
             const std::string& collection = "default") {
    const Document document = SampleDocument(id, collection);
    Catalog& catalog = under_test_->catalog();
    EXPECT_TRUE(catalog.CreateDocument(document).ok());
    const int count = static_cast<int>(terms.size());
    const UnitId first = *catalog.AllocateUnitIds(count);
    DocumentCommit commit = SampleCommit(document, first, count);
    for (std::size_t i = 0; i < terms.size(); ++i) commit.lexical[i].terms = terms[i];
    const auto committed = catalog.Commit(commit);
    EXPECT_TRUE(committed.ok()) << committed.status().ToString();
    return first;
  }

  std::vector<ScoredUnit> Search(LexicalQuery query) {
    const auto found = under_test_->lexical().Search(query, base::CancelToken());
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return found.ValueOr({}).units;
  }

  std::vector<ScoredUnit> Find(std::vector<std::string> terms) {
    return Search({"default", std::move(terms), 100, nullptr, {}});
  }

  std::unique_ptr<LexicalIndexUnderTest> under_test_;
};

TEST_P(LexicalIndexContract, ScoresAreOkapiBm25) {
  const UnitId first = Add("A", {"pump pump valve", "pump 泵", "valve 阀门 灌水 step seal"});
  const auto found = Find({"pump", "泵"});
  ASSERT_EQ(found.size(), 2U);
  const double mean = (3 + 2 + 5) / 3.0;
  const auto part = [&](double n, double tf, double length) {
    return std::log1p((3 - n + 0.5) / (n + 0.5)) * tf * 2.2 /
           (tf + 1.2 * (0.25 + 0.75 * length / mean));
  };
  EXPECT_EQ(found[0].id, first + 1);
  EXPECT_NEAR(found[0].score, part(2, 1, 2) + part(1, 1, 2), 1e-5);
  EXPECT_EQ(found[1].id, first);
  EXPECT_NEAR(found[1].score, part(2, 2, 3), 1e-5);
}

TEST_P(LexicalIndexContract, TheBoundIsWhatAllTermsTogetherCannotExceed) {
  Add("A", {"pump pump valve", "pump 泵", "valve 阀门 灌水 step seal"});
  const auto hits = under_test_->lexical().Search(
      {"default", {"pump", "泵", "absent"}, 1, nullptr, {}}, base::CancelToken());
  ASSERT_TRUE(hits.ok());
  const auto idf = [](double n) { return std::log1p((3 - n + 0.5) / (n + 0.5)); };
  EXPECT_NEAR(hits->bound, 2.2 * (idf(2) + idf(1) + idf(0)), 1e-5);
  EXPECT_LT(hits->units.front().score, hits->bound);

  const auto none =
      under_test_->lexical().Search({"default", {"absent"}, 1, nullptr, {}}, base::CancelToken());
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->bound, 0);
}

TEST_P(LexicalIndexContract, TermInEveryRowStillCounts) {
  Add("A", {"pump", "pump pump"});
  for (const ScoredUnit& unit : Find({"pump"})) EXPECT_GT(unit.score, 0);
}

TEST_P(LexicalIndexContract, TiesAreOrderedByUnitIdAndTopKIsDeterministic) {
  const UnitId first = Add("A", std::vector<std::string>(20, "泵 pump"));
  const auto found = Search({"default", {"泵"}, 3, nullptr, {}});
  ASSERT_EQ(found.size(), 3U);
  for (UnitId i = 0; i < 3; ++i) EXPECT_EQ(found[static_cast<std::size_t>(i)].id, first + i);
  EXPECT_TRUE(Search({"default", {"泵"}, 0, nullptr, {}}).empty());
  EXPECT_EQ(Search({"default", {"泵"}, 1'000'000'000, nullptr, {}}).size(), 20U);
}

TEST_P(LexicalIndexContract, FilterIsAppliedBeforeTopK) {
  const UnitId first = Add("A", {"pump", "pump", "pump valve seal step", "valve"});
  index::UnitSet filter;
  filter.Insert(first + 2);
  const auto found = Search({"default", {"pump"}, 1, &filter, {}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, first + 2);
  const index::UnitSet nothing;
  EXPECT_TRUE(Search({"default", {"pump"}, 10, &nothing, {}}).empty());
}

TEST_P(LexicalIndexContract, StatisticsAndRowsArePerCollection) {
  Add("A", {"pump 泵", "valve"});
  const auto before = Find({"pump"});
  Add("B", std::vector<std::string>(50, "pump"), "other");
  EXPECT_EQ(Find({"pump"}), before);
  EXPECT_TRUE(Search({"none", {"pump"}, 10, nullptr, {}}).empty());
}

TEST_P(LexicalIndexContract, TermsAreNeverSyntax) {
  const UnitId first = Add("A", {"pump c++ a/b.txt \" NEAR AND foo_bar-1.2 -x * 😀 terms:pump"});
  for (const std::string term :
       {"c++", "a/b.txt", "\"", "NEAR", "AND", "foo_bar-1.2", "-x", "*", "😀", "terms:pump"}) {
    const auto found = Find({term});
    ASSERT_EQ(found.size(), 1U) << term;
    EXPECT_EQ(found[0].id, first);
  }
  for (const std::string term :
       {"pum*", "NEAR(pump c++)", "a b", "'", "\"\"", "^pump", "", "{terms}:pump"}) {
    EXPECT_TRUE(Find({term}).empty()) << term;
  }
  EXPECT_TRUE(Find({}).empty());
  EXPECT_TRUE(Find({std::string("a\0b", 3), "\xff\xfe"}).empty());
}

TEST_P(LexicalIndexContract, RepeatedTermsCountOnce) {
  Add("A", {"pump valve"});
  EXPECT_EQ(Find({"pump", "pump"}), Find({"pump"}));
}

TEST_P(LexicalIndexContract, PrefixesMatchWhatBeginsSo) {
  const UnitId first = Add("A", {"泵房 灌水", "水泵"});
  EXPECT_TRUE(Find({"泵"}).empty());
  const auto found = Search({"default", {}, 10, nullptr, {"泵"}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, first);
}

TEST_P(LexicalIndexContract, QuestionOfTooManyTermsIsRefused) {
  Add("A", {"t7"});
  std::vector<std::string> terms;
  for (int i = 0; i < 512; ++i) {
    terms.push_back("t");
    terms.back() += std::to_string(i);
  }
  EXPECT_EQ(Find(terms).size(), 1U);
  terms.push_back("more");
  const LexicalQuery query{"default", terms, 10, nullptr, {}};
  EXPECT_EQ(under_test_->lexical().Search(query, base::CancelToken()).status().code(),
            base::StatusCode::kInvalidArgument);
}

TEST_P(LexicalIndexContract, RemovedAndReplacedRowsAreGone) {
  Add("A", {"pump"});
  const UnitId kept = Add("B", {"pump valve"});
  ASSERT_TRUE(under_test_->catalog().RemoveDocument("A").ok());
  const auto found = Find({"pump"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, kept);
}

TEST_P(LexicalIndexContract, StopsWhenCancelled) {
  Add("A", {"pump"});
  const base::CancelToken cancel;
  cancel.Cancel();
  const LexicalQuery query{"default", {"pump"}, 10, nullptr, {}};
  EXPECT_EQ(under_test_->lexical().Search(query, cancel).status().code(),
            base::StatusCode::kCancelled);
}

}  // namespace sightline::store
