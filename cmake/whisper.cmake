# whisper.cpp (MIT) as a static library with its own flags: target `whisper`.
#
# Its arithmetic is compiled for AVX2, FMA, F16C and BMI2 instead of the machine that builds, so that a
# binary runs elsewhere; the program asks the processor before it opens a model and says that speech
# is not available where one of them is missing (src/model/cpu_support.h). Variants chosen at run time
# would need the library to be split into shared objects.
function(sightline_add_whisper)
  set(root "${SIGHTLINE_CACHE_DIR}/runtime/whisper.cpp")
  if(NOT EXISTS "${root}/CMakeLists.txt")
    message(FATAL_ERROR "whisper.cpp is not in the cache (${root}). Run: tools/fetch --runtime, "
                        "or configure with -DSIGHTLINE_SPEECH=OFF")
  endif()
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_CXX_STANDARD 17)
  foreach(option IN ITEMS WHISPER_BUILD_TESTS WHISPER_BUILD_EXAMPLES WHISPER_BUILD_SERVER
                          WHISPER_ALL_WARNINGS GGML_NATIVE GGML_OPENMP GGML_CCACHE GGML_BLAS)
    set(${option} OFF)
  endforeach()
  foreach(option IN ITEMS GGML_SSE42 GGML_AVX GGML_AVX2 GGML_FMA GGML_F16C GGML_BMI2
                          GGML_LLAMAFILE)
    set(${option} ON)
  endforeach()
  if(NOT SIGHTLINE_SANITIZE)
    # Speed of the third-party arithmetic does not depend on how we build our own code.
    set(CMAKE_BUILD_TYPE Release)
  endif()
  add_subdirectory("${root}" "${CMAKE_BINARY_DIR}/whisper.cpp" EXCLUDE_FROM_ALL SYSTEM)
endfunction()
sightline_add_whisper()
