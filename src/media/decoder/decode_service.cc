#include "media/decoder/decode_service.h"

#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/frame_stream.h"
#include "media/decode_wire.h"
#include "media/decoder/decode_document.h"
#include "media/decoder/reply_writer.h"

namespace sightline::media {
namespace {

base::Status Decode(int input_fd, const ParsedRequest& parsed, ReplyWriter& writer) {
  SIGHTLINE_ASSIGN_OR_RETURN(const InputFile input, InputFile::FromDescriptor(input_fd));
  const int picture_side = parsed.options.picture_long_side_px;
  if (picture_side > 0) {
    SIGHTLINE_ASSIGN_OR_RETURN(const Image picture,
                               DecodeOnePicture(input, parsed.request.limits, picture_side));
    return writer.OnPicture(picture);
  }
  if (parsed.options.drawn_page > 0) {
    const DrawRequest drawing{.path = "",
                              .page_number = parsed.options.drawn_page,
                              .width_px = parsed.options.drawn_width_px,
                              .limits = parsed.request.limits};
    writer.BeginStep(drawing.page_number, "page " + std::to_string(drawing.page_number),
                     drawing.limits.cpu_seconds_a_page);
    SIGHTLINE_ASSIGN_OR_RETURN(EncodedImage drawn, DrawOnePage(input, drawing));
    return writer.OnDrawn(std::move(drawn));
  }
  return DecodeDocument(input, parsed.request, parsed.options.first_page, writer, writer);
}

/// OpenCV throws; so does the standard library when memory ends. Nothing leaves this component.
base::Status DecodeWithoutExceptions(int input_fd, const ParsedRequest& parsed,
                                     ReplyWriter& writer) {
  try {
    return Decode(input_fd, parsed, writer);
  } catch (const std::bad_alloc&) {
    return base::ResourceExhausted("the document needs more memory than the decoder may use");
  } catch (const std::exception& error) {
    return base::DataLoss(std::string("the document cannot be decoded: ") + error.what());
  }
}

}  // namespace

base::Status ServeOneDocument(int input_fd, int read_fd, int write_fd) {
  io::FrameStream stream(read_fd, write_fd, kMaxDecodeFrameBytes);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::optional<std::string> frame, stream.Read());
  if (!frame) return base::DataLoss("no decode request came");
  SIGHTLINE_ASSIGN_OR_RETURN(const ParsedRequest parsed, ParseRequest(*frame));
  ReplyWriter writer([&stream](std::string_view bytes) {
    return stream.Write(std::span<const char>(bytes.data(), bytes.size()));
  });
  return writer.End(DecodeWithoutExceptions(input_fd, parsed, writer));
}

}  // namespace sightline::media
