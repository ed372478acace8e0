// sightline: the command line and the server.
#include <string>
#include <vector>

#include "cmd/interrupt.h"
#include "cmd/program.h"

int main(int argc, char** argv) {
  // First of all: threads that start later inherit which signals they leave alone.
  const sightline::cmd::Interrupt interrupt;
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  sightline::cmd::Program program;
  return static_cast<int>(program.Run(std::move(arguments), interrupt));
}
