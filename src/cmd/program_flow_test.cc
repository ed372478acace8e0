// Whole stories with the real program and the real text encoder: add, search, show, remove; two
// processes on one folder; a server in between. Skips where the encoder is not installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cmd/program_run.h"

namespace sightline::cmd {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

fs::path Cache() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path root = cache != nullptr && *cache != '\0'
                            ? fs::path(cache)
                            : fs::path(home == nullptr ? "" : home) / ".cache";
  return root / "sightline";
}

class ProgramFlowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(Cache() / "models" / "e5-small" / "tokenizer.bin")) {
      GTEST_SKIP() << "not installed: e5-small (tools/fetch --models e5-small)";
    }
    folder_ = fs::path(::testing::TempDir()) /
              ("sightline flow " + std::to_string(getpid()) +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "notes");
    WriteFile("notes/pump.txt", "The pump moves water from the lower tank to the upper tank.\n");
    WriteFile("notes/离心机.txt", "离心机的转速在面板上设置，最高每分钟一万五千转。\n");
    WriteFile("notes/bread.txt", "Knead the dough for ten minutes and let it rise overnight.\n");
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  RunRequest Request(std::vector<std::string> arguments) const {
    RunRequest request;
    request.arguments = std::move(arguments);
    request.folder = folder_.string();
    request.environment = {{"SIGHTLINE_CACHE", Cache().string()}};
    return request;
  }
  RunResult Run(std::vector<std::string> arguments) const {
    return RunProgram(Request(std::move(arguments)));
  }
  void WriteFile(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// The file of the first hit.
  std::string Best(const std::string& query) const {
    const RunResult run = Run({"search", query, "--json"});
    if (run.exit_status != 0) return "status " + std::to_string(run.exit_status) + run.errors;
    const json::value answer = json::parse(run.output);
    return json::value_to<std::string>(answer.at("hits").at(0).at("filename"));
  }

  fs::path folder_;
};

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

size_t Lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(ProgramFlowTest, AddsSearchesShowsAndRemoves) {
  const RunResult added = Run({"add", "notes", "--tag", "demo", "--json"});
  EXPECT_EQ(added.exit_status, 0) << added.errors;
  EXPECT_EQ(Lines(added.output), 3U) << added.output;
  EXPECT_EQ(Best("water pump"), "pump.txt");
  EXPECT_EQ(Best("離心機轉速"), "离心机.txt");
  EXPECT_EQ(Best("how to bake"), "bread.txt");
  EXPECT_EQ(Best("怎样做面包"), "bread.txt");

  const RunResult again = Run({"add", "notes/pump.txt"});
  EXPECT_EQ(again.exit_status, 0);
  EXPECT_TRUE(Has(again.output, "was there")) << again.output;

  const RunResult table = Run({"documents", "--tag", "demo"});
  EXPECT_EQ(table.exit_status, 0) << table.errors;
  EXPECT_EQ(Lines(table.output), 4U) << table.output;
  EXPECT_TRUE(Has(table.output, "离心机"));
  EXPECT_EQ(Run({"documents", "--tag", "other"}).exit_status, 1);

  const RunResult shown = Run({"show", "离心机.txt", "--text"});
  EXPECT_EQ(shown.exit_status, 0) << shown.errors;
  EXPECT_TRUE(Has(shown.output, "最高每分钟")) << shown.output;

  EXPECT_EQ(Run({"remove", "pump.txt"}).exit_status, 2) << "nobody to ask, and no --yes";
  EXPECT_EQ(Run({"remove", "pump.txt", "--yes"}).exit_status, 0);
  EXPECT_NE(Best("water pump"), "pump.txt");
  EXPECT_EQ(Run({"show", "pump.txt"}).exit_status, 1);
  EXPECT_EQ(Run({"doctor"}).exit_status, 0) << Run({"doctor"}).output;
}

TEST_F(ProgramFlowTest, PooledDocumentsAreSmallerAndStandBesideOthers) {
  std::string text;
  for (int i = 1; i <= 30; ++i) {
    text += "Step " + std::to_string(i) + " opens valve " + std::to_string(i * 7) + " a turn.\n";
  }
  WriteFile("notes/valves.txt", text);
  const auto segment_bytes = [this](const std::string& data) {
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(folder_ / data / "segments")) {
      bytes += file.file_size();
    }
    return bytes;
  };
  ASSERT_EQ(Run({"add", "notes/valves.txt", "--data", "whole"}).exit_status, 0);
  const RunResult pooled =
      Run({"add", "notes/valves.txt", "--data", "pooled", "--set", "index.pool_factor=4"});
  ASSERT_EQ(pooled.exit_status, 0) << pooled.errors;
  EXPECT_LT(segment_bytes("pooled"), segment_bytes("whole") / 2);

  ASSERT_EQ(Run({"add", "notes/bread.txt"}).exit_status, 0);
  ASSERT_EQ(Run({"add", "notes", "--set", "index.pool_factor=4"}).exit_status, 0);
  EXPECT_EQ(Best("open a valve"), "valves.txt");
  EXPECT_EQ(Best("how to bake"), "bread.txt");
}

TEST_F(ProgramFlowTest, OddQuestionsAreAnswered) {
  ASSERT_EQ(Run({"add", "notes"}).exit_status, 0);
  for (const std::string query :
       {"🐼🐼🐼", "水", "x", "ماء", "\"", "-- ; DROP TABLE", "AND OR NOT", "\xff\xfe", "*"}) {
    const RunResult run = Run({"search", "--json", "--", query});
    EXPECT_TRUE(run.exit_status == 0 || run.exit_status == 1) << query << run.errors;
  }
  const RunResult filtered =
      Run({"search", "water", "--filter", R"({"must":[{"key":"kind","match":{"value":"shot"}}]})"});
  EXPECT_EQ(filtered.exit_status, 1) << filtered.output;
  EXPECT_TRUE(Has(filtered.errors, "without --filter")) << filtered.errors;
  const RunResult picture = Run({"search", "--image", "notes/pump.txt"});
  EXPECT_EQ(picture.exit_status, 2) << picture.errors;
  EXPECT_TRUE(Has(picture.errors, "a picture (PNG")) << picture.errors;
  const RunResult elsewhere = Run({"search", "water", "--collection", "nowhere"});
  EXPECT_EQ(elsewhere.exit_status, 1);
  EXPECT_TRUE(Has(elsewhere.errors, "collection nowhere")) << elsewhere.errors;
  EXPECT_EQ(Run({"search", "--image", "none.png"}).exit_status, 3);
}

TEST_F(ProgramFlowTest, BadFilesFailWithAReasonAndTheOthersAreReady) {
  WriteFile("notes/not really.pdf", "This is a text file with the name of a PDF.\n");
  WriteFile("notes/empty.pdf", "");
  WriteFile("notes/noise.bin", std::string("\x00\x01\x02\xff\xfe\x00garbage\x00", 16));
  const RunResult run = Run({"add", "notes", "missing.pdf"});
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_TRUE(Has(run.errors, "missing.pdf")) << run.errors;
  EXPECT_TRUE(Has(run.errors + run.output, "empty.pdf")) << run.errors;
  EXPECT_EQ(Best("water pump"), "pump.txt");
  EXPECT_EQ(Run({"doctor"}).exit_status, 0);
}

TEST_F(ProgramFlowTest, AddingAgainTriesAgainWhatFailed) {
  const RunResult broken =
      Run({"add", "notes/pump.txt", "--set", "media.decoder=/nowhere/sightline-decode"});
  EXPECT_EQ(broken.exit_status, 3) << broken.output << "the machine is at fault, not the file";
  EXPECT_TRUE(Has(broken.errors, "pump.txt: there is no program /nowhere/sightline-decode"))
      << broken.errors;
  EXPECT_TRUE(Has(broken.errors, "sightline doctor")) << broken.errors;
  EXPECT_TRUE(Has(Run({"documents"}).output, "queued")) << Run({"documents"}).output;
  const RunResult repaired = Run({"add", "notes/pump.txt"});
  EXPECT_EQ(repaired.exit_status, 0) << repaired.output;
  EXPECT_EQ(Best("water pump"), "pump.txt");
  EXPECT_EQ(Lines(Run({"documents", "--json"}).output), 1U) << "tried again, not kept twice";
}

TEST_F(ProgramFlowTest, EvalMeasuresASetAndAsksAgainWithoutIndexing) {
  fs::create_directories(folder_ / "sets" / "text");
  WriteFile("sets/text/manpages.en.jsonl",
            R"({"page": "ls.1", "query": "list directory contents", )"
            R"("passages": ["List information about the files of a folder.", "Sort by size."]})"
            "\n"
            R"({"page": "tar.1", "query": "an archiving utility", )"
            R"("passages": ["Tar stores many files together in one archive."]})"
            "\n");
  WriteFile("sets/text/manpages.cross.jsonl",
            R"({"query": "列出文件夹中的文件", "page_zh": "ls.1", "page_en": "ls.1"})"
            "\n"
            R"({"query": "把许多文件存入归档", "page_zh": "tar.1", "page_en": "tar.1"})"
            "\n"
            R"({"query": "编辑文本", "page_zh": "vi.1", "page_en": "vi.1"})"
            "\n");
  const std::vector<std::string> verb = {"eval",           "--root", "sets", "--set",
                                         "manpages-cross", "--keep", "kept"};
  const RunResult table = Run(verb);
  ASSERT_EQ(table.exit_status, 0) << table.errors;
  EXPECT_TRUE(Has(table.output, "manpages-cross: 2 documents, indexed in")) << table.output;
  EXPECT_TRUE(Has(table.output, "1 questions about documents that are not here were left out"));
  EXPECT_TRUE(Has(table.output, "nDCG@5")) << table.output;
  EXPECT_FALSE(fs::exists(folder_ / "sightline-data")) << "the library is not touched";

  // The corpus file is written whenever a set is indexed.
  const fs::path corpus = folder_ / "kept" / "manpages-cross" / "corpus.json";
  const fs::file_time_type written = fs::last_write_time(corpus);
  std::vector<std::string> as_json = verb;
  as_json.emplace_back("--json");
  const RunResult again = Run(as_json);
  ASSERT_EQ(again.exit_status, 0) << again.errors;
  EXPECT_EQ(fs::last_write_time(corpus), written);
  const json::value report = json::parse(again.output);
  EXPECT_EQ(report.at("set"), "manpages-cross");
  EXPECT_EQ(report.at("documents"), 2);
  EXPECT_EQ(report.at("unanswerable"), 1);
  bool combined = false;
  for (const json::value& route : report.at("routes").as_array()) {
    EXPECT_EQ(route.at("questions"), 2);
    if (route.at("route") != "combined") continue;
    combined = true;
    EXPECT_EQ(route.at("recall_at_1"), 1.0) << again.output;
  }
  EXPECT_TRUE(combined) << again.output;
  EXPECT_TRUE(Has(again.output, "\"index_seconds\"")) << again.output;

  const RunResult absent = Run({"eval", "--root", "sets", "--set", "images-dev"});
  EXPECT_EQ(absent.exit_status, 3) << absent.output;
  EXPECT_TRUE(Has(absent.errors, "SKIP images-dev")) << absent.errors;
}

TEST_F(ProgramFlowTest, DoctorIsContentWithoutModelsThatNobodyAskedFor) {
  const fs::path models = folder_ / "cache" / "models";
  fs::create_directories(models);
  fs::create_directory_symlink(Cache() / "models" / "e5-small", models / "e5-small");
  RunRequest request = Request({"doctor"});
  request.environment = {{"SIGHTLINE_CACHE", (folder_ / "cache").string()}};
  const RunResult run = RunProgram(request);
  EXPECT_EQ(run.exit_status, 0) << run.output;
  EXPECT_TRUE(Has(run.output, "pp-ocrv6 (ocr) is not installed")) << run.output;
  EXPECT_FALSE(Has(run.output, "minilm")) << run.output;
}

TEST_F(ProgramFlowTest, DoctorFindsADamagedSegment) {
  ASSERT_EQ(Run({"add", "notes"}).exit_status, 0);
  ASSERT_EQ(Run({"doctor"}).exit_status, 0) << Run({"doctor"}).output;
  const fs::directory_iterator segments(folder_ / "sightline-data" / "segments");
  ASSERT_NE(segments, fs::directory_iterator());
  const auto middle = static_cast<std::streamoff>(segments->file_size() / 2);
  std::fstream file(segments->path(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(middle);
  const int byte = file.get();
  file.seekp(middle);
  file.put(static_cast<char>(byte ^ 1));
  file.close();
  const RunResult doctor = Run({"doctor"});
  EXPECT_EQ(doctor.exit_status, 3) << doctor.output;
  EXPECT_TRUE(Has(doctor.output, "checksum is wrong")) << doctor.output;
  EXPECT_EQ(Run({"search", "water pump"}).exit_status, 3) << "damage is no empty result";
}

TEST_F(ProgramFlowTest, ReadsFromPipes) {
  RunRequest request = Request({"add", "-", "--name", "piped.txt"});
  request.input = "Zebras have stripes.\n";
  EXPECT_EQ(RunProgram(request).exit_status, 0);
  request = Request({"search", "-", "--json"});
  request.input = "zebra stripes\n";
  const RunResult run = RunProgram(request);
  EXPECT_EQ(run.exit_status, 0) << run.errors;
  EXPECT_TRUE(Has(run.output, "piped.txt"));
}

TEST_F(ProgramFlowTest, ATerminalShowsMatchesInBoldAndAsksBeforeRemoving) {
  ASSERT_EQ(Run({"add", "notes"}).exit_status, 0);
  const RunResult run = RunInTerminal(Request({"search", "water pump"}), 70, "");
  EXPECT_EQ(run.exit_status, 0);
  EXPECT_TRUE(Has(run.output, "\x1b[1;33mpump\x1b[0m") || Has(run.output, "\x1b[1;33mwater"))
      << run.output;
  const RunResult no = RunInTerminal(Request({"remove", "bread.txt"}), 70, "n\n");
  EXPECT_EQ(no.exit_status, 1) << no.output;
  EXPECT_EQ(Best("knead the dough"), "bread.txt");
  const RunResult yes = RunInTerminal(Request({"remove", "bread.txt"}), 70, "y\n");
  EXPECT_EQ(yes.exit_status, 0) << yes.output;
}

TEST_F(ProgramFlowTest, TalksToTheServerThatHoldsTheFolder) {
  const RunResult run = RunShell(
      "sightline serve --port 0 >url 2>log & server=$!\n"
      "for i in $(seq 300); do [ -s url ] && break; sleep 0.1; done\n"
      "sightline add notes --json >added || echo add failed\n"
      "sightline search 'water pump' --json >hits || echo search failed\n"
      "sightline documents >table || echo documents failed\n"
      "sightline remove bread.txt --yes || echo remove failed\n"
      "sightline serve --port 0 2>second; echo second $?\n"
      "kill -INT $server; wait $server; echo server $?\n"
      "sightline documents >after; echo after $?\n",
      Request({}));
  EXPECT_TRUE(Has(run.output, "second 3")) << run.output << run.errors;
  EXPECT_TRUE(Has(run.output, "server 0")) << run.output;
  EXPECT_TRUE(Has(run.output, "after 0")) << run.output;
  EXPECT_FALSE(Has(run.output, "failed")) << run.output << run.errors;
  const auto read = [this](const char* name) {
    std::ifstream file(folder_ / name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  };
  EXPECT_EQ(Lines(read("added")), 3U);
  EXPECT_TRUE(Has(read("hits"), "pump.txt"));
  EXPECT_EQ(Lines(read("table")), 4U);
  EXPECT_EQ(Lines(read("after")), 3U);
}

TEST_F(ProgramFlowTest, AServerWithEveryModelOpenIsSmallAndItsThreadsAreBounded) {
  for (const char* model : {"efficientnet-lite2", "pp-ocrv6", "whisper-base"}) {
    if (!fs::exists(Cache() / "models" / model)) GTEST_SKIP() << "not installed: " << model;
  }
  RunRequest request = Request({});
  request.environment.emplace_back("SIGHTLINE_THREADS", "1");
  request.environment.emplace_back("SAMPLES", SIGHTLINE_SAMPLES);
  const RunResult run = RunShell(
      "ffmpeg -v error -ss 5 -t 8 -i \"$SAMPLES/machines-en.mp4\" -vn speech.wav || exit 3\n"
      "sightline serve --port 0 >url 2>log & server=$!\n"
      "for i in $(seq 300); do [ -s url ] && break; sleep 0.1; done\n"
      "ls /proc/$server/task | wc -l\n"
      "sightline add notes speech.wav \"$SAMPLES/scan-report-en.jpg\" >added || cat added\n"
      "sightline search gears --image \"$SAMPLES/queries/gears.jpg\" --json >hits || echo failed\n"
      "sightline documents --state ready --json | wc -l\n"
      "awk '/^VmRSS/ { print $2 }' /proc/$server/status; ls /proc/$server/task | wc -l\n"
      "kill -INT $server; wait $server",
      request);
  std::istringstream numbers(run.output);
  int threads_before = 0;
  int documents = 0;
  int resident_kib = 0;
  int threads_after = 0;
  numbers >> threads_before >> documents >> resident_kib >> threads_after;
  EXPECT_EQ(documents, 5) << run.output << run.errors;
  RecordProperty("resident_kib", resident_kib);
  EXPECT_GT(resident_kib, 100 << 10);
  EXPECT_LE(resident_kib, 400 << 10);
  EXPECT_GT(threads_before, 1);
  // One for each model, its batches, and the launcher of the sandbox.
  EXPECT_LE(threads_after, threads_before + 6) << run.output;
}

TEST_F(ProgramFlowTest, OpensTheFirstHitInTheViewer) {
  const RunResult run = RunShell(
      "mkdir bin; printf '#!/bin/sh\\necho \"$@\" >>opened\\n' >bin/xdg-open; chmod +x "
      "bin/xdg-open\n"
      "PATH=$PWD/bin:$PATH; sightline serve --port 0 >url 2>/dev/null & server=$!\n"
      "for i in $(seq 300); do [ -s url ] && break; sleep 0.1; done\n"
      "sightline add notes >/dev/null; sightline search 'water pump' --open >/dev/null; echo $?\n"
      "kill -INT $server; wait $server; cat opened",
      Request({}));
  EXPECT_TRUE(Has(run.output, "0\nhttp://127.0.0.1:")) << run.output << run.errors;
  EXPECT_TRUE(Has(run.output, "/d/01")) << run.output;
}

TEST_F(ProgramFlowTest, CtrlCEndsAnAddThatWaitsAndTheNextGoesOn) {
  const RunResult run = RunShell(
      "mkfifo in; exec 3<>in; sightline add - --name late.txt <in 2>err & add=$!\n"
      "for i in $(seq 300); do [ -s sightline-data/catalog.sqlite ] && break; sleep 0.1; done\n"
      "kill -INT $add; wait $add; echo add $?; cat err\n"
      "sightline add notes >/dev/null; echo again $?; sightline doctor --quiet; echo doctor $?",
      Request({}));
  EXPECT_TRUE(Has(run.output, "add 130\nsightline: stopped")) << run.output << run.errors;
  EXPECT_TRUE(Has(run.output, "again 0\ndoctor 0\n")) << run.output << run.errors;
}

TEST_F(ProgramFlowTest, KilledInTheMiddleOfAddingLeavesAWholeFolder) {
  for (int i = 0; i < 20; ++i) {
    WriteFile("notes/more" + std::to_string(i) + ".txt",
              "Note number " + std::to_string(i) + " about valves and pipes.\n");
  }
  const RunResult run = RunShell(
      "for delay in 0.3 0.9 1.7; do timeout -s KILL $delay sightline add notes >/dev/null 2>&1; "
      "sightline doctor >doctor 2>&1 || { cat doctor; echo doctor failed; }; done\n"
      "sightline add notes >/dev/null; echo add $?; sightline documents --state ready --json | wc "
      "-l",
      Request({}));
  EXPECT_FALSE(Has(run.output, "doctor failed")) << run.output;
  EXPECT_TRUE(Has(run.output, "add 0\n23\n")) << run.output << run.errors;
}

}  // namespace
}  // namespace sightline::cmd
