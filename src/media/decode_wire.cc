#include "media/decode_wire.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/utf8.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

using base::DataLoss;
using base::OkStatus;
using base::Status;

constexpr int kMaxSidePx = 65'535;
constexpr std::size_t kMaxReasonBytes = 2'000;
// Far behind any page (200 inches in PDF 2.0) and film, and so small that sums and differences of
// what passes stay finite and in their type.
constexpr double kMaxCoordinate = 1e9;
constexpr std::int64_t kMaxTimeMs = std::int64_t{10} * 365 * 24 * 3600 * 1000;

Status Contradiction(const char* what) {
  return DataLoss(std::string("the decoder sent a message that contradicts itself: ") + what);
}

Status CheckBox(const v1::Box& box) {
  const bool finite = std::isfinite(box.x()) && std::isfinite(box.y()) &&
                      std::isfinite(box.width()) && std::isfinite(box.height());
  return finite ? OkStatus() : Contradiction("a box that is not finite");
}

void SetBox(const Box& box, v1::Box& out) {
  out.set_x(box.x);
  out.set_y(box.y);
  out.set_width(box.width);
  out.set_height(box.height);
}

// Content may well lie far outside of its page: such a box is cut, not refused.
Box GetBox(const v1::Box& box) {
  const auto bounded = [](double value) {
    return std::clamp(value, -kMaxCoordinate, kMaxCoordinate);
  };
  return {bounded(box.x()), bounded(box.y()), bounded(box.width()), bounded(box.height())};
}

// A time of the file; -1: it does not say.
std::int64_t BoundedTime(std::int64_t time_ms) {
  return std::clamp<std::int64_t>(time_ms, -1, kMaxTimeMs);
}

void SetPicture(const Image& image, v1::Picture& out) {
  out.set_width(image.width);
  out.set_height(image.height);
  out.mutable_pixels()->assign(image.pixels.begin(), image.pixels.end());
}

base::Result<Image> GetPicture(const v1::Picture& picture) {
  Image image;
  if (picture.width() < 0 || picture.height() < 0 || picture.width() > kMaxSidePx ||
      picture.height() > kMaxSidePx) {
    return Contradiction("picture size");
  }
  const std::size_t expected =
      static_cast<std::size_t>(picture.width()) * static_cast<std::size_t>(picture.height()) * 3;
  if (picture.pixels().size() != expected) return Contradiction("pixels and picture size");
  image.width = picture.width();
  image.height = picture.height();
  image.pixels.resize(expected);
  if (expected > 0) std::memcpy(image.pixels.data(), picture.pixels().data(), expected);
  return image;
}

void SetPreview(EncodedImage preview, v1::EncodedPicture& out) {
  out.set_media_type(preview.media_type);
  out.set_width(preview.width);
  out.set_height(preview.height);
  out.set_bytes(std::move(preview.bytes));
}

base::Result<EncodedImage> GetPreview(v1::EncodedPicture& preview) {
  if (preview.width() < 0 || preview.height() < 0 || preview.width() > kMaxSidePx ||
      preview.height() > kMaxSidePx) {
    return Contradiction("preview size");
  }
  if (!preview.bytes().empty() && preview.media_type() != "image/webp" &&
      preview.media_type() != "image/jpeg") {
    return Contradiction("preview type");
  }
  EncodedImage image;
  image.media_type = preview.media_type();
  image.width = preview.width();
  image.height = preview.height();
  image.bytes = std::move(*preview.mutable_bytes());
  return image;
}

base::Result<LayoutBlock> GetBlock(const v1::Block& block) {
  if (block.kind() < 0 || block.kind() > static_cast<int>(BlockKind::kOther)) {
    return Contradiction("block kind");
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckBox(block.box()));
  LayoutBlock out;
  out.kind = static_cast<BlockKind>(block.kind());
  out.box = GetBox(block.box());
  out.lines.reserve(static_cast<std::size_t>(block.lines_size()));
  for (const v1::Line& line : block.lines()) {
    SIGHTLINE_RETURN_IF_ERROR(CheckBox(line.box()));
    out.lines.push_back({base::SanitizeUtf8(line.text()), GetBox(line.box())});
  }
  return out;
}

bool Positive(int value) { return value > 0 && value <= kMaxSidePx; }

}  // namespace

std::string EncodeRequest(const DecodeRequest& request, const WireOptions& options) {
  v1::DecodeRequest wire;
  wire.set_file_name(base::SanitizeUtf8(request.file_name));
  wire.set_render_long_side_px(request.render_long_side_px);
  wire.set_frame_long_side_px(request.frame_long_side_px);
  wire.set_preview_long_side_px(request.preview_long_side_px);
  wire.set_audio(request.audio);
  wire.set_first_page(options.first_page);
  wire.set_picture_long_side_px(options.picture_long_side_px);
  if (options.drawn_page != 0) {
    wire.mutable_page_drawing()->set_page_number(options.drawn_page);
    wire.mutable_page_drawing()->set_width_px(options.drawn_width_px);
  }
  v1::DecodeLimits& limits = *wire.mutable_limits();
  limits.set_max_pages(request.limits.max_pages);
  limits.set_max_render_pixels(request.limits.max_render_pixels);
  limits.set_max_image_pixels(request.limits.max_image_pixels);
  limits.set_max_duration_ms(request.limits.max_duration_ms);
  limits.set_max_text_bytes(request.limits.max_text_bytes);
  limits.set_cpu_seconds_a_page(request.limits.cpu_seconds_a_page);
  return wire.SerializeAsString();
}

base::Result<ParsedRequest> ParseRequest(std::string_view frame) {
  v1::DecodeRequest wire;
  if (frame.size() > std::numeric_limits<int>::max() ||
      !wire.ParseFromArray(frame.data(), static_cast<int>(frame.size()))) {
    return DataLoss("not a decode request");
  }
  const v1::DecodeLimits& from = wire.limits();
  if (!Positive(wire.render_long_side_px()) || !Positive(wire.frame_long_side_px()) ||
      !Positive(wire.preview_long_side_px()) || wire.first_page() < 1 ||
      wire.picture_long_side_px() < 0 || wire.picture_long_side_px() > kMaxSidePx ||
      from.max_pages() < 1 || from.max_render_pixels() < 1 || from.max_image_pixels() < 1 ||
      from.max_duration_ms() < 1 || from.max_text_bytes() < 1 || from.cpu_seconds_a_page() < 1) {
    return DataLoss("a decode request with a value out of range");
  }
  const v1::PageDrawing& drawing = wire.page_drawing();
  if (wire.has_page_drawing() && (drawing.page_number() < 1 || !Positive(drawing.width_px()))) {
    return DataLoss("a request for a page with a value out of range");
  }
  ParsedRequest parsed;
  parsed.request.file_name = wire.file_name();
  parsed.request.render_long_side_px = wire.render_long_side_px();
  parsed.request.frame_long_side_px = wire.frame_long_side_px();
  parsed.request.preview_long_side_px = wire.preview_long_side_px();
  parsed.request.audio = wire.audio();
  DecodeLimits& limits = parsed.request.limits;
  limits.max_pages = from.max_pages();
  limits.max_render_pixels = from.max_render_pixels();
  limits.max_image_pixels = from.max_image_pixels();
  limits.max_duration_ms = from.max_duration_ms();
  limits.max_text_bytes = from.max_text_bytes();
  limits.cpu_seconds_a_page = from.cpu_seconds_a_page();
  parsed.options.first_page = wire.first_page();
  parsed.options.picture_long_side_px = wire.picture_long_side_px();
  parsed.options.drawn_page = drawing.page_number();
  parsed.options.drawn_width_px = drawing.width_px();
  return parsed;
}

void ToWire(const DocumentInfo& info, v1::DecodeReply& reply) {
  v1::DocumentInfo& out = *reply.mutable_info();
  out.set_kind(static_cast<int>(info.kind));
  out.set_media_type(info.media_type);
  out.set_title(info.title);
  out.set_page_count(info.page_count);
  out.set_duration_ms(info.duration_ms);
  out.set_width(info.width);
  out.set_height(info.height);
  out.set_has_audio(info.has_audio);
  for (const auto& [key, value] : info.metadata) (*out.mutable_metadata())[key] = value;
}

void ToWire(DecodedPage page, v1::DecodeReply& reply) {
  v1::Page& out = *reply.mutable_page();
  out.set_page_number(page.page_number);
  out.set_label(page.label);
  out.set_width_pt(page.width_pt);
  out.set_height_pt(page.height_pt);
  out.set_needs_ocr(page.needs_ocr);
  out.set_pixels_per_point(page.pixels_per_point);
  for (const LayoutBlock& block : page.blocks) {
    v1::Block& to = *out.add_blocks();
    to.set_kind(static_cast<int>(block.kind));
    SetBox(block.box, *to.mutable_box());
    for (const TextLine& line : block.lines) {
      v1::Line& line_out = *to.add_lines();
      line_out.set_text(line.text);
      SetBox(line.box, *line_out.mutable_box());
    }
  }
  SetPicture(page.render, *out.mutable_render());
  SetPreview(std::move(page.preview), *out.mutable_preview());
}

void ToWire(DecodedFrame frame, v1::DecodeReply& reply) {
  v1::Frame& out = *reply.mutable_frame();
  out.set_pts_ms(frame.pts_ms);
  out.set_motion_px(frame.motion_px);
  out.set_is_cut(frame.is_cut);
  out.set_cut_ms(frame.cut_ms);
  SetPicture(frame.image, *out.mutable_image());
  SetPreview(std::move(frame.preview), *out.mutable_preview());
}

void ToWire(const DecodedAudio& audio, v1::DecodeReply& reply) {
  v1::Audio& out = *reply.mutable_audio();
  out.set_start_ms(audio.start_ms);
  out.mutable_samples()->Add(audio.samples.begin(), audio.samples.end());
}

void ToWire(const DecodedText& text, v1::DecodeReply& reply) {
  v1::Text& out = *reply.mutable_text();
  out.set_source(static_cast<int>(text.source));
  out.set_start_ms(text.start_ms);
  out.set_end_ms(text.end_ms);
  out.set_text(text.text);
  out.set_language(text.language);
}

void ToWire(const Image& picture, v1::DecodeReply& reply) {
  SetPicture(picture, *reply.mutable_picture());
}

void ToWire(EncodedImage drawn, v1::DecodeReply& reply) {
  SetPreview(std::move(drawn), *reply.mutable_drawn());
}

void ToWireEnd(const base::Status& status, v1::DecodeReply& reply) {
  reply.mutable_end()->set_code(static_cast<int>(status.code()));
  reply.mutable_end()->set_message(
      std::string(base::TruncateUtf8(base::SanitizeUtf8(status.message()), kMaxReasonBytes)));
}

base::Status ParseReply(std::string_view frame, v1::DecodeReply& reply) {
  reply.Clear();
  if (frame.size() > std::numeric_limits<int>::max() ||
      !reply.ParseFromArray(frame.data(), static_cast<int>(frame.size())) ||
      reply.body_case() == v1::DecodeReply::BODY_NOT_SET) {
    return DataLoss("the decoder sent bytes that are no message");
  }
  return OkStatus();
}

base::Result<DocumentInfo> InfoFromWire(const v1::DecodeReply& reply) {
  const v1::DocumentInfo& from = reply.info();
  if (from.kind() < 0 || from.kind() > static_cast<int>(DocumentKind::kText)) {
    return Contradiction("document kind");
  }
  if (from.page_count() < 0 || from.width() < 0 || from.height() < 0) {
    return Contradiction("a negative count");
  }
  DocumentInfo info;
  info.kind = static_cast<DocumentKind>(from.kind());
  info.media_type = base::SanitizeUtf8(from.media_type());
  info.title = base::SanitizeUtf8(from.title());
  info.page_count = from.page_count();
  info.duration_ms = BoundedTime(from.duration_ms());
  info.width = from.width();
  info.height = from.height();
  info.has_audio = from.has_audio();
  for (const auto& [key, value] : from.metadata()) {
    info.metadata.emplace(base::SanitizeUtf8(key), base::SanitizeUtf8(value));
  }
  return info;
}

base::Result<DecodedPage> PageFromWire(v1::DecodeReply& reply) {
  v1::Page& from = *reply.mutable_page();
  const bool sizes_fine = std::isfinite(from.width_pt()) && std::isfinite(from.height_pt()) &&
                          from.width_pt() > 0 && from.height_pt() > 0 &&
                          from.width_pt() <= kMaxCoordinate && from.height_pt() <= kMaxCoordinate &&
                          std::isfinite(from.pixels_per_point()) && from.pixels_per_point() >= 0;
  if (from.page_number() < 1 || !sizes_fine) return Contradiction("page number or size");
  DecodedPage page;
  page.page_number = from.page_number();
  page.label = base::SanitizeUtf8(from.label());
  page.width_pt = from.width_pt();
  page.height_pt = from.height_pt();
  page.needs_ocr = from.needs_ocr();
  page.pixels_per_point = from.pixels_per_point();
  page.blocks.reserve(static_cast<std::size_t>(from.blocks_size()));
  for (const v1::Block& block : from.blocks()) {
    SIGHTLINE_ASSIGN_OR_RETURN(LayoutBlock checked, GetBlock(block));
    page.blocks.push_back(std::move(checked));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(page.render, GetPicture(from.render()));
  SIGHTLINE_ASSIGN_OR_RETURN(page.preview, GetPreview(*from.mutable_preview()));
  return page;
}

base::Result<DecodedFrame> FrameFromWire(v1::DecodeReply& reply) {
  v1::Frame& from = *reply.mutable_frame();
  if (from.pts_ms() < 0 || from.pts_ms() > kMaxTimeMs || !std::isfinite(from.motion_px())) {
    return Contradiction("frame time");
  }
  DecodedFrame frame;
  frame.pts_ms = from.pts_ms();
  frame.motion_px = from.motion_px();
  frame.is_cut = from.is_cut();
  frame.cut_ms = BoundedTime(from.cut_ms());
  SIGHTLINE_ASSIGN_OR_RETURN(frame.image, GetPicture(from.image()));
  SIGHTLINE_ASSIGN_OR_RETURN(frame.preview, GetPreview(*from.mutable_preview()));
  return frame;
}

base::Result<DecodedAudio> AudioFromWire(const v1::DecodeReply& reply) {
  const v1::Audio& from = reply.audio();
  if (from.start_ms() < 0 || from.start_ms() > kMaxTimeMs) return Contradiction("audio time");
  DecodedAudio audio;
  audio.start_ms = from.start_ms();
  audio.samples.reserve(static_cast<std::size_t>(from.samples_size()));
  for (const float sample : from.samples()) {
    audio.samples.push_back(std::isfinite(sample) ? std::clamp(sample, -1.0F, 1.0F) : 0.0F);
  }
  return audio;
}

base::Result<DecodedText> TextFromWire(const v1::DecodeReply& reply) {
  const v1::Text& from = reply.text();
  if (from.source() < 0 || from.source() > static_cast<int>(TextSource::kOnScreenText)) {
    return Contradiction("text source");
  }
  DecodedText text;
  text.source = static_cast<TextSource>(from.source());
  text.start_ms = BoundedTime(from.start_ms());
  text.end_ms = BoundedTime(from.end_ms());
  text.text = base::SanitizeUtf8(from.text());
  text.language = base::SanitizeUtf8(from.language());
  return text;
}

base::Result<Image> PictureFromWire(v1::DecodeReply& reply) { return GetPicture(reply.picture()); }

base::Result<EncodedImage> DrawnFromWire(v1::DecodeReply& reply) {
  SIGHTLINE_ASSIGN_OR_RETURN(EncodedImage drawn, GetPreview(*reply.mutable_drawn()));
  if (drawn.IsEmpty() || drawn.width < 1 || drawn.height < 1) return Contradiction("empty page");
  return drawn;
}

std::string WarningFromWire(const v1::DecodeReply& reply) {
  return std::string(base::TruncateUtf8(base::SanitizeUtf8(reply.warning()), kMaxReasonBytes));
}

base::Status EndFromWire(const v1::DecodeReply& reply) {
  const v1::End& end = reply.end();
  if (end.code() == 0) return OkStatus();
  if (end.code() < 0 || end.code() > static_cast<int>(base::StatusCode::kDataLoss)) {
    return Contradiction("status code");
  }
  return {static_cast<base::StatusCode>(end.code()), base::SanitizeUtf8(end.message())};
}

}  // namespace sightline::media
