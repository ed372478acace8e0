// `sightline add PATH…`
#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include "cmd/add_run.h"
#include "cmd/session.h"
#include "cmd/verb.h"

namespace sightline::cmd {
namespace {

class AddVerb final : public Verb {
 public:
  std::string_view name() const override { return "add"; }
  std::string_view summary() const override {
    return "put files in and wait until they are searchable";
  }
  std::string_view description() const override {
    return "Adds PDF files, scans, pictures, videos, audio and text files. A folder is added with "
           "everything below it; names that start with a dot are left out. `-` reads one file from "
           "standard input. What a file is, its content says, not its name. The same bytes are "
           "kept "
           "once in a collection; what failed before is tried again. Ctrl-C leaves what is done "
           "searchable and the rest queued.";
  }
  std::vector<Example> examples() const override {
    return {{"sightline add samples/handbook-zh.pdf", "one file"},
            {"sightline add samples --tag demo", "a folder, with a tag"},
            {"sightline add samples/*.mp4 --collection videos", "into another collection"},
            {"cat samples/report-en.pdf | sightline add - --name report-en.pdf", "from a pipe"},
            {"sightline add samples --json | grep '\"failed\"'", "one JSON object a document"}};
  }
  void Declare(CLI::App& app) override {
    app.add_option("PATH", run_.paths, "files and folders; - for standard input")->required();
    app.add_option("-c,--collection", run_.options.collection, "collection (default: default)");
    app.add_option("-t,--tag", run_.options.tags, "tag, may be given again")
        ->allow_extra_args(false);
    app.add_option("--metadata", run_.options.metadata_json, "JSON object kept with the document");
    app.add_option("--name", run_.stdin_name, "name of what is read from standard input");
  }
  ExitCode Run(Session& session) override {
    boost::json::error_code error;
    const boost::json::value metadata = boost::json::parse(run_.options.metadata_json, error);
    if (error || !metadata.is_object()) {
      return session.Usage("--metadata is not a JSON object: " + run_.options.metadata_json,
                           name());
    }
    return AddFiles(session, run_);
  }

 private:
  AddRun run_;
};

}  // namespace

std::unique_ptr<Verb> MakeAddVerb() { return std::make_unique<AddVerb>(); }

}  // namespace sightline::cmd
