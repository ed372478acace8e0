#include "eval/index_bench.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "base/mutex.h"
#include "base/parallel_for.h"
#include "eval/process_memory.h"
#include "index/search.h"
#include "index/segment_codes.h"
#include "index/segment_writer.h"
#include "index/top_k.h"
#include "kernels/dispatch.h"

namespace sightline::eval {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using index::ScoredUnit;
using Clock = std::chrono::steady_clock;
using Answer = std::vector<ScoredUnit>;
/// Answers a query of the input.
using Ask = std::function<Result<Answer>(std::size_t query)>;

double SecondsSince(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Units that are read between two times that the input's memory is given back.
constexpr std::size_t kUnitsBetweenForgetting = 512;

/// Ids are the unit's number + 1.
index::UnitId IdOf(std::size_t unit) { return static_cast<index::UnitId>(unit) + 1; }

float FloatMaxSim(const std::vector<float>& query, const std::vector<float>& unit,
                  std::size_t dims) {
  const auto dot = kernels::Kernels().dot_f32;
  float sum = 0;
  for (std::size_t q = 0; q < query.size(); q += dims) {
    float best = -std::numeric_limits<float>::infinity();
    for (std::size_t v = 0; v < unit.size(); v += dims) {
      best = std::max(best, dot(query.data() + q, unit.data() + v, dims));
    }
    sum += best;
  }
  return sum;
}

/// The true best units of every query.
Result<std::vector<Answer>> Truth(const IndexInput& input, const IndexBenchOptions& options,
                                  const base::CancelToken& cancel) {
  const auto& queries = input.queries();
  std::vector<index::TopK> tops(queries.size(), index::TopK(options.top_k));
  base::Mutex mutex;
  const auto score_unit = [&](std::size_t unit) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<float> vectors, input.Unit(unit));
    std::vector<float> scores;
    scores.reserve(queries.size());
    for (const auto& query : queries) scores.push_back(FloatMaxSim(query, vectors, input.dims()));
    const base::MutexLock lock(mutex);
    for (std::size_t q = 0; q < scores.size(); ++q) tops[q].Push({IdOf(unit), scores[q]});
    return OkStatus();
  };
  SIGHTLINE_RETURN_IF_ERROR(base::ParallelFor(input.units(), options.threads, score_unit));
  std::vector<Answer> truth;
  truth.reserve(tops.size());
  for (index::TopK& top : tops) truth.push_back(top.Take());
  return truth;
}

/// The first `top_k` of each line of the input's truth.
std::vector<Answer> KnownTruth(const IndexInput& input, std::size_t top_k) {
  std::vector<Answer> truth;
  for (const std::vector<std::size_t>& units : input.truth()) {
    Answer& answer = truth.emplace_back();
    for (std::size_t i = 0; i < std::min(top_k, units.size()); ++i) {
      answer.push_back({IdOf(units[i]), 0});
    }
  }
  return truth;
}

/// Learning from few vectors is refused: such an index has no codes, as in the product.
bool CanLearn(const Status& status) {
  return status.code() != base::StatusCode::kFailedPrecondition;
}

Status WriteSegment(const IndexInput& input, const IndexBenchOptions& options,
                    index::SegmentKind kind, io::FileSystem& files,
                    const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      const auto writer,
      index::SegmentWriter::Create(files, options.segment, static_cast<int>(input.dims()), kind));
  for (std::size_t unit = 0; unit < input.units(); ++unit) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<float> vectors, input.Unit(unit));
    SIGHTLINE_RETURN_IF_ERROR(writer->Add(IdOf(unit), vectors));
    if (unit % kUnitsBetweenForgetting == 0) input.Forget();
  }
  input.Forget();
  if (kind == index::SegmentKind::kPlain) return writer->Finish().status();
  index::SegmentCoding coding{nullptr, options.training};
  coding.training.threads = options.threads;
  return writer->FinishCoded(coding, cancel).status();
}

Status BuildSegment(const IndexInput& input, const IndexBenchOptions& options,
                    io::FileSystem& files, const base::CancelToken& cancel) {
  Status coded = WriteSegment(input, options, index::SegmentKind::kCoded, files, cancel);
  if (CanLearn(coded)) return coded;
  return WriteSegment(input, options, index::SegmentKind::kPlain, files, cancel);
}

Result<index::IndexedSegment> OpenSegment(const std::string& path, io::FileSystem& files) {
  index::IndexedSegment opened;
  SIGHTLINE_ASSIGN_OR_RETURN(opened.segment, index::SegmentReader::Open(files, path));
  if (!opened.segment->code_trailer()) return opened;
  SIGHTLINE_ASSIGN_OR_RETURN(opened.codes, index::SegmentCodes::Open(opened.segment, nullptr));
  return opened;
}

/// The ways that the options ask for, as the report names them.
struct Way {
  std::string name;
  index::SearchOptions options;
};

std::vector<Way> Ways(const IndexBenchOptions& options, bool has_codes) {
  std::vector<Way> ways;
  for (const index::SearchPath path : options.paths) {
    const std::string name(index::SearchPathName(path));
    if (path == index::SearchPath::kExact || path == index::SearchPath::kAuto) {
      ways.push_back({name, {.top_k = options.top_k, .path = path}});
      continue;
    }
    if (!has_codes) continue;
    for (const std::size_t reranked : options.candidates) {
      Way way{name, {.top_k = options.top_k, .path = path, .reranked = reranked}};
      if (path == index::SearchPath::kFlat) {
        way.name += ", " + std::to_string(reranked) + " exact";
        ways.push_back(way);
        continue;
      }
      for (const std::size_t probes : options.probes) {
        ways.push_back(way);
        ways.back().options.probes = probes;
        ways.back().options.gathered = options.gathered;
        ways.back().name +=
            ", " + std::to_string(probes) + " probed, " + std::to_string(reranked) + " exact";
      }
    }
  }
  return ways;
}

double Recall(const std::vector<Answer>& truth, const std::vector<Answer>& answers) {
  std::size_t found = 0;
  std::size_t wanted = 0;
  for (std::size_t q = 0; q < truth.size(); ++q) {
    wanted += truth[q].size();
    for (const ScoredUnit& unit : truth[q]) {
      found += static_cast<std::size_t>(std::ranges::any_of(
          answers[q], [&](const ScoredUnit& answer) { return answer.id == unit.id; }));
    }
  }
  return wanted == 0 ? 0 : static_cast<double>(found) / static_cast<double>(wanted);
}

/// Asks every query once to bring the files into memory, then once alone, then all of them on all
/// threads.
Status Measure(const std::vector<Answer>& truth, int threads, const Ask& ask,
               IndexBenchLine& line) {
  std::vector<Answer> answers(truth.size());
  std::vector<double> seconds;
  const auto first_begun = Clock::now();
  SIGHTLINE_RETURN_IF_ERROR(ask(0).status());
  line.first_ms = 1'000 * SecondsSince(first_begun);
  for (std::size_t q = 1; q < truth.size(); ++q) SIGHTLINE_RETURN_IF_ERROR(ask(q).status());
  for (std::size_t q = 0; q < truth.size(); ++q) {
    const auto begun = Clock::now();
    SIGHTLINE_ASSIGN_OR_RETURN(answers[q], ask(q));
    seconds.push_back(SecondsSince(begun));
  }
  double sum = 0;
  for (const double second : seconds) sum += second;
  std::ranges::sort(seconds);
  const auto count = static_cast<double>(seconds.size());
  line.recall = Recall(truth, answers);
  line.qps = count / sum;
  line.p50_ms = 1'000 * seconds[seconds.size() / 2];
  line.p99_ms = 1'000 * seconds[static_cast<std::size_t>(0.99 * (count - 1))];
  const auto begun = Clock::now();
  SIGHTLINE_RETURN_IF_ERROR(
      base::ParallelFor(truth.size(), threads, [&](std::size_t q) { return ask(q).status(); }));
  line.qps_threads = count / SecondsSince(begun);
  return OkStatus();
}

/// What a search by codes reads of all vectors.
std::size_t HotBytes(const index::IndexedSegment& segment) {
  const index::SegmentReader& reader = *segment.segment;
  const std::size_t places = reader.unit_count() * (sizeof(index::UnitId) + sizeof(std::uint64_t));
  return places + segment.codes->hot_bytes() + segment.codes->codebook()->hot_bytes();
}

std::string CodecName(const index::CodecSpec& spec) {
  switch (spec.kind) {
    case index::CodecKind::kPq4:
      return "pq4 × " + std::to_string(spec.sub_vectors);
    case index::CodecKind::kPq8:
      return "pq8 × " + std::to_string(spec.sub_vectors);
    case index::CodecKind::kBit:
      return "bit";
    case index::CodecKind::kInt8:
      break;
  }
  return "int8";
}

Status Build(const IndexInput& input, const IndexBenchOptions& options, io::FileSystem& files,
             const base::CancelToken& cancel, IndexBenchReport& report) {
  SIGHTLINE_ASSIGN_OR_RETURN(const bool is_there, files.Exists(options.segment));
  if (is_there) return OkStatus();
  const auto begun = Clock::now();
  SIGHTLINE_RETURN_IF_ERROR(BuildSegment(input, options, files, cancel));
  report.build_seconds = SecondsSince(begun);
  report.build_peak_bytes = PeakResidentBytes();
  return OkStatus();
}

Status CheckSegment(const index::SegmentReader& segment, const IndexInput& input) {
  if (segment.dims() == input.dims() && segment.unit_count() == input.units() &&
      segment.vector_count() == input.vectors()) {
    return OkStatus();
  }
  return base::InvalidArgument("the segment that is there was made from other vectors: " +
                               segment.path());
}

}  // namespace

Result<IndexBenchReport> RunIndexBench(const IndexInput& input, const IndexBenchOptions& options,
                                       io::FileSystem& files, const base::CancelToken& cancel) {
  IndexBenchReport report;
  report.units = input.units();
  report.vectors = input.vectors();
  report.dims = input.dims();
  report.queries = input.queries().size();
  report.top_k = options.top_k;
  report.threads = options.threads;
  report.instructions = kernels::Kernels().name;
  const auto begun = Clock::now();
  std::vector<Answer> truth = KnownTruth(input, options.top_k);
  if (truth.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(truth, Truth(input, options, cancel));
    report.truth_seconds = SecondsSince(begun);
    input.Forget();
  }
  SIGHTLINE_RETURN_IF_ERROR(Build(input, options, files, cancel, report));
  const auto opening = Clock::now();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segment, OpenSegment(options.segment, files));
  report.open_ms = 1'000 * SecondsSince(opening);
  SIGHTLINE_RETURN_IF_ERROR(CheckSegment(*segment.segment, input));
  report.file_bytes = segment.segment->size_bytes();
  if (segment.codes != nullptr) {
    report.codec = CodecName(segment.codes->codebook()->codec().spec());
    report.lists = segment.codes->codebook()->centroids().count();
  }
  for (const Way& way : Ways(options, segment.codes != nullptr)) {
    IndexBenchLine line;
    line.name = way.name;
    const bool is_exact = way.options.path == index::SearchPath::kExact || segment.codes == nullptr;
    line.hot_bytes = static_cast<double>(is_exact ? report.file_bytes : HotBytes(segment)) /
                     static_cast<double>(input.vectors());
    const Ask ask = [&](std::size_t q) -> Result<Answer> {
      SIGHTLINE_ASSIGN_OR_RETURN(auto found,
                                 index::Search(input.queries()[q], static_cast<int>(input.dims()),
                                               std::span(&segment, 1), way.options, {}, cancel));
      return std::move(found.units);
    };
    SIGHTLINE_RETURN_IF_ERROR(Measure(truth, options.threads, ask, line));
    line.resident_bytes = ResidentBytes();
    report.lines.push_back(line);
  }
  return report;
}

}  // namespace sightline::eval
