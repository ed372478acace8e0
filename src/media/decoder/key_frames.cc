#include "media/decoder/key_frames.h"

#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

namespace sightline::media {
namespace {

// The first look: means of 8×8 cells. Noise averages out, a new line of text does not.
constexpr int kCellPx = 8;
constexpr double kCellStep = 10;         // grey levels; a cell that changed more has changed
constexpr double kChangedShare = 0.004;  // of all cells: fewer, and the picture has not changed
// A cut changes most cells from one looked-at frame to the next, and the distribution of greys or
// where they are so much that no motion explains it.
constexpr double kCutShare = 0.5;
constexpr double kCutMeanStep = 18;

cv::Mat Cells(const cv::Mat& grey) {
  cv::Mat cells;
  cv::resize(grey, cells, cv::Size(kGreyWidth / kCellPx, kGreyHeight / kCellPx), 0, 0,
             cv::INTER_AREA);
  return cells;
}

struct CellChange {
  double share = 0;      // of cells that changed by more than kCellStep
  double mean_step = 0;  // mean absolute change of all cells
};

CellChange Compare(const cv::Mat& before, const cv::Mat& after) {
  cv::Mat difference;
  cv::absdiff(before, after, difference);
  CellChange change;
  change.mean_step = cv::mean(difference)[0];
  change.share = static_cast<double>(cv::countNonZero(difference > kCellStep)) /
                 static_cast<double>(difference.total());
  return change;
}

double MeanMagnitude(const cv::Mat& flow) {
  std::vector<cv::Mat> axes;
  cv::split(flow, axes);
  cv::Mat magnitude;
  cv::magnitude(axes[0], axes[1], magnitude);
  return cv::mean(magnitude)[0];
}

}  // namespace

struct KeyFrameSelector::State {
  KeyFrameOptions options;
  cv::Ptr<cv::DISOpticalFlow> flow =
      cv::DISOpticalFlow::create(cv::DISOpticalFlow::PRESET_ULTRAFAST);
  bool started = false;
  cv::Mat key_grey;
  cv::Mat key_cells;
  std::int64_t key_ms = 0;
  cv::Mat last_cells;
  std::int64_t last_ms = 0;
  std::int64_t cut_ms = -1;  // of a cut since the last key frame

  KeyFrame Take(const cv::Mat& grey, const cv::Mat& cells, std::int64_t pts_ms, double motion) {
    KeyFrame key;
    key.motion_px = motion;
    key.is_cut = cut_ms >= 0;
    key.cut_ms = cut_ms;
    grey.copyTo(key_grey);
    key_cells = cells;
    key_ms = pts_ms;
    cut_ms = -1;
    return key;
  }

  double Motion(const cv::Mat& grey) const {
    cv::Mat field;
    flow->calc(key_grey, grey, field);
    return MeanMagnitude(field);
  }
};

KeyFrameSelector::KeyFrameSelector(const KeyFrameOptions& options)
    : state_(std::make_unique<State>()) {
  state_->options = options;
}

KeyFrameSelector::~KeyFrameSelector() = default;

bool KeyFrameSelector::WantsToSee(std::int64_t pts_ms) const {
  return !state_->started || pts_ms - state_->last_ms >= state_->options.look_ms;
}

std::optional<KeyFrame> KeyFrameSelector::Look(std::span<const std::uint8_t> grey,
                                               std::int64_t pts_ms) {
  State& state = *state_;
  // OpenCV's Mat is not const-correct; the pixels are only read.
  const cv::Mat picture(kGreyHeight, kGreyWidth, CV_8UC1, const_cast<std::uint8_t*>(grey.data()));
  const cv::Mat cells = Cells(picture);
  if (!state.started) {
    state.started = true;
    state.last_cells = cells;
    state.last_ms = pts_ms;
    return state.Take(picture, cells, pts_ms, 0);
  }
  const CellChange since_last = Compare(state.last_cells, cells);
  if (since_last.share > kCutShare && since_last.mean_step > kCutMeanStep) state.cut_ms = pts_ms;
  state.last_cells = cells;
  state.last_ms = pts_ms;

  const std::int64_t gap_ms = pts_ms - state.key_ms;
  if (gap_ms < state.options.min_gap_ms) return std::nullopt;
  const CellChange since_key = Compare(state.key_cells, cells);
  const bool changed = since_key.share > kChangedShare;
  // A cut back to the same picture is none for whoever looks at key frames.
  if (!changed) {
    state.cut_ms = -1;
    return std::nullopt;
  }
  const double motion = state.Motion(picture);
  const bool moved = motion >= state.options.motion_px;
  if (moved || state.cut_ms >= 0 || gap_ms >= state.options.max_gap_ms) {
    return state.Take(picture, cells, pts_ms, motion);
  }
  return std::nullopt;
}

}  // namespace sightline::media
