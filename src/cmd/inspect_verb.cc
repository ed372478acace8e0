// `sightline inspect FILE`
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <filesystem>

#include "cmd/display_text.h"
#include "cmd/session.h"
#include "cmd/verb.h"
#include "engine/components.h"
#include "index/inspect.h"
#include "media/sandboxed_decoder.h"

namespace sightline::cmd {
namespace {

/// Prints what a decoder finds while it comes, and adds it up.
class InspectSink final : public media::DecodeSink {
 public:
  InspectSink(Console& console, bool text) : console_(console), text_(text) {}

  base::Status OnInfo(media::DocumentInfo info) override {
    info_ = std::move(info);
    if (console_.options().json) return base::OkStatus();
    Line("Kind", std::string(media::DocumentKindName(info_.kind)) + " (" + info_.media_type + ")");
    Line("Title", info_.title);
    if (info_.page_count > 0) Line("Pages", std::to_string(info_.page_count));
    if (info_.duration_ms >= 0) Line("Duration", ClockText(info_.duration_ms));
    if (info_.width > 0) Line("Pixels", fmt::format("{}×{}", info_.width, info_.height));
    for (const auto& [key, value] : info_.metadata) Line(key, value);
    return Next();
  }
  base::Status OnPage(media::DecodedPage page) override {
    ++pages_;
    size_t lines = 0;
    std::string text;
    for (const media::LayoutBlock& block : page.blocks) {
      lines += block.lines.size();
      for (const media::TextLine& line : block.lines) text += line.text + "\n";
    }
    scanned_ += page.needs_ocr ? 1 : 0;
    if (!console_.options().json) {
      console_.PrintLine(fmt::format("page {:<5} {:.0f}×{:.0f} pt  {} blocks, {} lines{}",
                                     page.page_number, page.width_pt, page.height_pt,
                                     page.blocks.size(), lines,
                                     page.needs_ocr ? ", no text: OCR reads it" : ""));
      if (text_) PrintText(text);
    }
    return Next();
  }
  base::Status OnFrame(media::DecodedFrame frame) override {
    ++frames_;
    if (!console_.options().json) {
      console_.PrintLine(fmt::format("frame {:<10} {}×{}  motion {:.1f} px{}",
                                     ClockText(frame.pts_ms), frame.image.width, frame.image.height,
                                     frame.motion_px, frame.is_cut ? ", cut" : ""));
    }
    return Next();
  }
  base::Status OnAudio(media::DecodedAudio audio) override {
    constexpr size_t kSamplesPerMs = 16;
    audio_ms_ += static_cast<int64_t>(audio.samples.size() / kSamplesPerMs);
    return Next();
  }
  base::Status OnText(media::DecodedText text) override {
    ++texts_;
    if (text_ && !console_.options().json) PrintText(text.text);
    return Next();
  }
  base::Status OnWarning(std::string message) override {
    warnings_.push_back(std::move(message));
    if (!console_.options().json) Line("Warning", warnings_.back());
    return Next();
  }

  /// The totals, after the stream has ended with `status`.
  void Finish(const base::Status& status) {
    if (console_.options().json) {
      boost::json::array warnings;
      for (const std::string& warning : warnings_) warnings.emplace_back(warning);
      console_.PrintLine(
          boost::json::serialize(boost::json::object{{"kind", media::DocumentKindName(info_.kind)},
                                                     {"media_type", info_.media_type},
                                                     {"title", info_.title},
                                                     {"pages", pages_},
                                                     {"pages_without_text", scanned_},
                                                     {"key_frames", frames_},
                                                     {"audio_ms", audio_ms_},
                                                     {"texts", texts_},
                                                     {"warnings", std::move(warnings)},
                                                     {"ok", status.ok()},
                                                     {"reason", status.message()}}));
      return;
    }
    if (frames_ > 0) Line("Key frames", std::to_string(frames_));
    if (audio_ms_ > 0) Line("Audio", ClockText(audio_ms_));
    if (texts_ > 0) Line("Texts", std::to_string(texts_));
    if (scanned_ > 0) Line("Scanned", fmt::format("{} pages without text", scanned_));
  }

 private:
  base::Status Next() const {
    return console_.pipe_closed() ? base::Cancelled("the reader went away") : base::OkStatus();
  }
  void Line(std::string_view label, const std::string& value) {
    if (!value.empty()) {
      console_.PrintLine(fmt::format("{:<11} {}", Printable(label), Printable(value)));
    }
  }
  void PrintText(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      console_.PrintLine("  " + Printable(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  Console& console_;
  const bool text_;
  media::DocumentInfo info_;
  int pages_ = 0;
  int scanned_ = 0;
  int frames_ = 0;
  int texts_ = 0;
  int64_t audio_ms_ = 0;
  std::vector<std::string> warnings_;
};

class InspectVerb final : public Verb {
 public:
  std::string_view name() const override { return "inspect"; }
  std::string_view summary() const override { return "show what is in a file, without adding it"; }
  std::string_view description() const override {
    return "Decodes a file in the sandbox and shows kind, pages with their blocks, key frames with "
           "their motion, sound, subtitles, and what could not be read. A segment of the index is "
           "described and all of it verified. Nothing is stored.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline inspect samples/handbook-zh.pdf", "pages and blocks"},
            {"sightline inspect samples/handbook-zh.pdf --text", "with their text"},
            {"sightline inspect samples/*.mp4", "key frames and cuts"},
            {"sightline inspect samples/scan-report-en.jpg --json", "totals as JSON"},
            {"sightline inspect sightline-data/segments/*.seg", "segments, with every checksum"},
            {"sightline inspect samples/README.md; echo $?", "0: it could be read"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("FILE", paths_, "files")->required();
    app.add_flag("--text", text_, "print the text as well");
  }
  ExitCode Run(Session& session) override {
    const base::Result<engine::Config> config = session.LoadConfig();
    if (!config.ok()) return session.Fail(config.status(), "sightline config");
    const auto decoder = media::MakeSandboxedDecoder({.executable = engine::DecoderPath(*config)});
    bool failed = false;
    for (const std::string& path : paths_) {
      if (paths_.size() > 1 && !session.console().options().json) {
        session.console().PrintLine(session.console().Styled(Printable(path), Style::kBold));
      }
      if (index::LooksLikeSegment(io::PosixFileSystem(), path)) {
        failed = !DescribeSegment(session.console(), path) || failed;
        continue;
      }
      InspectSink sink(session.console(), text_);
      media::DecodeRequest request;
      request.path = path;
      request.file_name = std::filesystem::path(path).filename().string();
      const base::Status status = decoder->Decode(request, sink, session.cancel());
      if (session.console().pipe_closed()) return ExitCode::kClosedPipe;
      sink.Finish(status);
      if (status.code() == base::StatusCode::kCancelled) return session.Fail(status);
      if (!status.ok()) {
        session.console().Error(path + ": " + status.message());
        failed = true;
      }
    }
    return failed ? ExitCode::kSomeFailed : ExitCode::kOk;
  }

 private:
  /// Prints what a segment holds; whether it is sound.
  static bool DescribeSegment(Console& console, const std::string& path) {
    const auto facts = index::InspectSegment(io::PosixFileSystem(), path);
    if (console.options().json) {
      boost::json::object object{{"kind", "segment"}, {"ok", facts.ok()}};
      if (!facts.ok()) object["reason"] = facts.status().message();
      for (const auto& [name, value] : facts.ValueOr({})) object[name] = value;
      console.PrintLine(boost::json::serialize(object));
    } else {
      for (const auto& [name, value] : facts.ValueOr({})) {
        console.PrintLine(fmt::format("{:<11} {}", name, Printable(value)));
      }
    }
    if (!facts.ok()) console.Error(facts.status().message());
    return facts.ok();
  }

  std::vector<std::string> paths_;
  bool text_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeInspectVerb() { return std::make_unique<InspectVerb>(); }

}  // namespace sightline::cmd
