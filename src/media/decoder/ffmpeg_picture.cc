// Pictures that FFmpeg decodes: PNG, GIF, BMP, PNM, JPEG 2000, PSD, icons and others.
#include <memory>
#include <string>
#include <utility>

#include "media/decoder/av_input.h"
#include "media/decoder/exif_orientation.h"
#include "media/decoder/frame_image.h"
#include "media/decoder/picture_format.h"

namespace sightline::media {
namespace {

constexpr int kMaxPackets = 64;  // before a picture's first frame must have come

/// Of several pictures (sizes of an icon) the largest.
const AVStream* LargestVideoStream(const AVFormatContext& format) {
  const AVStream* best = nullptr;
  std::int64_t best_pixels = -1;
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    const AVStream* stream = format.streams[i];
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) continue;
    const std::int64_t pixels = std::int64_t{stream->codecpar->width} * stream->codecpar->height;
    if (pixels > best_pixels) best = stream;
    best_pixels = std::max(best_pixels, pixels);
  }
  return best;
}

/// Decodes until the first frame comes out.
base::Result<AvFrame> FirstFrame(AvInput& input, const AVStream& stream, AVCodecContext* decoder) {
  AvFrame frame(av_frame_alloc());
  const AvPacket packet(av_packet_alloc());
  if (frame == nullptr || packet == nullptr) return base::ResourceExhausted("no memory");
  int error = 0;
  for (int count = 0; count < kMaxPackets; ++count) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool more, input.ReadPacket(packet.get()));
    if (more && packet->stream_index != stream.index) continue;
    const int sent = avcodec_send_packet(decoder, more ? packet.get() : nullptr);
    if (sent < 0 && error == 0) error = sent;
    if (sent == AVERROR(ENOMEM)) return base::ResourceExhausted("no memory for the picture");
    const int received = avcodec_receive_frame(decoder, frame.get());
    if (received >= 0) return frame;
    if (!more) break;
  }
  return base::DataLoss("the picture cannot be decoded: " +
                        (error < 0 ? AvErrorText(error) : std::string("no frame in it")));
}

/// Sizes that stand in the first bytes: FFmpeg only says "invalid" of one that is far too large.
base::Status CheckHeaderSize(const PictureRequest& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string head, request.input.ReadPrefix(32));
  const auto byte = [&](std::size_t at) {
    return std::int64_t{static_cast<unsigned char>(head[at])};
  };
  const auto big_endian = [&](std::size_t at) {
    return byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
  };
  if (request.media_type == "image/gif" && head.size() >= 10) {
    return CheckPictureSize(byte(6) | byte(7) << 8, byte(8) | byte(9) << 8, request.max_pixels);
  }
  if (request.media_type == "image/png" && head.size() >= 24) {
    return CheckPictureSize(big_endian(16), big_endian(20), request.max_pixels);
  }
  return base::OkStatus();
}

int Orientation(const PictureRequest& request) {
  if (request.media_type != "image/png") return 1;
  const base::Result<std::string> file = ReadPictureFile(request.input);
  return file.ok() ? PngOrientation(*file) : 1;
}

}  // namespace

base::Result<DecodedPicture> DecodeWithFfmpeg(const PictureRequest& request) {
  SIGHTLINE_RETURN_IF_ERROR(CheckHeaderSize(request));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::unique_ptr<AvInput> input, AvInput::Open(request.input));
  const AVStream* stream = LargestVideoStream(*input->format());
  if (stream == nullptr) return base::DataLoss("the picture is damaged: there is none in the file");
  // What the demuxer found; the decoder checks again when it meets the true size.
  if (stream->codecpar->width > 0) {
    SIGHTLINE_RETURN_IF_ERROR(
        CheckPictureSize(stream->codecpar->width, stream->codecpar->height, request.max_pixels));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const AvCodecContext decoder,
                             OpenStreamDecoder(*stream, 1, request.max_pixels));
  SIGHTLINE_ASSIGN_OR_RETURN(const AvFrame frame, FirstFrame(*input, *stream, decoder.get()));
  SIGHTLINE_RETURN_IF_ERROR(CheckPictureSize(frame->width, frame->height, request.max_pixels));
  DecodedPicture picture;
  picture.damaged = frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0;
  FrameConverter converter;
  // Aspect ratios of pictures are resolutions of scanners more often than shapes of pixels.
  SIGHTLINE_ASSIGN_OR_RETURN(picture.image,
                             converter.ToImage(*frame, Presentation(), request.long_side_px));
  const int orientation = Orientation(request);
  picture.image = ApplyOrientation(std::move(picture.image), orientation);
  picture.size = orientation >= 5 ? PixelSize{frame->height, frame->width}
                                  : PixelSize{frame->width, frame->height};
  return picture;
}

}  // namespace sightline::media
