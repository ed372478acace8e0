#include "fuzz/target.h"

namespace sightline::fuzz {
namespace {

// In a function, because registrations of other files run before this file's own objects are made.
std::vector<Target>& Registered() {
  static std::vector<Target> targets;
  return targets;
}

}  // namespace

Registration::Registration(const Target& target) { Registered().push_back(target); }

const std::vector<Target>& Targets() { return Registered(); }

}  // namespace sightline::fuzz
