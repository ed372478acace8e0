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
// A cut: from one looked-at frame to the next most edges go or are new, or nearly all of the
// picture changes much, and no motion explains it: moved along the flow, the old picture is hardly
// nearer to the new one. Set on slides, films and a music video; panning and walking stay below.
constexpr double kEdgeStep = 60;        // gradient that is an edge
constexpr int kEdgeReachPx = 2;         // an edge that moved less is the same one
constexpr double kEdgesReplaced = 0.9;  // share gone + share new, of 2
constexpr double kUnexplained = 0.6;    // of the difference, after motion is taken out
constexpr double kSuspectShare = 0.03;  // of cells changed: fewer is no cut
constexpr double kWholeShare = 0.85;    // of cells changed, and by
constexpr double kWholeStep = 60;       // grey levels in the mean: a cut whatever the edges

cv::Mat Cells(const cv::Mat& grey) {
  cv::Mat cells;
  cv::resize(grey, cells, cv::Size(kGreyWidth / kCellPx, kGreyHeight / kCellPx), 0, 0,
             cv::INTER_AREA);
  return cells;
}

/// Share of the cells that changed by more than kCellStep.
double ChangedCells(const cv::Mat& before, const cv::Mat& after) {
  cv::Mat difference;
  cv::absdiff(before, after, difference);
  return static_cast<double>(cv::countNonZero(difference > kCellStep)) /
         static_cast<double>(difference.total());
}

cv::Mat Edges(const cv::Mat& grey) {
  cv::Mat dx;
  cv::Mat dy;
  cv::Sobel(grey, dx, CV_16S, 1, 0);
  cv::Sobel(grey, dy, CV_16S, 0, 1);
  cv::Mat gradient;
  cv::add(cv::abs(dx), cv::abs(dy), gradient);
  return gradient > kEdgeStep;
}

/// Share of the edges of `from` that have none of `to` near them; 0 when there are none.
double EdgesGone(const cv::Mat& from, const cv::Mat& to) {
  const int count = cv::countNonZero(from);
  if (count == 0) return 0;
  cv::Mat near;
  const int side = 2 * kEdgeReachPx + 1;
  cv::dilate(to, near, cv::getStructuringElement(cv::MORPH_RECT, {side, side}));
  return 1.0 - static_cast<double>(cv::countNonZero(from & near)) / count;
}

/// What is left of the difference when `before` is moved along the flow to `after`, [0, about 1].
double UnexplainedShare(const cv::Mat& before, const cv::Mat& after, const cv::Mat& flow_back) {
  cv::Mat map(flow_back.size(), CV_32FC2);
  for (int y = 0; y < map.rows; ++y) {
    for (int x = 0; x < map.cols; ++x) {
      map.at<cv::Point2f>(y, x) = cv::Point2f(static_cast<float>(x), static_cast<float>(y)) +
                                  flow_back.at<cv::Point2f>(y, x);
    }
  }
  cv::Mat moved;
  cv::remap(before, moved, map, cv::noArray(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  cv::Mat left;
  cv::absdiff(moved, after, left);
  cv::Mat all;
  cv::absdiff(before, after, all);
  return cv::mean(left)[0] / std::max(0.01, cv::mean(all)[0]);
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
  cv::Mat last_grey;
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

  /// Whether a cut lies between the last frame that was looked at and this one.
  bool IsCut(const cv::Mat& grey, const cv::Mat& cells) const {
    const double changed = ChangedCells(last_cells, cells);
    if (changed < kSuspectShare) return false;
    const cv::Mat before = Edges(last_grey);
    const cv::Mat after = Edges(grey);
    const double replaced = EdgesGone(before, after) + EdgesGone(after, before);
    cv::Mat step;
    cv::absdiff(last_grey, grey, step);
    const bool whole = changed >= kWholeShare && cv::mean(step)[0] >= kWholeStep;
    if (replaced < kEdgesReplaced && !whole) return false;
    cv::Mat back;
    flow->calc(grey, last_grey, back);
    return UnexplainedShare(last_grey, grey, back) > kUnexplained;
  }

  void Remember(const cv::Mat& grey, const cv::Mat& cells, std::int64_t pts_ms) {
    grey.copyTo(last_grey);
    last_cells = cells;
    last_ms = pts_ms;
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
    state.Remember(picture, cells, pts_ms);
    return state.Take(picture, cells, pts_ms, 0);
  }
  if (state.IsCut(picture, cells)) state.cut_ms = pts_ms;
  state.Remember(picture, cells, pts_ms);

  const std::int64_t gap_ms = pts_ms - state.key_ms;
  if (gap_ms < state.options.min_gap_ms) return std::nullopt;
  const bool changed = ChangedCells(state.key_cells, cells) > kChangedShare;
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
