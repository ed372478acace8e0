#include "eval/process_memory.h"

#include <fstream>
#include <string>

namespace sightline::eval {
namespace {

/// The kilobytes that /proc/self/status gives for `name`, in bytes.
std::uint64_t StatusBytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string field;
  std::uint64_t kilobytes = 0;
  while (status >> field) {
    if (field == name && status >> kilobytes) return kilobytes * 1'024;
  }
  return 0;
}

}  // namespace

std::uint64_t ResidentBytes() { return StatusBytes("VmRSS:"); }

std::uint64_t PeakResidentBytes() { return StatusBytes("VmHWM:"); }

}  // namespace sightline::eval
