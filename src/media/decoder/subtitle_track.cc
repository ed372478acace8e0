#include "media/decoder/subtitle_track.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "media/decoder/av_input.h"

namespace sightline::media {
namespace {

// Fields before the text of an ASS event as FFmpeg gives it.
constexpr int kAssFields = 8;
// A cue that does not say how long it is shown.
constexpr std::int64_t kUnknownDurationUs = 2'000'000;
constexpr std::size_t kMaxWaitingCues = 10'000;

std::string CollapseSpaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t';
    if (space && (out.empty() || out.back() == ' ' || out.back() == '\n')) continue;
    if (c == '\n' && !out.empty() && out.back() == ' ') out.pop_back();
    if (c == '\n' && (out.empty() || out.back() == '\n')) continue;
    out.push_back(space ? ' ' : c);
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out;
}

}  // namespace

std::string SubtitleText(std::string_view event) {
  std::string out;
  std::size_t at = 0;
  while (at < event.size()) {
    const char c = event[at];
    if (c == '{') {
      const std::size_t end = event.find('}', at);
      if (end == std::string_view::npos) break;
      at = end + 1;
    } else if (c == '<') {
      // Tags of WebVTT and SubRip; a lone "<" is text.
      const std::size_t end = event.find('>', at);
      const bool tag = end != std::string_view::npos && at + 1 < event.size() &&
                       (event[at + 1] == '/' || (event[at + 1] >= 'a' && event[at + 1] <= 'z'));
      if (!tag) out.push_back(c);
      at = tag ? end + 1 : at + 1;
    } else if (c == '\\' && at + 1 < event.size() &&
               (event[at + 1] == 'N' || event[at + 1] == 'n' || event[at + 1] == 'h')) {
      out.push_back(event[at + 1] == 'h' ? ' ' : '\n');
      at += 2;
    } else {
      out.push_back(c == '\r' ? '\n' : c);
      ++at;
    }
  }
  return base::SanitizeUtf8(CollapseSpaces(out));
}

bool SubtitleTrack::IsText(const AVStream& stream) {
  if (stream.codecpar->codec_type != AVMEDIA_TYPE_SUBTITLE) return false;
  const AVCodecDescriptor* descriptor = avcodec_descriptor_get(stream.codecpar->codec_id);
  return descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_TEXT_SUB) != 0 &&
         avcodec_find_decoder(stream.codecpar->codec_id) != nullptr;
}

base::Result<std::unique_ptr<SubtitleTrack>> SubtitleTrack::Open(const AVStream& stream,
                                                                 const DecodeContext& context,
                                                                 TrackClock& clock) {
  std::unique_ptr<SubtitleTrack> track(new SubtitleTrack(stream, context, clock));
  SIGHTLINE_ASSIGN_OR_RETURN(track->decoder_, OpenStreamDecoder(stream, 1, 1));
  const AVDictionaryEntry* language = av_dict_get(stream.metadata, "language", nullptr, 0);
  if (language != nullptr && std::string_view(language->value) != "und") {
    track->language_ = base::SanitizeUtf8(std::string_view(language->value).substr(0, 35));
  }
  return track;
}

base::Status SubtitleTrack::Feed(AVPacket* packet) {
  if (packet == nullptr) return SendWaiting();
  const auto stamp = TrackClock::Microseconds(packet->pts, stream_.time_base);
  if (!stamp) return base::OkStatus();
  AVSubtitle subtitle = {};
  int got = 0;
  if (avcodec_decode_subtitle2(decoder_.get(), &subtitle, &got, packet) < 0 || got == 0) {
    return base::OkStatus();  // a damaged cue; the others are fine
  }
  Cue cue;
  cue.start_us = *stamp + std::int64_t{subtitle.start_display_time} * 1000;
  cue.end_us = cue.start_us + kUnknownDurationUs;
  const auto duration = TrackClock::Microseconds(packet->duration, stream_.time_base);
  if (duration && *duration > 0) cue.end_us = *stamp + *duration;
  for (unsigned i = 0; i < subtitle.num_rects; ++i) {
    const AVSubtitleRect& rect = *subtitle.rects[i];
    std::string_view event = rect.ass != nullptr ? rect.ass : "";
    for (int field = 0; field < kAssFields; ++field) {
      event.remove_prefix(std::min(event.size(), event.find(',') + 1));
    }
    if (event.empty() && rect.text != nullptr) event = rect.text;
    const std::string text = SubtitleText(event);
    if (!cue.text.empty() && !text.empty()) cue.text.push_back('\n');
    cue.text.append(text);
  }
  avsubtitle_free(&subtitle);
  text_bytes_ += static_cast<std::int64_t>(cue.text.size());
  if (text_bytes_ > context_.request.limits.max_text_bytes) {
    return base::ResourceExhausted("the subtitles are larger than the limit");
  }
  if (!cue.text.empty() && waiting_.size() < kMaxWaitingCues) waiting_.push_back(std::move(cue));
  return clock_.has_origin() ? SendWaiting() : base::OkStatus();
}

base::Status SubtitleTrack::SendWaiting() {
  for (Cue& cue : std::exchange(waiting_, {})) {
    DecodedText text;
    text.source = TextSource::kSubtitle;
    text.start_ms = std::max<std::int64_t>(0, clock_.Milliseconds(cue.start_us));
    text.end_ms = std::max(text.start_ms, clock_.Milliseconds(cue.end_us));
    text.text = std::move(cue.text);
    text.language = language_;
    if (clock_.Milliseconds(cue.end_us) <= 0) continue;  // shown before the first picture
    SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnText(std::move(text)));
  }
  return base::OkStatus();
}

}  // namespace sightline::media
