#include "store/stored_names.h"

#include <array>
#include <string>
#include <utility>

namespace sightline::store {
namespace {

template <typename Enum>
using Name = std::pair<Enum, const char*>;

constexpr std::array kStates = {
    Name<DocumentState>{DocumentState::kQueued, "queued"},
    Name<DocumentState>{DocumentState::kProcessing, "processing"},
    Name<DocumentState>{DocumentState::kReady, "ready"},
    Name<DocumentState>{DocumentState::kFailed, "failed"},
};
constexpr std::array kUnitKinds = {
    Name<UnitKind>{UnitKind::kPage, "page"},       Name<UnitKind>{UnitKind::kRegion, "region"},
    Name<UnitKind>{UnitKind::kImage, "image"},     Name<UnitKind>{UnitKind::kShot, "shot"},
    Name<UnitKind>{UnitKind::kPassage, "passage"},
};
constexpr std::array kDocumentKinds = {
    Name<media::DocumentKind>{media::DocumentKind::kUnknown, "unknown"},
    Name<media::DocumentKind>{media::DocumentKind::kPdf, "pdf"},
    Name<media::DocumentKind>{media::DocumentKind::kImage, "image"},
    Name<media::DocumentKind>{media::DocumentKind::kVideo, "video"},
    Name<media::DocumentKind>{media::DocumentKind::kAudio, "audio"},
    Name<media::DocumentKind>{media::DocumentKind::kText, "text"},
};
constexpr std::array kSources = {
    Name<media::TextSource>{media::TextSource::kText, "text"},
    Name<media::TextSource>{media::TextSource::kOcr, "ocr"},
    Name<media::TextSource>{media::TextSource::kSpeech, "speech"},
    Name<media::TextSource>{media::TextSource::kSubtitle, "subtitle"},
    Name<media::TextSource>{media::TextSource::kOnScreenText, "on_screen_text"},
};
constexpr std::array kBlocks = {
    Name<media::BlockKind>{media::BlockKind::kParagraph, "paragraph"},
    Name<media::BlockKind>{media::BlockKind::kHeading, "heading"},
    Name<media::BlockKind>{media::BlockKind::kTable, "table"},
    Name<media::BlockKind>{media::BlockKind::kFigure, "figure"},
    Name<media::BlockKind>{media::BlockKind::kCaption, "caption"},
    Name<media::BlockKind>{media::BlockKind::kList, "list"},
    Name<media::BlockKind>{media::BlockKind::kOther, "other"},
};

template <typename Table, typename Enum>
const char* NameIn(const Table& table, Enum value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return name;
  }
  return "unknown";
}

template <typename Enum, typename Table>
base::Result<Enum> ValueIn(const Table& table, std::string_view name) {
  for (const auto& [value, entry] : table) {
    if (name == entry) return value;
  }
  return base::DataLoss("the catalog holds an unknown name: '" + std::string(name) + "'");
}

}  // namespace

const char* StoredName(DocumentState value) { return NameIn(kStates, value); }
const char* StoredName(UnitKind value) { return NameIn(kUnitKinds, value); }
const char* StoredName(media::DocumentKind value) { return NameIn(kDocumentKinds, value); }
const char* StoredName(media::TextSource value) { return NameIn(kSources, value); }
const char* StoredName(media::BlockKind value) { return NameIn(kBlocks, value); }

template <>
base::Result<DocumentState> FromStoredName(std::string_view name) {
  return ValueIn<DocumentState>(kStates, name);
}
template <>
base::Result<UnitKind> FromStoredName(std::string_view name) {
  return ValueIn<UnitKind>(kUnitKinds, name);
}
template <>
base::Result<media::DocumentKind> FromStoredName(std::string_view name) {
  return ValueIn<media::DocumentKind>(kDocumentKinds, name);
}
template <>
base::Result<media::TextSource> FromStoredName(std::string_view name) {
  return ValueIn<media::TextSource>(kSources, name);
}
template <>
base::Result<media::BlockKind> FromStoredName(std::string_view name) {
  return ValueIn<media::BlockKind>(kBlocks, name);
}

}  // namespace sightline::store
