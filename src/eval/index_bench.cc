#include "eval/index_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "index/exact_search.h"
#include "index/flat_codes.h"
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
using SegmentList = std::vector<std::shared_ptr<const index::SegmentReader>>;
using Answer = std::vector<ScoredUnit>;
/// Answers a query of the input.
using Ask = std::function<Result<Answer>(std::size_t query)>;

double SecondsSince(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Ids are the unit's number + 1.
index::UnitId IdOf(std::size_t unit) { return static_cast<index::UnitId>(unit) + 1; }

/// Runs `work(i)` for every i below `count` on `threads` threads; the first failure ends it.
Status ForEach(std::size_t count, int threads, const std::function<Status(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  base::Mutex mutex;
  Status failure;
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      const Status status = work(i);
      if (status.ok()) continue;
      const base::MutexLock lock(mutex);
      failure = status;
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(loop);
  loop();
  for (std::thread& other : others) other.join();
  return failure;
}

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
    for (const auto& query : queries) scores.push_back(FloatMaxSim(query, vectors, input.dims()));
    const base::MutexLock lock(mutex);
    for (std::size_t q = 0; q < scores.size(); ++q) tops[q].Push({IdOf(unit), scores[q]});
    return OkStatus();
  };
  SIGHTLINE_RETURN_IF_ERROR(ForEach(input.units(), options.threads, score_unit));
  std::vector<Answer> truth;
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

Result<SegmentList> WriteSegment(const IndexInput& input, const std::string& path,
                                 io::FileSystem& files, const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      const auto writer, index::SegmentWriter::Create(files, path, static_cast<int>(input.dims())));
  for (std::size_t unit = 0; unit < input.units(); ++unit) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<float> vectors, input.Unit(unit));
    SIGHTLINE_RETURN_IF_ERROR(writer->Add(IdOf(unit), vectors));
  }
  SIGHTLINE_RETURN_IF_ERROR(writer->Finish().status());
  SIGHTLINE_ASSIGN_OR_RETURN(auto reader, index::SegmentReader::Open(files, path));
  return SegmentList{std::move(reader)};
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

/// Asks every query once alone, then all of them on all threads.
Status Measure(const std::vector<Answer>& truth, int threads, const Ask& ask,
               IndexBenchLine& line) {
  std::vector<Answer> answers(truth.size());
  std::vector<double> seconds;
  SIGHTLINE_RETURN_IF_ERROR(ask(0).status());  // Brings the files into memory.
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
      ForEach(truth.size(), threads, [&](std::size_t q) { return ask(q).status(); }));
  line.qps_threads = count / SecondsSince(begun);
  return OkStatus();
}

}  // namespace

Result<IndexBenchReport> RunIndexBench(const IndexInput& input, const IndexBenchOptions& options,
                                       io::FileSystem& files, const base::CancelToken& cancel) {
  IndexBenchReport report{.units = input.units(),
                          .vectors = input.vectors(),
                          .dims = input.dims(),
                          .queries = input.queries().size(),
                          .top_k = options.top_k,
                          .threads = options.threads,
                          .instructions = kernels::Kernels().name,
                          .truth_seconds = 0,
                          .file_bytes = 0,
                          .lines = {}};
  auto begun = Clock::now();
  std::vector<Answer> truth = KnownTruth(input, options.top_k);
  if (truth.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(truth, Truth(input, options, cancel));
    report.truth_seconds = SecondsSince(begun);
  }

  begun = Clock::now();
  SIGHTLINE_ASSIGN_OR_RETURN(const SegmentList segments,
                             WriteSegment(input, options.folder + "/bench.seg", files, cancel));
  const double write_seconds = SecondsSince(begun);
  report.file_bytes = segments[0]->size_bytes();
  const auto per_vector = [&](double bytes) {
    return bytes / static_cast<double>(input.vectors());
  };

  IndexBenchLine exact;
  exact.name = "exact int8";
  exact.hot_bytes = per_vector(static_cast<double>(report.file_bytes));
  exact.build_seconds = write_seconds;
  const Ask ask_exact = [&](std::size_t q) -> Result<Answer> {
    SIGHTLINE_ASSIGN_OR_RETURN(
        const auto query, index::PrepareQuery(input.queries()[q], static_cast<int>(input.dims())));
    return index::ExactSearch(query, options.top_k, segments, {}, cancel);
  };
  SIGHTLINE_RETURN_IF_ERROR(Measure(truth, options.threads, ask_exact, exact));
  report.lines.push_back(exact);

  begun = Clock::now();
  index::FlatCodesOptions how;
  how.sub_vectors = options.sub_vectors;
  how.training.threads = options.threads;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto codes, index::FlatCodes::Build(segments, how, cancel));
  const double code_seconds = write_seconds + SecondsSince(begun);
  for (const std::size_t candidates : options.candidates) {
    IndexBenchLine line;
    line.name = "pq4 × " + std::to_string(codes->codec().spec().sub_vectors) + ", best " +
                std::to_string(candidates) + " exact";
    line.hot_bytes = per_vector(static_cast<double>(codes->hot_bytes()));
    line.build_seconds = code_seconds;
    const Ask ask = [&](std::size_t q) {
      return index::FlatSearch(*codes, input.queries()[q], options.top_k, candidates, segments, {},
                               cancel);
    };
    SIGHTLINE_RETURN_IF_ERROR(Measure(truth, options.threads, ask, line));
    report.lines.push_back(line);
  }
  return report;
}

}  // namespace sightline::eval
