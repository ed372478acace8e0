#include "kernels/dispatch.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "kernels/amx_permission.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace sightline::kernels {

#if defined(__x86_64__)
namespace {

// clang's builtin does not know it. That the operating system saves the registers follows from
// AVX2.
bool HasF16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

}  // namespace

std::vector<const KernelTable*> RunnableKernels() {
  std::vector<const KernelTable*> tables = {&kScalarKernels};
  // The builtins also ask the operating system whether it saves the registers.
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !HasF16c()) {
    return tables;
  }
  tables.push_back(&kAvx2Kernels);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vnni")) {
    return tables;
  }
  tables.push_back(&kAvx512Kernels);
  if (!__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vpopcntdq")) {
    return tables;
  }
  tables.push_back(&kAvx512VbmiKernels);
  if (AmxIsAllowed()) tables.push_back(&kAmxKernels);
  return tables;
}

std::vector<std::string_view> BuiltKernelNames() {
  return {kScalarKernels.name, kAvx2Kernels.name, kAvx512Kernels.name, kAvx512VbmiKernels.name,
          kAmxKernels.name};
}
#elif defined(__aarch64__)
std::vector<const KernelTable*> RunnableKernels() {
  std::vector<const KernelTable*> tables = {&kScalarKernels, &kNeonKernels};
#if defined(__linux__)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) tables.push_back(&kNeonDotKernels);
#endif
  return tables;
}

std::vector<std::string_view> BuiltKernelNames() {
  return {kScalarKernels.name, kNeonKernels.name, kNeonDotKernels.name};
}
#else
std::vector<const KernelTable*> RunnableKernels() { return {&kScalarKernels}; }

std::vector<std::string_view> BuiltKernelNames() { return {kScalarKernels.name}; }
#endif

const KernelTable& ChooseKernels(std::string_view forced) {
  const std::vector<const KernelTable*> tables = RunnableKernels();
  if (forced.empty()) return *tables.back();
  for (const KernelTable* table : tables) {
    if (forced == table->name) return *table;
  }
  std::fprintf(stderr, "SIGHTLINE_FORCE_ISA is ignored: this machine cannot run '%s'; using %s\n",
               std::string(forced).c_str(), tables.back()->name);
  return *tables.back();
}

const KernelTable& Kernels() {
  static const KernelTable& chosen = []() -> const KernelTable& {
    const char* forced = std::getenv("SIGHTLINE_FORCE_ISA");
    return ChooseKernels(forced == nullptr ? std::string_view() : std::string_view(forced));
  }();
  return chosen;
}

}  // namespace sightline::kernels
