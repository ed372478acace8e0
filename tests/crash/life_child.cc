// Lives through kLife on the data folder argv[1], whatever fails on the way. Tells its steps, one
// line each, on standard output: with writev, which nothing else here calls, so that a fault that
// is injected into another call never meets the journal. Status: 0 all went well, 1 something
// failed.
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "crash/life_scenario.h"

namespace {

void Tell(const std::string& what, const sightline::base::Status& status) {
  std::string line = (status.ok() ? "done " : "failed ") + what;
  if (!status.ok()) line += " | " + status.ToString();
  line += '\n';
  const iovec whole{line.data(), line.size()};
  if (writev(STDOUT_FILENO, &whole, 1) < 0) std::_Exit(4);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sightline;
  if (argc != 2) return 2;
  auto store = store::OpenLocalStore(crash::LifeOptions(argv[1]));
  Tell("open", store.status());
  if (!store.ok()) return 1;
  int status = 0;
  for (const crash::Step& step : crash::kLife) {
    const base::Status taken = crash::Take(step, *store);
    Tell(crash::Describe(step), taken);
    if (!taken.ok()) status = 1;
  }
  return status;
}
