// `sightline bench index`
#include <CLI/CLI.hpp>
#include <map>

#include "cmd/session.h"
#include "cmd/temporary_folder.h"
#include "cmd/verb.h"
#include "engine/components.h"
#include "eval/index_bench.h"
#include "io/file_system.h"

namespace sightline::cmd {
namespace {

const std::map<std::string, index::SearchPath> kPaths = {{"exact", index::SearchPath::kExact},
                                                         {"flat", index::SearchPath::kFlat},
                                                         {"lists", index::SearchPath::kLists},
                                                         {"auto", index::SearchPath::kAuto}};
const std::map<std::string, index::CodecKind> kCodecs = {{"pq4", index::CodecKind::kPq4},
                                                         {"pq8", index::CodecKind::kPq8},
                                                         {"bit", index::CodecKind::kBit}};

class BenchVerb final : public Verb {
 public:
  std::string_view name() const override { return "bench"; }
  std::string_view summary() const override { return "measure the index on vectors of your own"; }
  std::string_view description() const override {
    return "`index` builds the index of vectors in .npy files and asks it queries: recall against "
           "a full comparison of the floats, queries a second with one thread and with all, "
           "latency, bytes that a query reads, memory, and build time. The same files can be given "
           "to another engine. Nothing is stored but what --index names.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline bench index --vectors pages.npy --queries queries.npy",
             "[pages, vectors, dims] and [queries, vectors, dims]"},
            {"sightline bench index --vectors v.npy --offsets o.npy --queries q.npy",
             "pages of different lengths"},
            {"sightline bench index --vectors v.npy --queries q.npy --candidates 100,400",
             "how many codes hand on to the exact rerank"},
            {"sightline bench index --vectors v.npy --queries q.npy --index v.seg --path lists",
             "build once, then search without building"},
            {"sightline bench index --vectors v.npy --queries q.npy --threads 1", "one core"},
            {"sightline bench index --vectors v.npy --queries q.npy --json", "for programs"}};
  }
  void Declare(CLI::App& app) override {
    app.require_subcommand(1);
    CLI::App* index = app.add_subcommand("index", "the multi-vector index");
    index->add_option("--vectors", files_.vectors, "floats [vectors, dims] or [units, n, dims]")
        ->required();
    index->add_option("--offsets", files_.offsets,
                      "integers [units + 1]: where each unit's vectors begin");
    index->add_option("--queries", files_.queries, "floats [queries, n, dims]")->required();
    index->add_option("--query-offsets", files_.query_offsets,
                      "integers [queries + 1]: queries [n, dims] of different lengths");
    index->add_option("--truth", truth_,
                      "exact: compare all floats; or integers [queries, k], the best units");
    index->add_option("--index", options_.segment,
                      "segment file to keep; searched as it is when it is there");
    index->add_option("--path", paths_, "ways to search: exact, flat, lists, auto")
        ->delimiter(',')
        ->transform(CLI::CheckedTransformer(kPaths));
    index
        ->add_option("--candidates", options_.candidates,
                     "how many units codes choose for the exact rerank")
        ->delimiter(',')
        ->check(CLI::Range(1, 1'000'000));
    index->add_option("--probes", options_.probes, "lists that each vector of a query probes")
        ->delimiter(',')
        ->check(CLI::Range(1, 65'536));
    index->add_option("--gathered", options_.gathered,
                      "how many units lists choose for the codes; 0: 10 × candidates");
    index->add_option("--codec", options_.training.codec, "of the codes: pq4, pq8, bit")
        ->transform(CLI::CheckedTransformer(kCodecs));
    index->add_option("--sub-vectors", options_.training.sub_vectors,
                      "of pq4 and pq8; 0: by the dims");
    index->add_option("--lists", options_.training.lists, "inverted lists; 0: by the vectors");
    index->add_option("--top-k", options_.top_k, "results a query")->check(CLI::Range(1, 1'000));
    index->add_option("--threads", threads_, "0: number of cores")->check(CLI::Range(0, 1'024));
  }
  ExitCode Run(Session& session) override;

 private:
  eval::IndexFiles files_;
  eval::IndexBenchOptions options_;
  std::vector<index::SearchPath> paths_;
  int threads_ = 0;
  std::string truth_ = "exact";
};

ExitCode BenchVerb::Run(Session& session) {
  const base::Result<engine::Config> config = session.LoadConfig();
  if (!config.ok()) return session.Fail(config.status(), "sightline config");
  const TemporaryFolder folder("bench");
  if (!folder.made()) {
    return session.FailEnvironment(base::IoError("cannot make a folder: " + folder.path()));
  }
  if (options_.segment.empty()) options_.segment = folder.path() + "/bench.seg";
  if (!paths_.empty()) options_.paths = paths_;
  options_.threads = threads_ > 0 ? threads_ : engine::EncoderThreads(*config);
  if (truth_ != "exact") files_.truth = truth_;
  io::FileSystem& files = io::PosixFileSystem();
  const auto input = eval::IndexInput::Load(files, files_);
  if (!input.ok()) return session.Fail(input.status(), "sightline help bench");
  const auto report = eval::RunIndexBench(*input, options_, files, session.cancel());
  if (!report.ok()) return session.Fail(report.status(), "sightline help bench");
  Console& console = session.console();
  console.PrintLine(console.options().json ? eval::IndexBenchJson(*report)
                                           : eval::IndexBenchTable(*report));
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeBenchVerb() { return std::make_unique<BenchVerb>(); }

}  // namespace sightline::cmd
