#include "crash/store_scenario.h"

#include <set>

#include "crash/folder_check.h"
#include "store/contract/sample_documents.h"

namespace sightline::crash {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using store::Document;
using store::LocalStore;
using store::UnitId;

constexpr int kDims = 8;
constexpr int kPages = 3;
const store::SpaceKey kSpace{"default", "space", kDims};

std::string Numbered(const char* what, int number) { return what + std::to_string(number); }

/// A vector that no other unit has.
std::vector<float> VectorOf(UnitId id) {
  std::vector<float> vector(kDims);
  for (std::size_t i = 0; i < kDims; ++i) {
    vector[i] = static_cast<float>((id * 7 + static_cast<UnitId>(i) * 13) % 11) - 5.0F;
  }
  return vector;
}

Status CommitPages(LocalStore& store, const Document& document) {
  SIGHTLINE_ASSIGN_OR_RETURN(const UnitId first, store.catalog->AllocateUnitIds(kPages));
  store::DocumentCommit commit = store::SampleCommit(document, first, kPages, "泵 " + document.id);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, store.vectors->NewWriter(kSpace));
  for (store::Unit& unit : commit.units) {
    SIGHTLINE_RETURN_IF_ERROR(writer->Add(unit.id, VectorOf(unit.id)));
    SIGHTLINE_ASSIGN_OR_RETURN(unit.preview_sha256,
                               store.blobs->Put("preview " + std::to_string(unit.id)));
    commit.blobs.push_back(unit.preview_sha256);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(store::SegmentRef segment, writer->Finish());
  commit.segments.push_back(std::move(segment));
  return store.catalog->Commit(commit).status();
}

Status AddDocument(LocalStore& store, int number) {
  const Document document = store::SampleDocument(Numbered("D", number));
  SIGHTLINE_RETURN_IF_ERROR(store.blobs->Put("bytes of " + document.id).status());
  SIGHTLINE_RETURN_IF_ERROR(store.catalog->CreateDocument(document));
  SIGHTLINE_RETURN_IF_ERROR(CommitPages(store, document));
  return number % 3 == 0 ? CommitPages(store, document) : OkStatus();
}

Status Compact(LocalStore& store) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, store.catalog->GetSnapshot("default"));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto merges,
                             store.vectors->Compact(*snapshot, base::CancelToken()));
  for (const auto& merge : merges) {
    SIGHTLINE_RETURN_IF_ERROR(store.catalog->ReplaceSegments(merge.replaced, merge.merged));
    SIGHTLINE_RETURN_IF_ERROR(store.vectors->Retire(merge.replaced));
  }
  return OkStatus();
}

/// What is wrong with one document that is ready.
Result<std::vector<std::string>> CheckDocument(LocalStore& store, const Document& document,
                                               const store::Snapshot& snapshot) {
  std::vector<std::string> findings;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto units,
                             store.catalog->ListUnits({.document_id = document.id}));
  if (units.size() != kPages) findings.push_back(document.id + " is not whole");
  std::vector<UnitId> ids;
  for (const store::Unit& unit : units) {
    ids.push_back(unit.id);
    const auto preview = store.blobs->Read(unit.preview_sha256, 0, 100);
    if (!preview.ok() || *preview != "preview " + std::to_string(unit.id)) {
      findings.push_back(document.id + " has lost a preview");
    }
  }
  const std::vector<float> query = VectorOf(1);
  SIGHTLINE_ASSIGN_OR_RETURN(
      const auto scores,
      store.vectors->Score({kSpace, query, 100, nullptr}, ids, snapshot, base::CancelToken()));
  if (scores.size() != ids.size()) findings.push_back(document.id + " has lost vectors");
  SIGHTLINE_ASSIGN_OR_RETURN(
      const auto texts,
      store.lexical->Search({"default", {document.id}, 100, nullptr, {}}, base::CancelToken()));
  if (texts.units.size() != ids.size()) findings.push_back(document.id + " has lost text rows");
  return findings;
}

Status CheckJournal(LocalStore& store, const std::vector<std::string>& journal,
                    std::vector<std::string>& findings) {
  std::set<std::string> there;
  std::set<std::string> gone;
  for (const std::string& line : journal) {
    std::string id = "D";
    id += line.substr(line.find(' ') + 1);
    if (line.starts_with("added ")) there.insert(id);
    if (line.starts_with("remove ")) there.erase(id);
    if (line.starts_with("removed ")) gone.insert(id);
  }
  for (const std::string& id : there) {
    const auto document = store.catalog->GetDocument(id);
    if (!document.ok()) {
      findings.push_back(id + " was reported and is lost");
    } else if (document->state != store::DocumentState::kReady) {
      findings.push_back(id + " was reported and is not ready");
    }
  }
  for (const std::string& id : gone) {
    if (store.catalog->GetDocument(id).ok()) findings.push_back(id + " was removed and is there");
  }
  return OkStatus();
}

}  // namespace

Status RunScenario(LocalStore& store, int first, int rounds, const Journal& journal) {
  for (int number = first; number < first + rounds; ++number) {
    journal(Numbered("add ", number));
    SIGHTLINE_RETURN_IF_ERROR(AddDocument(store, number));
    journal(Numbered("added ", number));
    if (number % 4 == 3) {
      journal(Numbered("remove ", number - 2));
      const auto removed = store.catalog->RemoveDocument(Numbered("D", number - 2));
      if (!removed.ok() && removed.status().code() != base::StatusCode::kNotFound) {
        return removed.status();
      }
      journal(Numbered("removed ", number - 2));
      SIGHTLINE_RETURN_IF_ERROR(Compact(store));
      journal("compacted");
    }
  }
  return OkStatus();
}

Result<std::vector<std::string>> CheckStore(const store::LocalStoreOptions& options,
                                            LocalStore& store,
                                            const std::vector<std::string>& journal) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<std::string> findings, CheckFolder(options, store));
  SIGHTLINE_RETURN_IF_ERROR(CheckJournal(store, journal, findings));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, store.catalog->GetSnapshot("default"));
  store::DocumentQuery query;
  query.limit = 1'000;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto page, store.catalog->ListDocuments(query));
  for (const Document& document : page.documents) {
    if (document.state != store::DocumentState::kReady) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const auto more, CheckDocument(store, document, *snapshot));
    findings.insert(findings.end(), more.begin(), more.end());
  }
  return findings;
}

}  // namespace sightline::crash
