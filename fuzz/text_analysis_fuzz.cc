// What happens to the words of documents and questions: folding, terms, language, passages,
// snippets.
#include <string>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/target.h"
#include "text/analyzer.h"
#include "text/chunker.h"
#include "text/language.h"
#include "text/normalize.h"
#include "text/snippet.h"

namespace sightline::fuzz {
namespace {

void CheckFolding(std::string_view text) {
  const std::string folded = text::Fold(text);
  CHECK(base::IsValidUtf8(folded));
  const text::FoldedText mapped = text::FoldWithOffsets(text);
  CHECK(mapped.text == folded, "both ways of folding agree");
  for (const text::SourceSpan& span : mapped.spans) {
    CHECK(span.begin <= span.end && span.end <= text.size());
  }
}

std::vector<text::Token> CheckTokens(std::string_view text) {
  std::int32_t position = 0;
  for (const text::Token& token : text::Analyze(text)) {
    CHECK(token.begin <= token.end && token.end <= text.size());
    CHECK(!token.term.empty() && base::IsValidUtf8(token.term));
    CHECK(base::CountCodePoints(token.term) <= text::kMaxTermCodePoints, token.term);
    CHECK(token.position >= position, "positions grow");
    position = token.position;
  }
  std::vector<text::Token> query = text::AnalyzeQuery(text);
  CHECK(base::IsValidUtf8(text::ToIndexText(query)));
  return query;
}

void CheckPassages(std::string_view text) {
  const text::TokenCounter count = [](std::string_view part) { return part.size(); };
  constexpr std::size_t kMaxTokens = 40;
  std::size_t end = 0;
  for (const text::Chunk& chunk :
       text::ChunkText(text, count, {.max_tokens = kMaxTokens, .good_tokens = 20})) {
    CHECK(chunk.begin >= end && chunk.begin < chunk.end && chunk.end <= text.size());
    CHECK(chunk.end - chunk.begin <= kMaxTokens);
    end = chunk.end;
  }
}

void CheckSnippet(std::string_view text, const std::vector<text::Token>& query) {
  const text::Snippet snippet = text::BestSnippet(text, query);
  CHECK(base::IsValidUtf8(snippet.text));
  std::size_t end = 0;
  for (const text::HighlightRange& range : snippet.highlights) {
    CHECK(range.begin >= end && range.begin < range.end);
    end = range.end;
  }
  CHECK(end <= base::CountCodePoints(snippet.text));
}

void Run(std::string_view input) {
  CheckFolding(input);
  const std::vector<text::Token> query = CheckTokens(input);
  CheckPassages(input);
  CheckSnippet(input, query);
  [[maybe_unused]] const text::Language language = text::DetectLanguage(input);
}

const Registration kTarget({.name = "text_analysis", .max_bytes = 1024, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
