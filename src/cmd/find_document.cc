#include "cmd/find_document.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace sightline::cmd {
namespace {

constexpr size_t kUlidCharacters = 26;
constexpr size_t kMinPrefix = 4;
constexpr int kPageSize = 1000;
constexpr int kMaxPages = 100;

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

}  // namespace

base::Result<store::Document> FindDocument(engine::Engine& engine, std::string_view name) {
  const std::string upper = Upper(name);
  if (name.size() == kUlidCharacters) {
    base::Result<store::Document> exact = engine.GetDocument(upper);
    if (exact.ok() || exact.status().code() != base::StatusCode::kNotFound) return exact;
  }
  std::vector<store::Document> fitting;
  store::DocumentQuery query;
  query.limit = kPageSize;
  for (int page_number = 0; page_number < kMaxPages; ++page_number) {
    SIGHTLINE_ASSIGN_OR_RETURN(store::DocumentPage page, engine.ListDocuments(query));
    for (store::Document& document : page.documents) {
      const bool prefix = name.size() >= kMinPrefix && document.id.starts_with(upper);
      if (prefix || document.file_name == name) fitting.push_back(std::move(document));
    }
    if (page.next_cursor.empty()) break;
    query.cursor = page.next_cursor;
  }
  if (fitting.empty()) return base::NotFound("there is no such document: " + std::string(name));
  if (fitting.size() > 1) {
    return base::InvalidArgument("several documents fit, give the whole id: " + std::string(name) +
                                 " (" + fitting[0].id + ", " + fitting[1].id + " …)");
  }
  return std::move(fitting.front());
}

}  // namespace sightline::cmd
