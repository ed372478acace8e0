#include "media/decoder/av_input.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

extern "C" {
#include <libavutil/log.h>
}

namespace sightline::media {
namespace {

constexpr int kBufferBytes = 64 * 1024;
constexpr std::int64_t kProbeBytes = 8 << 20;
constexpr std::int64_t kAnalyzeUs = 10'000'000;
constexpr unsigned kMaxStreams = 64;

base::Status Unreadable(int error) {
  if (error == AVERROR(ENOMEM)) return base::ResourceExhausted("no memory to open the file");
  return base::DataLoss("the file is damaged or of an unknown type: " + AvErrorText(error));
}

}  // namespace

std::string AvErrorText(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text = {};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

AvInput::~AvInput() {
  avformat_close_input(&format_);
  if (io_ != nullptr) {
    av_freep(&io_->buffer);
    avio_context_free(&io_);
  }
}

int AvInput::Read(void* self, std::uint8_t* out, int size) {
  auto* input = static_cast<AvInput*>(self);
  const auto got = input->input_.ReadAt(input->position_, {out, static_cast<std::size_t>(size)});
  if (!got.ok()) return AVERROR(EIO);
  if (*got == 0) return AVERROR_EOF;
  input->position_ += static_cast<std::int64_t>(*got);
  return static_cast<int>(*got);
}

std::int64_t AvInput::Seek(void* self, std::int64_t offset, int whence) {
  auto* input = static_cast<AvInput*>(self);
  const std::int64_t size = input->input_.size_bytes();
  if ((whence & AVSEEK_SIZE) != 0) return size;
  std::int64_t target = offset;
  if ((whence & ~AVSEEK_FORCE) == SEEK_CUR) target += input->position_;
  if ((whence & ~AVSEEK_FORCE) == SEEK_END) target += size;
  if (target < 0) return AVERROR(EINVAL);
  input->position_ = target;
  return target;
}

base::Result<std::unique_ptr<AvInput>> AvInput::Open(const InputFile& input) {
  av_log_set_level(AV_LOG_QUIET);
  std::unique_ptr<AvInput> opened(new AvInput(input));
  auto* buffer = static_cast<unsigned char*>(av_malloc(kBufferBytes));
  if (buffer == nullptr) return Unreadable(AVERROR(ENOMEM));
  opened->io_ = avio_alloc_context(buffer, kBufferBytes, 0, opened.get(), &AvInput::Read, nullptr,
                                   &AvInput::Seek);
  opened->format_ = avformat_alloc_context();
  if (opened->io_ == nullptr || opened->format_ == nullptr) return Unreadable(AVERROR(ENOMEM));
  AVFormatContext* format = opened->format_;
  format->pb = opened->io_;
  format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_DISCARD_CORRUPT;
  format->probesize = kProbeBytes;
  format->max_analyze_duration = kAnalyzeUs;
  format->max_streams = static_cast<int>(kMaxStreams);
  // Playlists and the like would open other files; nothing but the given one may be read.
  AVDictionary* options = nullptr;
  av_dict_set(&options, "protocol_whitelist", "none", 0);
  int error = avformat_open_input(&opened->format_, nullptr, nullptr, &options);
  av_dict_free(&options);
  if (error < 0) return Unreadable(error);
  error = avformat_find_stream_info(opened->format_, nullptr);
  if (error < 0) return Unreadable(error);
  return opened;
}

base::Result<bool> AvInput::ReadPacket(AVPacket* packet) {
  constexpr int kMaxRetries = 1000;
  for (int retry = 0; retry < kMaxRetries; ++retry) {
    av_packet_unref(packet);
    const int error = av_read_frame(format_, packet);
    if (error >= 0) return true;
    if (error == AVERROR_EOF) return false;
    if (error != AVERROR(EAGAIN)) return Unreadable(error);
  }
  return base::DataLoss("the file is damaged: nothing more can be read from it");
}

base::Result<AvCodecContext> OpenStreamDecoder(const AVStream& stream, int threads,
                                               std::int64_t max_pixels) {
  const AVCodec* codec = avcodec_find_decoder(stream.codecpar->codec_id);
  if (codec == nullptr) {
    return base::DataLoss(std::string("no decoder for the codec: ") +
                          avcodec_get_name(stream.codecpar->codec_id));
  }
  AvCodecContext context(avcodec_alloc_context3(codec));
  if (context == nullptr) return base::ResourceExhausted("no memory for the decoder");
  int error = avcodec_parameters_to_context(context.get(), stream.codecpar);
  if (error < 0) return Unreadable(error);
  context->pkt_timebase = stream.time_base;
  context->thread_count = threads;
  context->max_pixels = max_pixels;
  context->err_recognition = 0;
  error = avcodec_open2(context.get(), codec, nullptr);
  if (error < 0) {
    return base::DataLoss(std::string("the decoder refuses the stream: ") + codec->name + ": " +
                          AvErrorText(error));
  }
  return context;
}

}  // namespace sightline::media
