// Whether this process may use AMX.
#pragma once

namespace sightline::kernels {

/// Whether the processor multiplies int8 tiles and the kernel, asked for it, lets this process hold
/// tiles (Linux 5.16: arch_prctl(ARCH_REQ_XCOMP_PERM)). Threads that exist and threads to come may
/// then use them; asking twice does no harm. False on other systems. Thread-safe.
bool AmxIsAllowed();

}  // namespace sightline::kernels
