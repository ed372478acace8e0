#include "ingest/document_writer.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace sightline::ingest {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// A last key frame whose end the file does not say is shown this long.
constexpr std::int64_t kLastShotMs = 2'000;

}  // namespace

void DocumentWriter::AddWarning(std::string warning) {
  if (warnings_.insert(warning).second) document_.warnings.push_back(std::move(warning));
}

Status DocumentWriter::StorePreview(EncodedUnit& unit) {
  const media::EncodedImage& preview = unit.draft.preview;
  if (preview.IsEmpty()) return OkStatus();
  SIGHTLINE_ASSIGN_OR_RETURN(unit.draft.unit.preview_sha256, services_.blobs.Put(preview.bytes));
  unit.draft.unit.preview_width = preview.width;
  unit.draft.unit.preview_height = preview.height;
  blobs_.insert(unit.draft.unit.preview_sha256);
  if (document_.preview_sha256.empty()) document_.preview_sha256 = unit.draft.unit.preview_sha256;
  return OkStatus();
}

Status DocumentWriter::AddTo(const model::EmbeddingSpace& space, store::UnitId id,
                             std::span<const float> vectors) {
  std::unique_ptr<store::VectorWriter>& writer = writers_[space.Id()];
  if (writer == nullptr) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        writer, services_.vectors.NewWriter({document_.collection, space.Id(), space.dims}));
  }
  return writer->Add(id, vectors);
}

Status DocumentWriter::AddVectors(const EncodedUnit& unit) {
  const store::UnitId id = unit.draft.unit.id;
  if (unit.text) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::TextEncoder> encoder,
                               services_.models.Text());
    SIGHTLINE_RETURN_IF_ERROR(AddTo(encoder->sentence_space(), id, unit.text->sentence));
    SIGHTLINE_RETURN_IF_ERROR(AddTo(encoder->token_space(), id, unit.text->tokens.values));
  }
  if (unit.image) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::ImageEncoder> encoder,
                               services_.models.Image());
    SIGHTLINE_RETURN_IF_ERROR(AddTo(encoder->feature_space(), id, unit.image->features));
    if (!unit.image->concepts.empty()) {
      SIGHTLINE_RETURN_IF_ERROR(AddTo(encoder->concept_space(), id, unit.image->concepts));
    }
  }
  if (unit.dual) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::shared_ptr<model::DualEncoder> encoder,
                               services_.models.Dual());
    SIGHTLINE_RETURN_IF_ERROR(AddTo(encoder->space(), id, *unit.dual));
  }
  return OkStatus();
}

Status DocumentWriter::Add(EncodedItem item) {
  for (std::string& warning : item.warnings) AddWarning(std::move(warning));
  if (item.units.empty()) return OkStatus();
  SIGHTLINE_ASSIGN_OR_RETURN(
      const store::UnitId first,
      services_.catalog.AllocateUnitIds(static_cast<std::int64_t>(item.units.size())));
  for (std::size_t i = 0; i < item.units.size(); ++i) {
    EncodedUnit& encoded = item.units[i];
    store::Unit& unit = encoded.draft.unit;
    unit.id = first + static_cast<store::UnitId>(i);
    unit.parent_id = encoded.draft.parent < 0 ? unit.id : first + encoded.draft.parent;
    unit.document_id = document_.id;
    unit.ordinal = static_cast<int>(commit_.units.size());
    SIGHTLINE_RETURN_IF_ERROR(StorePreview(encoded));
    SIGHTLINE_RETURN_IF_ERROR(AddVectors(encoded));
    if (!encoded.terms.empty()) commit_.lexical.push_back({unit.id, std::move(encoded.terms)});
    commit_.units.push_back(std::move(unit));
  }
  return OkStatus();
}

void DocumentWriter::EndShots() {
  std::vector<store::Unit*> shots;
  for (store::Unit& unit : commit_.units) {
    if (unit.kind == store::UnitKind::kShot) shots.push_back(&unit);
  }
  for (std::size_t i = 0; i < shots.size(); ++i) {
    store::Locator& locator = shots[i]->locator;
    if (i + 1 < shots.size()) {
      locator.end_ms = shots[i + 1]->locator.start_ms;
    } else {
      locator.end_ms = std::max(document_.duration_ms, locator.start_ms + kLastShotMs);
    }
  }
}

void DocumentWriter::IllustratePassages() {
  std::vector<const store::Unit*> shots;
  for (const store::Unit& unit : commit_.units) {
    if (unit.kind == store::UnitKind::kShot) shots.push_back(&unit);
  }
  if (shots.empty()) return;
  for (store::Unit& unit : commit_.units) {
    if (unit.kind != store::UnitKind::kPassage || unit.locator.start_ms < 0) continue;
    const auto after = std::upper_bound(shots.begin(), shots.end(), unit.locator.start_ms,
                                        [](std::int64_t time_ms, const store::Unit* shot) {
                                          return time_ms < shot->locator.start_ms;
                                        });
    const store::Unit& shot = after == shots.begin() ? **after : **std::prev(after);
    unit.preview_sha256 = shot.preview_sha256;
    unit.preview_width = shot.preview_width;
    unit.preview_height = shot.preview_height;
    unit.locator.key_frame_ms = shot.locator.key_frame_ms;
  }
}

std::string DocumentWriter::MainLanguage() const {
  constexpr std::array kLanguages = {text::Language::kOther, text::Language::kEnglish,
                                     text::Language::kChinese};
  std::map<text::Language, std::size_t> bytes;
  for (const store::Unit& unit : commit_.units) {
    if (unit.parent_id == unit.id) bytes[unit.language] += unit.text.size();
  }
  text::Language main = text::Language::kOther;
  for (const text::Language language : kLanguages) {
    if (bytes[language] > bytes[main]) main = language;
  }
  return std::string(text::LanguageCode(main));
}

Result<store::Document> DocumentWriter::Commit() {
  EndShots();
  IllustratePassages();
  if (commit_.units.empty()) AddWarning("nothing searchable was found in this file");
  document_.language = MainLanguage();
  document_.state = store::DocumentState::kReady;
  document_.reason.clear();
  document_.reason_code.clear();
  for (auto& [space, writer] : writers_) {
    SIGHTLINE_ASSIGN_OR_RETURN(store::SegmentRef segment, writer->Finish());
    commit_.segments.push_back(std::move(segment));
  }
  commit_.document = document_;
  commit_.blobs.assign(blobs_.begin(), blobs_.end());
  SIGHTLINE_ASSIGN_OR_RETURN([[maybe_unused]] const std::int64_t number,
                             services_.catalog.Commit(commit_));
  return services_.catalog.GetDocument(document_.id);
}

}  // namespace sightline::ingest
