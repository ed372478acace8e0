// A media container opened by FFmpeg from the input file.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "media/decoder/av_handles.h"
#include "media/decoder/input_file.h"

namespace sightline::media {

/// The demuxer of one file. Reads only the file: no other file, address or protocol can be opened
/// through it. Not thread-safe.
class AvInput {
 public:
  /// Probes the content and finds the streams. kDataLoss when FFmpeg cannot.
  static base::Result<std::unique_ptr<AvInput>> Open(const InputFile& input);
  ~AvInput();
  AvInput(const AvInput&) = delete;
  AvInput& operator=(const AvInput&) = delete;

  /// FFmpeg's container, valid as long as this.
  AVFormatContext* format() const { return format_; }

  /// The next packet; false at the end of the file. Damaged parts are skipped by FFmpeg; kDataLoss
  /// when it cannot go on.
  base::Result<bool> ReadPacket(AVPacket* packet);

 private:
  explicit AvInput(const InputFile& input) : input_(input) {}
  static int Read(void* self, std::uint8_t* out, int size);
  static std::int64_t Seek(void* self, std::int64_t offset, int whence);

  const InputFile& input_;
  std::int64_t position_ = 0;
  AVFormatContext* format_ = nullptr;
  AVIOContext* io_ = nullptr;
};

/// A decoder for `stream`, at most `threads` threads, refusing frames over `max_pixels`. kDataLoss
/// when there is none for its codec.
base::Result<AvCodecContext> OpenStreamDecoder(const AVStream& stream, int threads,
                                               std::int64_t max_pixels);

}  // namespace sightline::media
