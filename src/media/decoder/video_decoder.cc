#include "media/decoder/video_decoder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "media/decoder/audio_track.h"
#include "media/decoder/av_input.h"
#include "media/decoder/subtitle_track.h"
#include "media/decoder/track_clock.h"
#include "media/decoder/video_track.h"

namespace sightline::media {
namespace {

constexpr std::size_t kMaxTags = 32;
constexpr std::size_t kMaxTagBytes = 1024;
constexpr std::size_t kMaxSubtitleTracks = 8;
// A file that ends this much (and a twentieth) before its stated end was cut off.
constexpr std::int64_t kMissingEndMs = 2'000;

bool IsCoverArt(const AVStream& stream) {
  return (stream.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) !=
         0;
}

const AVStream* BestVideo(AVFormatContext* format) {
  const int best = av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (best >= 0 && !IsCoverArt(*format->streams[best])) return format->streams[best];
  for (unsigned i = 0; i < format->nb_streams; ++i) {
    const AVStream* stream = format->streams[i];
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !IsCoverArt(*stream)) return stream;
  }
  return nullptr;
}

const AVStream* BestAudio(AVFormatContext* format) {
  const int best = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  return best >= 0 ? format->streams[best] : nullptr;
}

std::int64_t DurationMs(const AVFormatContext& format) {
  return format.duration == AV_NOPTS_VALUE || format.duration <= 0 ? -1 : format.duration / 1000;
}

DocumentInfo ReadInfo(const AVFormatContext& format, const AVStream* video, bool has_audio,
                      const std::string& media_type) {
  DocumentInfo info;
  info.kind = video != nullptr ? DocumentKind::kVideo : DocumentKind::kAudio;
  info.media_type = media_type;
  if (video == nullptr && media_type.starts_with("video/")) {
    info.media_type = "audio/" + media_type.substr(6);
  }
  info.duration_ms = DurationMs(format);
  info.has_audio = has_audio;
  if (video != nullptr) {
    const PixelSize size =
        PresentedSize({video->codecpar->width, video->codecpar->height}, PresentationOf(*video));
    info.width = size.width;
    info.height = size.height;
  }
  const AVDictionaryEntry* tag = nullptr;
  while ((tag = av_dict_get(format.metadata, "", tag, AV_DICT_IGNORE_SUFFIX)) != nullptr &&
         info.metadata.size() < kMaxTags) {
    const std::string value = base::SanitizeUtf8(base::TruncateUtf8(tag->value, kMaxTagBytes));
    const std::string key = base::SanitizeUtf8(base::TruncateUtf8(tag->key, 64));
    if (key == "title") {
      info.title = value;
    } else if (!value.empty()) {
      info.metadata.emplace(key, value);
    }
  }
  return info;
}

class ContainerDecoder {
 public:
  ContainerDecoder(const DecodeContext& context, AvInput& input)
      : context_(context), input_(input) {}

  base::Status Run() {
    AVFormatContext* format = input_.format();
    const AVStream* video = BestVideo(format);
    const AVStream* audio = BestAudio(format);
    if (video == nullptr && audio == nullptr) {
      return base::InvalidArgument("the file has neither pictures nor sound");
    }
    const std::int64_t duration_ms = DurationMs(*format);
    if (duration_ms > context_.request.limits.max_duration_ms) {
      return base::ResourceExhausted(
          "the file is longer than the limit of " +
          std::to_string(context_.request.limits.max_duration_ms / 3'600'000) +
          " h: " + std::to_string(duration_ms / 3'600'000) + " h");
    }
    SIGHTLINE_RETURN_IF_ERROR(OpenTracks(video, audio));
    SIGHTLINE_RETURN_IF_ERROR(
        context_.sink.OnInfo(ReadInfo(*format, video, audio != nullptr, context_.type.media_type)));
    for (std::string& warning : warnings_) {
      SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnWarning(std::move(warning)));
    }
    SIGHTLINE_RETURN_IF_ERROR(FeedAll());
    return Finish(duration_ms);
  }

 private:
  base::Status OpenTracks(const AVStream* video, const AVStream* audio) {
    if (video != nullptr) {
      SIGHTLINE_ASSIGN_OR_RETURN(video_, VideoTrack::Open(*video, context_, clock_));
    }
    if (audio != nullptr && context_.request.audio) {
      const auto origin =
          video == nullptr ? AudioTrack::Origin::kOwn : AudioTrack::Origin::kFromVideo;
      auto track = AudioTrack::Open(*audio, context_, clock_, origin);
      if (track.ok()) {
        audio_ = *std::move(track);
      } else if (video == nullptr) {
        return track.status();
      } else {
        warnings_.push_back("the sound was left out: " + track.status().message());
      }
    }
    AVFormatContext* format = input_.format();
    for (unsigned i = 0; i < format->nb_streams; ++i) {
      AVStream* stream = format->streams[i];
      if (SubtitleTrack::IsText(*stream) && subtitles_.size() < kMaxSubtitleTracks) {
        auto track = SubtitleTrack::Open(*stream, context_, clock_);
        if (track.ok()) subtitles_.push_back(*std::move(track));
      }
      const auto index = static_cast<int>(i);
      if (!IsUsed(index)) stream->discard = AVDISCARD_ALL;
    }
    return base::OkStatus();
  }

  bool IsUsed(int index) const {
    return (video_ != nullptr && video_->stream_index() == index) ||
           (audio_ != nullptr && audio_->stream_index() == index) ||
           std::any_of(subtitles_.begin(), subtitles_.end(),
                       [&](const auto& track) { return track->stream_index() == index; });
  }

  base::Status FeedAll() {
    const AvPacket packet(av_packet_alloc());
    if (packet == nullptr) return base::ResourceExhausted("no memory for a packet");
    for (;;) {
      const base::Result<bool> more = input_.ReadPacket(packet.get());
      if (!more.ok()) {
        // What was decoded so far is worth keeping; Finish says what is missing.
        SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnWarning(more.status().message()));
        break;
      }
      if (!*more) break;
      SIGHTLINE_RETURN_IF_ERROR(FeedOne(packet.get()));
    }
    if (video_ != nullptr) SIGHTLINE_RETURN_IF_ERROR(video_->Feed(nullptr));
    if (audio_ != nullptr) SIGHTLINE_RETURN_IF_ERROR(audio_->Feed(nullptr));
    for (const auto& track : subtitles_) SIGHTLINE_RETURN_IF_ERROR(track->Feed(nullptr));
    return base::OkStatus();
  }

  base::Status FeedOne(AVPacket* packet) {
    if (video_ != nullptr && packet->stream_index == video_->stream_index()) {
      return video_->Feed(packet);
    }
    if (audio_ != nullptr && packet->stream_index == audio_->stream_index()) {
      return audio_->Feed(packet);
    }
    for (const auto& track : subtitles_) {
      if (packet->stream_index == track->stream_index()) return track->Feed(packet);
    }
    return base::OkStatus();
  }

  base::Status Finish(std::int64_t duration_ms) {
    const bool pictures = video_ != nullptr && video_->frames() > 0;
    const bool sound = audio_ != nullptr && audio_->samples() > 0;
    if (!pictures && !sound) {
      return base::DataLoss("the file is damaged: no picture and no sound could be decoded");
    }
    if (video_ != nullptr && !pictures) {
      return context_.sink.OnWarning("no picture of the video could be decoded");
    }
    if (video_ != nullptr && video_->damaged_packets() > 0) {
      SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnWarning(
          "parts of the video are damaged: " + std::to_string(video_->damaged_packets()) +
          " packets"));
    }
    const std::int64_t reached_ms =
        std::max(pictures ? video_->last_ms() : 0, sound ? audio_->last_ms() : 0);
    if (duration_ms - reached_ms > kMissingEndMs + duration_ms / 20) {
      return context_.sink.OnWarning("the file ends early: " + std::to_string(reached_ms / 1000) +
                                     " of " + std::to_string(duration_ms / 1000) + " s");
    }
    return base::OkStatus();
  }

  const DecodeContext& context_;
  AvInput& input_;
  TrackClock clock_;
  std::unique_ptr<VideoTrack> video_;
  std::unique_ptr<AudioTrack> audio_;
  std::vector<std::unique_ptr<SubtitleTrack>> subtitles_;
  std::vector<std::string> warnings_;
};

}  // namespace

base::Status DecodeVideo(const DecodeContext& context) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::unique_ptr<AvInput> input, AvInput::Open(context.input));
  return ContainerDecoder(context, *input).Run();
}

}  // namespace sightline::media
