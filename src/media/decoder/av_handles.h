// FFmpeg's objects, owned.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
}

#include <memory>
#include <string>

namespace sightline::media {

/// Deleter of AvCodecContext.
struct FreeCodecContext {
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
};
/// Deleter of AvFrame.
struct FreeFrame {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
/// Deleter of AvPacket.
struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
/// Deleter of AvScaler.
struct FreeScaler {
  void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};
/// Deleter of AvResampler.
struct FreeResampler {
  void operator()(SwrContext* resampler) const { swr_free(&resampler); }
};

using AvCodecContext = std::unique_ptr<AVCodecContext, FreeCodecContext>;
using AvFrame = std::unique_ptr<AVFrame, FreeFrame>;
using AvPacket = std::unique_ptr<AVPacket, FreePacket>;
using AvScaler = std::unique_ptr<SwsContext, FreeScaler>;
using AvResampler = std::unique_ptr<SwrContext, FreeResampler>;

/// FFmpeg's text for one of its negative error codes.
std::string AvErrorText(int error);

}  // namespace sightline::media
