#include "kernels/amx_permission.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace sightline::kernels {

#if defined(__x86_64__) && defined(__linux__)
namespace {

// CPUID leaf 7, EDX.
constexpr unsigned kAmxTile = 1U << 24U;
constexpr unsigned kAmxInt8 = 1U << 25U;
// <asm/prctl.h> of Linux 5.16; older headers lack them.
constexpr long kRequestPermission = 0x1023;
constexpr long kTileData = 18;

}  // namespace

bool AmxIsAllowed() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  constexpr unsigned kNeeded = kAmxTile | kAmxInt8;
  if ((edx & kNeeded) != kNeeded) return false;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#else
bool AmxIsAllowed() { return false; }
#endif

}  // namespace sightline::kernels
