// Write and commit: encoded items of one document become previews, segments and one catalog commit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "ingest/draft.h"
#include "ingest/services.h"
#include "store/catalog.h"

namespace sightline::ingest {

/// Takes the items of one document in order. Nothing is visible before `Commit`; dropping the
/// writer leaves only garbage that the next start collects. Not thread-safe.
class DocumentWriter {
 public:
  DocumentWriter(const IngestServices& services, store::Document document)
      : services_(services), document_(std::move(document)) {}

  /// The document as far as it is known; the pipeline fills in what the decoder says of it.
  store::Document& document() { return document_; }

  /// Stores the previews and vectors of the next item.
  base::Status Add(EncodedItem item);
  /// Something to tell the owner; the same words are kept once.
  void AddWarning(std::string warning);
  /// Whether anything was added.
  bool HasUnits() const { return !commit_.units.empty(); }

  /// Sets the ends of shots, the previews of spoken passages and the language; writes segments;
  /// commits. Returns the document as it now stands.
  base::Result<store::Document> Commit();

 private:
  base::Status StorePreview(EncodedUnit& unit);
  base::Status AddVectors(const EncodedUnit& unit);
  base::Status AddTo(const model::EmbeddingSpace& space, store::UnitId id,
                     std::span<const float> vectors);
  void EndShots();
  void IllustratePassages();
  std::string MainLanguage() const;

  const IngestServices services_;
  store::Document document_;
  store::DocumentCommit commit_;
  std::map<std::string, std::unique_ptr<store::VectorWriter>> writers_;  ///< By space id.
  std::set<std::string> blobs_;
  std::set<std::string> warnings_;
};

}  // namespace sightline::ingest
