// The real program as a person or a script meets it: what it says, where, and its exit status.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cmd/program_run.h"

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;

class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("sightline program " + std::to_string(getpid()) +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  RunRequest Request(std::vector<std::string> arguments) const {
    RunRequest request;
    request.arguments = std::move(arguments);
    request.folder = folder_.string();
    return request;
  }
  RunResult Run(std::vector<std::string> arguments) const {
    return RunProgram(Request(std::move(arguments)));
  }
  void WriteFile(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  fs::path folder_;
};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ProgramTest, SaysItsVersion) {
  const RunResult run = Run({"--version"});
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_TRUE(run.output.starts_with("sightline ")) << run.output;
  EXPECT_EQ(run.errors, "");
}

TEST_F(ProgramTest, EveryVerbHasHelpWithFiveExamples) {
  for (const char* verb : {"add", "search", "documents", "show", "remove", "serve", "models",
                           "inspect", "eval", "bench", "doctor", "config"}) {
    const RunResult run = Run({"help", verb});
    EXPECT_EQ(run.exit_status, 0) << verb;
    size_t examples = 0;
    const size_t start = run.output.find("\nExamples\n");
    ASSERT_NE(start, std::string::npos) << verb;
    std::istringstream lines(run.output.substr(start));
    for (std::string line; std::getline(lines, line);) {
      examples += Has(line, "sightline") && line.starts_with("  ") ? 1U : 0U;
    }
    EXPECT_GE(examples, 5U) << run.output;
    EXPECT_EQ(Run({verb, "--help"}).output, run.output) << verb;
  }
}

TEST_F(ProgramTest, EveryExampleOfTheHelpIsACommandLineThatIsUnderstood) {
  for (const char* file : {"handbook-zh.pdf", "report-en.pdf", "scan-report-en.jpg", "README.md",
                           "machines-en.mp4", "queries/gears.jpg"}) {
    fs::create_directories((folder_ / "samples" / file).parent_path());
    WriteFile(std::string("samples/") + file, "x");
  }
  WriteFile("ours.toml", "");
  // Every verb reads its command line, then the settings, and ends there: nothing is done.
  RunRequest request = Request({});
  request.environment = {{"SIGHTLINE_NONSENSE", "1"}};
  const auto complaint = [&](const std::string& line) {
    std::istringstream errors(RunShell(line, request).errors);
    for (std::string error; std::getline(errors, error);) {
      const bool after = Has(error, "SIGHTLINE_NONSENSE") || Has(error, "nobody can be asked here");
      if (error.starts_with("sightline: ") && !after) return error;
    }
    return std::string();
  };
  ASSERT_NE(complaint("sightline doctor --fulll"), "");
  size_t examples = 0;
  for (const char* verb : {"add", "search", "documents", "show", "remove", "serve", "models",
                           "inspect", "eval", "bench", "doctor", "config"}) {
    const std::string help = Run({"help", verb}).output;
    std::istringstream lines(help.substr(std::min(help.find("\nExamples\n"), help.size())));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  ") || line.starts_with("   ")) continue;
      EXPECT_EQ(complaint(line), "") << line;
      ++examples;
    }
  }
  EXPECT_GE(examples, 55U);
  EXPECT_FALSE(fs::exists(folder_ / "sightline-data")) << "nothing was done";
}

TEST_F(ProgramTest, AWrongCommandLineIsStatusTwoAndNamesTheNearest) {
  const RunResult verb = Run({"serach", "pump"});
  EXPECT_EQ(verb.exit_status, 2);
  EXPECT_TRUE(Has(verb.errors, "search")) << verb.errors;
  const RunResult option = Run({"search", "pump", "--topk", "3"});
  EXPECT_EQ(option.exit_status, 2);
  EXPECT_TRUE(Has(option.errors, "--top-k")) << option.errors;
  EXPECT_EQ(Run({"add"}).exit_status, 2);
  EXPECT_EQ(Run({}).exit_status, 2);
  EXPECT_EQ(Run({"help", "dance"}).exit_status, 2);
}

TEST_F(ProgramTest, TopKAndQueryAreBounded) {
  for (const char* top_k : {"0", "-1", "1001", "1000000000", "x"}) {
    EXPECT_EQ(Run({"search", "pump", "--top-k", top_k}).exit_status, 2) << top_k;
  }
  EXPECT_EQ(Run({"search", std::string(10'000, 'x')}).exit_status, 2);
  EXPECT_EQ(Run({"search"}).exit_status, 2);
  EXPECT_EQ(Run({"search", "pump", "--filter", "{\"must\":["}).exit_status, 2);
  EXPECT_EQ(Run({"search", "pump", "--filter", "{\"must\":[{\"key\":\"colour\"}]}"}).exit_status,
            2);
}

TEST_F(ProgramTest, LookingUpWithoutAFolderMakesNone) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"search", "pump"}, {"documents"}, {"show", "x"}}) {
    const RunResult run = Run(arguments);
    EXPECT_EQ(run.exit_status, 3) << arguments[0];
    EXPECT_TRUE(Has(run.errors, "Try: ")) << run.errors;
    EXPECT_EQ(run.output, "");
  }
  EXPECT_FALSE(fs::exists(folder_ / "sightline-data"));
}

TEST_F(ProgramTest, SettingsComeFromFlagsThenVariablesThenFile) {
  WriteFile("ours.toml", "[server]\nport = 1111\nlisten = \"::1\"\n[ingest]\nworkers = 3\n");
  RunRequest request =
      Request({"config", "--json", "--config", "ours.toml", "--set", "server.port=3333"});
  request.environment = {{"SIGHTLINE_PORT", "2222"}, {"SIGHTLINE_INGEST_WORKERS", "4"}};
  const RunResult run = RunProgram(request);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(Has(run.output, R"({"key":"server.port","value":"3333","source":"flag"})"))
      << run.output;
  EXPECT_TRUE(Has(run.output, R"({"key":"ingest.workers","value":"4","source":"environment"})"));
  EXPECT_TRUE(Has(run.output, R"({"key":"server.listen","value":"::1","source":"file"})"));
  EXPECT_TRUE(Has(run.output, R"("source":"default")"));
}

TEST_F(ProgramTest, UnknownSettingsAreErrorsWithTheNearestName) {
  const RunResult flag = Run({"config", "--set", "server.prot=1"});
  EXPECT_EQ(flag.exit_status, 2);
  EXPECT_TRUE(Has(flag.errors, "server.port")) << flag.errors;
  RunRequest request = Request({"config"});
  request.environment = {{"SIGHTLINE_PROT", "1"}};
  EXPECT_TRUE(Has(RunProgram(request).errors, "SIGHTLINE_PORT"));
  WriteFile("bad.toml", "[server]\nprot = 1\n");
  const RunResult file = Run({"config", "--config", "bad.toml"});
  EXPECT_EQ(file.exit_status, 2);
  EXPECT_TRUE(Has(file.errors, "server.port")) << file.errors;
  EXPECT_EQ(Run({"config", "--config", "none.toml"}).exit_status, 2);
}

TEST_F(ProgramTest, ResultsGoToOutputAndColoursToTerminalsOnly) {
  const RunResult piped = Run({"config"});
  EXPECT_FALSE(Has(piped.output, "\x1b["));
  EXPECT_EQ(piped.errors, "");
  RunRequest request = Request({"doctor"});
  const RunResult colored = RunInTerminal(request, 100, "");
  EXPECT_TRUE(Has(colored.output, "\x1b[")) << colored.output;
  request.environment = {{"NO_COLOR", "1"}};
  EXPECT_FALSE(Has(RunInTerminal(request, 100, "").output, "\x1b[3")) << "NO_COLOR";
}

TEST_F(ProgramTest, ANarrowTerminalStaysReadable) {
  const RunResult run = RunInTerminal(Request({"config"}), 60, "");
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_TRUE(Has(run.output, "server.port"));
}

TEST_F(ProgramTest, AClosedPipeEndsQuietly) {
  const RunResult run =
      RunShell("sightline help --man | head -n 1; echo ${PIPESTATUS[0]}", Request({}));
  EXPECT_EQ(run.errors, "");
  EXPECT_TRUE(run.output.ends_with("\n0\n") || run.output.ends_with("\n141\n")) << run.output;
  const RunResult closed = RunShell("sightline config --json >&-; echo $?", Request({}));
  EXPECT_TRUE(Has(closed.output, "3")) << closed.output << closed.errors;
  const RunResult full = RunShell("sightline config > /dev/full; echo $?", Request({}));
  EXPECT_EQ(full.output, "3\n") << full.errors;
}

TEST_F(ProgramTest, InspectDecodesWithoutADataFolder) {
  WriteFile("a note 笔记.txt", "The pump moves water.\n\n水泵把水送上去。\n");
  const RunResult run = Run({"inspect", "a note 笔记.txt", "--text"});
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(Has(run.output, "水泵")) << run.output;
  WriteFile("empty.pdf", "");
  const RunResult empty = Run({"inspect", "empty.pdf"});
  EXPECT_EQ(empty.exit_status, 1);
  EXPECT_FALSE(empty.errors.empty());
  EXPECT_EQ(Run({"inspect", "nothing.pdf"}).exit_status, 1);
  EXPECT_FALSE(fs::exists(folder_ / "sightline-data"));
}

TEST_F(ProgramTest, InspectVerifiesSegments) {
  const std::string golden = SIGHTLINE_GOLDEN_SEGMENTS "/coded-v3.seg";
  const RunResult run = Run({"inspect", golden});
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(Has(run.output, "units       40")) << run.output;
  EXPECT_TRUE(Has(Run({"inspect", golden, "--json"}).output, R"("checksums":"all match")"));
  std::ifstream file(golden, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_GT(bytes.size(), 3'000U);
  bytes[3'000] = static_cast<char>(bytes[3'000] ^ 1);
  WriteFile("damaged.seg", bytes);
  const RunResult damaged = Run({"inspect", "damaged.seg"});
  EXPECT_EQ(damaged.exit_status, 1);
  EXPECT_TRUE(Has(damaged.errors, "offset")) << damaged.errors;
}

TEST_F(ProgramTest, DoctorSaysWhatToDo) {
  const RunResult run = Run({"doctor", "--json"});
  EXPECT_TRUE(run.exit_status == 0 || run.exit_status == 3);
  EXPECT_TRUE(Has(run.output, R"("check":"decoder","verdict":"ok")")) << run.output;
  EXPECT_TRUE(Has(run.output, R"("check":"Chinese","verdict":"ok")")) << run.output;
}

TEST_F(ProgramTest, CompletionIsValidForItsShell) {
  const RunResult run = RunShell(
      "source <(sightline completion bash) && COMP_WORDS=(sightline sea) COMP_CWORD=1 && "
      "_sightline && echo ${COMPREPLY[@]}",
      Request({}));
  EXPECT_EQ(run.output, "search\n") << run.errors;
  const RunResult option = RunShell(
      "source <(sightline completion bash) && COMP_WORDS=(sightline documents --state f) "
      "COMP_CWORD=3 && _sightline && echo ${COMPREPLY[@]}",
      Request({}));
  EXPECT_EQ(option.output, "failed\n") << option.errors;
  EXPECT_EQ(Run({"completion", "fish"}).exit_status, 0);
  EXPECT_EQ(Run({"completion", "zsh"}).exit_status, 0);
  EXPECT_EQ(Run({"completion", "tcsh"}).exit_status, 2);
}

TEST_F(ProgramTest, FishCompletesVerbsValuesAndFiles) {
  if (!fs::exists("/usr/bin/fish")) GTEST_SKIP() << "not installed: fish";
  WriteFile("scan.png", "");
  const RunResult run = RunShell(
      "fish --no-config -c 'sightline completion fish | source\n"
      "for line in \"sightline sea\" \"sightline documents --state f\" \"sightline models pu\" "
      "\"sightline help doc\" \"sightline search --image sc\"; complete -C $line | cut -f 1; end'",
      Request({}));
  EXPECT_EQ(run.output, "search\nfailed\npull\ndoctor\ndocuments\nscan.png\n") << run.errors;
}

TEST_F(ProgramTest, ZshCompletesAtTheFirstTab) {
  if (!fs::exists("/usr/bin/zsh")) GTEST_SKIP() << "not installed: zsh";
  WriteFile("scan.png", "");
  // A shell in a terminal of its own: a line and a tab are typed, and what it makes of them is
  // read.
  WriteFile(
      "type.zsh",
      "zmodload zsh/zpty\n"
      "await() { local text= piece=; repeat 200; do zpty -rt shell piece && text+=$piece; "
      "[[ $text == *$1* ]] && { print \"found $1\"; return; }; sleep 0.05; done; print -r -- "
      "\"no $1 in ${(V)text}\" }\n"
      "complete() { zpty shell zsh -f -i\n"
      "zpty -w shell \"PS1=; fpath=(\\$PWD/functions \\$fpath); autoload -U compinit; compinit "
      "-u -D; bindkey '^I' complete-word; print rea''dy\"; await ready >/dev/null\n"
      "zpty -wn shell $1$'\\t'; await $2; zpty -d shell }\n"
      "complete 'sightline sea' search\n"
      "complete 'sightline documents --state f' failed\n"
      "complete 'sightline search --image sc' scan.png\n");
  const RunResult run =
      RunShell("mkdir functions; sightline completion zsh >functions/_sightline; zsh -f type.zsh",
               Request({}));
  EXPECT_EQ(run.output, "found search\nfound failed\nfound scan.png\n") << run.errors;
}

TEST_F(ProgramTest, TheManualPageIsThatOfTheProgram) {
  std::ifstream file("docs/sightline.1");
  ASSERT_TRUE(file.is_open()) << "run in the root of the repository";
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(Run({"help", "--man"}).output, committed.str())
      << "make it again: sightline help --man > docs/sightline.1";
}

TEST_F(ProgramTest, MissingFilesAreNamedAndFail) {
  const RunResult run = Run({"add", "nothing.pdf"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_TRUE(Has(run.errors, "nothing.pdf")) << run.errors;
  fs::create_directories(folder_ / "empty folder");
  EXPECT_EQ(Run({"add", "empty folder"}).exit_status, 1);
  EXPECT_FALSE(Has(run.errors, "--state failed")) << "nothing failed that is in the library";
  EXPECT_FALSE(fs::exists(folder_ / "sightline-data"));
}

TEST_F(ProgramTest, WhatCannotBeOpenedSaysWhatToTry) {
  WriteFile("file", "no folder");
  const RunResult file = Run({"documents", "--data", "file"});
  EXPECT_EQ(file.exit_status, 3);
  EXPECT_TRUE(Has(file.errors, "not a folder")) << file.errors;
  EXPECT_TRUE(Has(file.errors, "another folder with --data DIR")) << file.errors;

  fs::create_directories(folder_ / "some");
  const RunResult registry = Run({"documents", "--data", "some", "--set", "models.registry=none"});
  EXPECT_EQ(registry.exit_status, 3);
  EXPECT_TRUE(Has(registry.errors, "sightline doctor")) << "not: add a file" << registry.errors;

  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  fs::create_directories(folder_ / "closed");
  fs::permissions(folder_ / "closed", fs::perms::none);
  const RunResult closed = Run({"documents", "--data", "closed/data"});
  const RunResult doctor = Run({"doctor", "--data", "closed/data"});
  fs::permissions(folder_ / "closed", fs::perms::owner_all);
  EXPECT_EQ(closed.exit_status, 3);
  EXPECT_TRUE(Has(closed.errors, "Permission denied")) << closed.errors;
  EXPECT_EQ(doctor.exit_status, 3) << doctor.output;
}

TEST_F(ProgramTest, ACatalogOfALaterVersionIsRefusedAtOnce) {
  const RunResult run = RunShell(
      "mkdir d && sightline documents --data d; "
      "sqlite3 d/catalog.sqlite 'INSERT INTO schema_versions VALUES (99, 0)' && "
      "sightline documents --data d; echo $?; sightline doctor --data d",
      Request({}));
  EXPECT_TRUE(Has(run.errors, "later version")) << run.errors;
  EXPECT_TRUE(Has(run.errors, "another folder")) << run.errors;
  EXPECT_TRUE(Has(run.output, "3\n")) << run.output;
  EXPECT_FALSE(Has(run.errors + run.output, "other command")) << run.errors << run.output;
}

TEST_F(ProgramTest, PullingReplacesADamagedModel) {
  // The program in a tree of its own, with a fetch tool that only says how it was called.
  const RunResult run = RunShell(
      "program=$(readlink -f \"$(command -v sightline)\")\n"
      "mkdir -p bin share/sightline/tools; cp \"$program\" bin/\n"
      "cp \"$(dirname \"$program\")/../share/sightline/registry.toml\" share/sightline/\n"
      "printf '#!/bin/sh\\necho called \"$@\"\\nexit 1\\n' >share/sightline/tools/fetch\n"
      "chmod +x share/sightline/tools/fetch\n"
      "bin/sightline models pull e5-small --set models.cache_dir=cache; echo $?",
      Request({}));
  EXPECT_TRUE(Has(run.errors, "--verify"))
      << "what is there would count as installed" << run.errors;
  EXPECT_TRUE(Has(run.errors, "--models e5-small")) << run.errors;
  EXPECT_EQ(run.output, "3\n");
}

TEST_F(ProgramTest, AModelOfAHubIsPulledAndVerified) {
  const std::string commit = "0123456789abcdef0123456789abcdef01234567";
  const std::string files = "hub/Org/Tiny/resolve/" + commit + "/";
  fs::create_directories(folder_ / "hub/api/models/Org/Tiny/revision");
  fs::create_directories(folder_ / files / "onnx");
  WriteFile(
      "hub/api/models/Org/Tiny/revision/main",
      R"({"sha":")" + commit +
          R"(","cardData":{"license":"mit"},"siblings":[)"
          R"({"rfilename":"config.json","size":21},{"rfilename":"onnx/vision_model.onnx","size":3}]})");
  WriteFile(files + "config.json", R"({"model_type":"clip"})");
  WriteFile(files + "onnx/vision_model.onnx", "net");
  const RunResult run = RunShell(
      "python3 -u -m http.server 0 --bind 127.0.0.1 --directory hub >port 2>/dev/null & server=$!\n"
      "for i in $(seq 300); do grep -q port port && break; sleep 0.1; done\n"
      "export HF_ENDPOINT=http://127.0.0.1:$(sed -E 's/.* port ([0-9]+) .*/\\1/' port)\n"
      "export SIGHTLINE_CACHE=$PWD/cache\n"
      "sightline models pull hf:Org/Tiny; echo $?; sightline models verify org--tiny; echo $?\n"
      "sightline models pull hf:Org/None; echo $?; kill $server",
      Request({}));
  EXPECT_EQ(run.output, "installed hf:Org/Tiny\n0\nok      org--tiny\n0\n3\n") << run.errors;
}

TEST_F(ProgramTest, ModelsAreListedWithLicenceAndState) {
  const RunResult run = Run({"models", "list", "--json"});
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(Has(run.output, R"("name":"e5-small")")) << run.output;
  EXPECT_TRUE(Has(run.output, R"("licence":"MIT")"));
  EXPECT_EQ(Run({"models", "verify", "no-such-model"}).exit_status, 1);
  EXPECT_EQ(Run({"models", "pull", "hf:no-slash"}).exit_status, 2);
}

}  // namespace
}  // namespace sightline::cmd
