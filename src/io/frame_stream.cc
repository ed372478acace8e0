#include "io/frame_stream.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace sightline::io {
namespace {

// Reads until `out` is full or the stream ends; the number of bytes read.
base::Result<size_t> ReadFully(int fd, std::span<char> out) {
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = read(fd, out.data() + done, out.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::IoError("cannot read a frame", errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

base::Status WriteFully(int fd, std::span<const char> data) {
  while (!data.empty()) {
    const ssize_t put = write(fd, data.data(), data.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return base::IoError("cannot write a frame", errno);
    data = data.subspan(static_cast<size_t>(put));
  }
  return base::OkStatus();
}

}  // namespace

std::array<char, kFrameHeaderBytes> EncodeFrameHeader(uint32_t size_bytes) {
  std::array<char, kFrameHeaderBytes> header;
  for (size_t i = 0; i < header.size(); ++i) header[i] = static_cast<char>(size_bytes >> (8 * i));
  return header;
}

uint32_t DecodeFrameHeader(std::span<const char, kFrameHeaderBytes> header) {
  uint32_t size_bytes = 0;
  for (size_t i = 0; i < header.size(); ++i) {
    size_bytes |= uint32_t{static_cast<unsigned char>(header[i])} << (8 * i);
  }
  return size_bytes;
}

base::Result<std::optional<std::string>> FrameStream::Read() {
  std::array<char, kFrameHeaderBytes> header;
  SIGHTLINE_ASSIGN_OR_RETURN(const size_t header_bytes, ReadFully(read_fd_, header));
  if (header_bytes == 0) return std::optional<std::string>();
  if (header_bytes < header.size()) return base::DataLoss("the stream ends inside a frame header");
  const uint32_t size_bytes = DecodeFrameHeader(header);
  if (size_bytes > max_frame_bytes_) {
    return base::ResourceExhausted("a frame is too long: " + std::to_string(size_bytes) + " bytes");
  }
  std::string payload(size_bytes, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const size_t payload_bytes, ReadFully(read_fd_, payload));
  if (payload_bytes < size_bytes) return base::DataLoss("the stream ends inside a frame");
  return std::optional<std::string>(std::move(payload));
}

base::Status FrameStream::Write(std::span<const char> payload) {
  if (payload.size() > max_frame_bytes_) {
    return base::ResourceExhausted("a frame is too long: " + std::to_string(payload.size()) +
                                   " bytes");
  }
  SIGHTLINE_RETURN_IF_ERROR(
      WriteFully(write_fd_, EncodeFrameHeader(static_cast<uint32_t>(payload.size()))));
  return WriteFully(write_fd_, payload);
}

}  // namespace sightline::io
