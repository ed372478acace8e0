// Works on the data folder argv[1] from document number argv[2] until it is killed. Each line of
// its journal is one write to standard output.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "crash/store_scenario.h"

int main(int argc, char** argv) {
  using namespace sightline;
  if (argc != 3) return 2;
  auto store = store::OpenLocalStore({.data_dir = argv[1]});
  if (!store.ok()) {
    std::fprintf(stderr, "%s\n", store.status().ToString().c_str());
    return 3;
  }
  const auto journal = [](const std::string& line) {
    const std::string whole = line + "\n";
    if (write(STDOUT_FILENO, whole.data(), whole.size()) < 0) std::_Exit(4);
  };
  const base::Status status = crash::RunScenario(*store, std::atoi(argv[2]), 1'000'000, journal);
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  return 1;
}
