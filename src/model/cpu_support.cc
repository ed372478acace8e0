#include "model/cpu_support.h"

namespace sightline::model {

bool HasExactInt8Products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni") || __builtin_cpu_supports("avxvnni");
#else
  return true;
#endif
}

bool CanRunSpeechLibrary() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

}  // namespace sightline::model
