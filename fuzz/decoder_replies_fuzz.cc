// What a hostile sightline-decode sends: frames, messages in them, and what becomes of the
// messages.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/memory_file.h"
#include "fuzz/target.h"
#include "ingest/compose.h"
#include "io/frame_stream.h"
#include "media/decode_wire.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::fuzz {
namespace {

constexpr std::uint32_t kMaxFrameBytes = 1 << 16;

std::size_t CountBytes(std::string_view text) { return text.size(); }

void CheckDrafts(const std::vector<ingest::UnitDraft>& drafts) {
  for (const ingest::UnitDraft& draft : drafts) {
    CHECK(draft.parent < static_cast<int>(drafts.size()));
    CHECK(base::IsValidUtf8(draft.unit.text), "text of a unit");
    const media::Box& box = draft.unit.locator.box;
    CHECK(std::isfinite(box.x) && std::isfinite(box.y) && std::isfinite(box.right()) &&
              std::isfinite(box.bottom()),
          "a box can be compared and written as JSON");
  }
}

void CheckText(std::string_view text) { CHECK(base::IsValidUtf8(text), "text from the decoder"); }

// A reply that is refused is damage of the stream, whatever it is.
void CheckRefusal(const base::Status& status) {
  CHECK(status.ok() || status.code() == base::StatusCode::kDataLoss, status.ToString());
}

void UsePage(v1::DecodeReply& reply) {
  auto page = media::PageFromWire(reply);
  if (page.ok()) CheckDrafts(ingest::ComposePage(*std::move(page), &CountBytes));
}

void UseFrame(v1::DecodeReply& reply) {
  auto frame = media::FrameFromWire(reply);
  if (!frame.ok()) return;
  CheckDrafts(ingest::ComposeShot(*frame, {}));
  CheckDrafts(ingest::ComposePicture(*std::move(frame), {}, &CountBytes));
}

// Cues are joined to those before them, as in a real stream.
void UseText(const v1::DecodeReply& reply, std::vector<ingest::Cue>& cues) {
  const auto text = media::TextFromWire(reply);
  if (!text.ok()) return;
  CHECK(base::IsValidUtf8(text->text));
  cues.push_back({text->start_ms, text->end_ms, text->text});
  CheckDrafts(ingest::ComposeCues(cues, text->source));
  CheckDrafts(ingest::ComposeText(text->text, &CountBytes));
}

void Use(v1::DecodeReply& reply, std::vector<ingest::Cue>& cues) {
  switch (reply.body_case()) {
    case v1::DecodeReply::kInfo:
      CheckRefusal(media::InfoFromWire(reply).status());
      break;
    case v1::DecodeReply::kPage:
      UsePage(reply);
      break;
    case v1::DecodeReply::kFrame:
      UseFrame(reply);
      break;
    case v1::DecodeReply::kAudio:
      CheckRefusal(media::AudioFromWire(reply).status());
      break;
    case v1::DecodeReply::kText:
      UseText(reply, cues);
      break;
    case v1::DecodeReply::kPicture:
      CheckRefusal(media::PictureFromWire(reply).status());
      break;
    case v1::DecodeReply::kDrawn:
      CheckRefusal(media::DrawnFromWire(reply).status());
      break;
    case v1::DecodeReply::kEnd:
      CheckText(media::EndFromWire(reply).message());
      break;
    default:
      CheckText(media::WarningFromWire(reply));
  }
}

void Run(std::string_view input) {
  const MemoryFile file(input);
  const io::UniqueFd reading = file.OpenAgain();
  io::FrameStream frames(reading.get(), -1, kMaxFrameBytes);
  v1::DecodeReply reply;
  std::vector<ingest::Cue> cues;
  for (;;) {
    const auto frame = frames.Read();
    if (!frame.ok() || !frame->has_value()) return;
    // The child's side reads the same frames when the program is the hostile one.
    [[maybe_unused]] const auto request = media::ParseRequest(**frame);
    if (media::ParseReply(**frame, reply).ok()) Use(reply, cues);
  }
}

const Registration kTarget({.name = "decoder_replies", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
