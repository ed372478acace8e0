#include "media/sandboxed_decoder.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "io/sandbox.h"
#include "media/decode_wire.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::uint32_t kMaxFrameBytes = std::uint32_t{128} << 20;
constexpr int kMaxRestarts = 3;
constexpr std::uint32_t kMinCpuSeconds = 120;
// The child stops itself when a step stands still; this is for one that does not.
constexpr std::uint32_t kMaxWaitMs = 6 * 3600 * 1000;

/// The sandbox's own limit is what all pages and minutes together may use; the child watches each.
std::uint32_t TotalCpuSeconds(const DecodeLimits& limits) {
  const std::int64_t minutes = limits.max_duration_ms / 60'000 + 1;
  const std::int64_t steps = std::max<std::int64_t>(limits.max_pages, minutes);
  const std::int64_t total = steps * limits.cpu_seconds_a_page + kMinCpuSeconds;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(total, kMinCpuSeconds, std::numeric_limits<std::int32_t>::max()));
}

/// A dead child in words about the document: what it tried is the document's doing.
Status ExplainDeath(const Status& death) {
  if (death.code() != base::StatusCode::kPermissionDenied) return death;
  return base::DataLoss("the decoder was stopped while it read the file: " + death.message());
}

/// How one child ended.
struct ChildEnd {
  Status status;
  bool skip_page = false;  ///< Its last page killed or stopped it; those behind may be fine.
  int last_page = 0;
};

/// The decoding of one document, by one child or, after pages that kill it, by several.
class Session {
 public:
  Session(const std::string& executable, const DecodeRequest& request, DecodeSink& sink,
          const base::CancelToken& cancel)
      : executable_(executable), request_(request), sink_(sink), cancel_(cancel) {}

  Status Run() {
    WireOptions wire;
    for (int restart = 0;; ++restart) {
      ChildEnd end = RunChild(wire);
      if (!end.skip_page || restart >= kMaxRestarts) return end.status;
      SIGHTLINE_RETURN_IF_ERROR(cancel_.Check());
      const bool last = end.last_page >= page_count_;
      if (last && pages_ == 0) return end.status;
      SIGHTLINE_RETURN_IF_ERROR(sink_.OnWarning("page " + std::to_string(end.last_page) +
                                                " was left out: " + end.status.message()));
      if (last) return OkStatus();
      wire.first_page = end.last_page + 1;
    }
  }

  /// One picture; replies of other kinds break the protocol.
  Result<Image> RunPicture(int long_side_px) {
    WireOptions wire;
    wire.picture_long_side_px = long_side_px;
    const ChildEnd end = RunChild(wire);
    if (!end.status.ok()) return end.status;
    if (picture_.IsEmpty()) return base::DataLoss("the decoder sent no picture");
    return std::move(picture_);
  }

  /// One drawn page; replies of other kinds break the protocol.
  Result<EncodedImage> RunDrawing(const DrawRequest& drawing) {
    WireOptions wire;
    wire.drawn_page = drawing.page_number;
    wire.drawn_width_px = drawing.width_px;
    const ChildEnd end = RunChild(wire);
    if (!end.status.ok()) return end.status;
    if (drawn_.IsEmpty()) return base::DataLoss("the decoder sent no page");
    return std::move(drawn_);
  }

 private:
  ChildEnd RunChild(const WireOptions& wire) {
    io::SandboxOptions options;
    options.executable = executable_;
    options.input_path = request_.path;
    options.limits.memory_bytes = static_cast<std::uint64_t>(request_.limits.max_memory_bytes);
    options.limits.cpu_seconds = TotalCpuSeconds(request_.limits);
    options.limits.wait_ms = kMaxWaitMs;
    options.limits.max_frame_bytes = kMaxFrameBytes;
    options.cancel = cancel_;
    auto child = io::SandboxedProcess::Start(std::move(options));
    if (!child.ok()) return {child.status()};
    last_page_ = 0;
    const std::string request = EncodeRequest(request_, wire);
    const Status sent = (*child)->WriteFrame({request.data(), request.size()});
    if (!sent.ok()) return {ExplainDeath(sent)};
    (*child)->CloseInput();
    return ReadReplies(**child);
  }

  ChildEnd ReadReplies(io::SandboxedProcess& child) {
    v1::DecodeReply reply;
    for (;;) {
      Result<std::optional<std::string>> frame = child.ReadFrame();
      if (!frame.ok()) {
        // A cancelled or expired request is not the page's fault.
        const bool died = cancel_.Check().ok();
        return {ExplainDeath(frame.status()), died && last_page_ > 0, last_page_};
      }
      if (!*frame) return {base::DataLoss("the decoder ended without a word")};
      Status status = ParseReply(**frame, reply);
      if (status.ok() && reply.body_case() == v1::DecodeReply::kEnd) {
        status = EndFromWire(reply);
        const bool skip = reply.end().step_stopped() && last_page_ > 0;
        // Its exit code says nothing more than what it has just said.
        child.Kill();
        return {std::move(status), skip, last_page_};
      }
      if (status.ok()) status = Dispatch(reply);
      if (!status.ok()) {
        child.Kill();
        return {std::move(status)};
      }
    }
  }

  Status Dispatch(v1::DecodeReply& reply) {
    switch (reply.body_case()) {
      case v1::DecodeReply::kStep:
        last_page_ = std::max(0, reply.step().page_number());
        return OkStatus();
      case v1::DecodeReply::kInfo: {
        SIGHTLINE_ASSIGN_OR_RETURN(DocumentInfo info, InfoFromWire(reply));
        page_count_ = info.page_count;
        return sink_.OnInfo(std::move(info));
      }
      case v1::DecodeReply::kPage: {
        SIGHTLINE_ASSIGN_OR_RETURN(DecodedPage page, PageFromWire(reply));
        ++pages_;
        return sink_.OnPage(std::move(page));
      }
      case v1::DecodeReply::kFrame: {
        SIGHTLINE_ASSIGN_OR_RETURN(DecodedFrame frame, FrameFromWire(reply));
        return sink_.OnFrame(std::move(frame));
      }
      case v1::DecodeReply::kAudio: {
        SIGHTLINE_ASSIGN_OR_RETURN(DecodedAudio audio, AudioFromWire(reply));
        return sink_.OnAudio(std::move(audio));
      }
      case v1::DecodeReply::kText: {
        SIGHTLINE_ASSIGN_OR_RETURN(DecodedText text, TextFromWire(reply));
        return sink_.OnText(std::move(text));
      }
      case v1::DecodeReply::kWarning:
        return sink_.OnWarning(WarningFromWire(reply));
      case v1::DecodeReply::kPicture: {
        SIGHTLINE_ASSIGN_OR_RETURN(picture_, PictureFromWire(reply));
        return OkStatus();
      }
      case v1::DecodeReply::kDrawn: {
        SIGHTLINE_ASSIGN_OR_RETURN(drawn_, DrawnFromWire(reply));
        return OkStatus();
      }
      default:
        return base::DataLoss("the decoder sent a message of an unknown kind");
    }
  }

  const std::string& executable_;
  const DecodeRequest& request_;
  DecodeSink& sink_;
  const base::CancelToken& cancel_;
  int page_count_ = 0;
  int pages_ = 0;      ///< That reached the sink.
  int last_page_ = 0;  ///< That the child is at; 0 outside pages.
  Image picture_;
  EncodedImage drawn_;
};

/// For one picture or page, whose replies do not go to a sink.
class NoSink final : public DecodeSink {
 public:
  Status OnInfo(DocumentInfo /*info*/) override { return Unexpected(); }
  Status OnPage(DecodedPage /*page*/) override { return Unexpected(); }
  Status OnFrame(DecodedFrame /*frame*/) override { return Unexpected(); }
  Status OnAudio(DecodedAudio /*audio*/) override { return Unexpected(); }
  Status OnText(DecodedText /*text*/) override { return Unexpected(); }
  Status OnWarning(std::string /*message*/) override { return Unexpected(); }

 private:
  static Status Unexpected() {
    return base::DataLoss("the decoder sent a document where a picture was asked for");
  }
};

class SandboxedDecoder final : public Decoder {
 public:
  explicit SandboxedDecoder(SandboxedDecoderOptions options) : options_(std::move(options)) {}

  Status Decode(const DecodeRequest& request, DecodeSink& sink,
                const base::CancelToken& cancel) override {
    return Session(options_.executable, request, sink, cancel).Run();
  }

  Result<Image> DecodePicture(const std::string& path, int long_side_px,
                              const base::CancelToken& cancel) override {
    if (long_side_px <= 0) return base::InvalidArgument("the picture's long side must be positive");
    DecodeRequest request;
    request.path = path;
    NoSink sink;
    return Session(options_.executable, request, sink, cancel).RunPicture(long_side_px);
  }

  Result<EncodedImage> DrawPage(const DrawRequest& drawing,
                                const base::CancelToken& cancel) override {
    if (drawing.page_number < 1) return base::NotFound("there is no such page");
    if (drawing.width_px < 1) return base::InvalidArgument("a page's width must be positive");
    DecodeRequest request;
    request.path = drawing.path;
    request.limits = drawing.limits;
    NoSink sink;
    return Session(options_.executable, request, sink, cancel).RunDrawing(drawing);
  }

 private:
  const SandboxedDecoderOptions options_;
};

}  // namespace

std::unique_ptr<Decoder> MakeSandboxedDecoder(SandboxedDecoderOptions options) {
  return std::make_unique<SandboxedDecoder>(std::move(options));
}

}  // namespace sightline::media
