// Between the decoder protocol (proto/sightline/v1/decode.proto) and the types of decoded.h. What
// comes from the child is untrusted: every length, kind and text is checked here.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "media/decoded.h"
#include "media/decoder.h"

namespace sightline::v1 {
class DecodeReply;
class DecodeRequest;
}  // namespace sightline::v1

namespace sightline::media {

/// What a request says beside the DecodeRequest of the port.
struct WireOptions {
  int first_page = 1;            ///< 1-based; pages before it are skipped.
  int picture_long_side_px = 0;  ///< Not 0: one picture only.
  int drawn_page = 0;            ///< Not 0: only this page, drawn for people.
  int drawn_width_px = 0;        ///< Of the drawn page.
};

/// The request as a frame.
std::string EncodeRequest(const DecodeRequest& request, const WireOptions& options);

/// The request of a frame; `path` stays empty. kDataLoss when it is none or a value is out of
/// range.
struct ParsedRequest {
  DecodeRequest request;
  WireOptions options;
};
/// Checks and parses a request; see ParsedRequest.
base::Result<ParsedRequest> ParseRequest(std::string_view frame);

/// Typed values into reply messages; the moved ones may be left empty.
void ToWire(const DocumentInfo& info, v1::DecodeReply& reply);
void ToWire(DecodedPage page, v1::DecodeReply& reply);
void ToWire(DecodedFrame frame, v1::DecodeReply& reply);
void ToWire(const DecodedAudio& audio, v1::DecodeReply& reply);
void ToWire(const DecodedText& text, v1::DecodeReply& reply);
void ToWire(const Image& picture, v1::DecodeReply& reply);
void ToWire(EncodedImage drawn, v1::DecodeReply& reply);
/// The closing message.
void ToWireEnd(const base::Status& status, v1::DecodeReply& reply);

/// Parses a frame of the child. kDataLoss when it is no DecodeReply with a body.
base::Status ParseReply(std::string_view frame, v1::DecodeReply& reply);

/// The body of a reply as its type; kDataLoss when the reply's values contradict each other (pixels
/// that do not fit width × height, an unknown kind). Texts come out as valid UTF-8 without NUL.
base::Result<DocumentInfo> InfoFromWire(const v1::DecodeReply& reply);
base::Result<DecodedPage> PageFromWire(v1::DecodeReply& reply);
base::Result<DecodedFrame> FrameFromWire(v1::DecodeReply& reply);
base::Result<DecodedAudio> AudioFromWire(const v1::DecodeReply& reply);
base::Result<DecodedText> TextFromWire(const v1::DecodeReply& reply);
base::Result<Image> PictureFromWire(v1::DecodeReply& reply);
base::Result<EncodedImage> DrawnFromWire(v1::DecodeReply& reply);
/// A warning as valid UTF-8, at most 2,000 bytes.
std::string WarningFromWire(const v1::DecodeReply& reply);
/// The status of the closing message.
base::Status EndFromWire(const v1::DecodeReply& reply);

}  // namespace sightline::media
