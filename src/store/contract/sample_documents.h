// Documents and units for the tests of the ports.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "store/catalog.h"

namespace sightline::store {

/// A document of its own bytes ("bytes of ID").
inline Document SampleDocument(const std::string& id, const std::string& collection = "default") {
  Document document;
  document.id = id;
  document.collection = collection;
  std::string bytes = "bytes of ";
  bytes += id;
  document.blob_sha256 = base::Sha256Hex(bytes);
  document.size_bytes = static_cast<std::int64_t>(bytes.size());
  document.file_name = id + ".pdf";
  document.title = "实验室手册 " + id;
  document.created_at_ms = 1'000;
  return document;
}

/// A page unit with text in both languages.
inline Unit SampleUnit(UnitId id, const std::string& document_id, int page) {
  Unit unit;
  unit.id = id;
  unit.document_id = document_id;
  unit.parent_id = id;
  unit.kind = UnitKind::kPage;
  unit.ordinal = page - 1;
  unit.locator.page = page;
  unit.locator.page_width = 595;
  unit.locator.page_height = 842;
  unit.language = page % 2 == 0 ? text::Language::kEnglish : text::Language::kChinese;
  unit.text = page % 2 == 0 ? "The pump is primed before the run." : "启动前先给泵灌水。";
  return unit;
}

/// A commit of `pages` pages with the ids from `first`, whose text rows are `terms`.
inline DocumentCommit SampleCommit(const Document& document, UnitId first, int pages,
                                   const std::string& terms = "pump 泵 灌水") {
  DocumentCommit commit;
  commit.document = document;
  commit.document.kind = media::DocumentKind::kPdf;
  commit.document.language = "zh";
  commit.document.page_count = pages;
  for (int page = 1; page <= pages; ++page) {
    const UnitId id = first + page - 1;
    commit.units.push_back(SampleUnit(id, document.id, page));
    commit.lexical.push_back({id, terms});
  }
  return commit;
}

}  // namespace sightline::store
