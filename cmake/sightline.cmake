# How a component, a test and a program are declared. One folder is one component is one target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_program(SIGHTLINE_CCACHE ccache)
if(SIGHTLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${SIGHTLINE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SIGHTLINE_CCACHE})
endif()

# Generated and third-party code is compiled without these.
add_library(sightline_warnings INTERFACE)
# g++ 12 finds overlaps in std::string's operator+ that are none (GCC bug 105651).
set(SIGHTLINE_GCC_QUIET $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_compile_options(sightline_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
  -Wundef -Werror=unused-result $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<BOOL:${SIGHTLINE_WERROR}>:-Werror> ${SIGHTLINE_GCC_QUIET})

if(SIGHTLINE_SANITIZE)
  add_compile_options(-fsanitize=${SIGHTLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SIGHTLINE_SANITIZE})
endif()

# sightline_library(base SOURCES a.cc … DEPS public targets … PRIVATE_DEPS …) makes target sightline_base.
function(sightline_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(sightline_${name} STATIC ${ARG_SOURCES})
  target_include_directories(sightline_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(sightline_${name} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS}
                        $<BUILD_INTERFACE:sightline_warnings>)
endfunction()

# sightline_test(base SOURCES a_test.cc … DEPS … LABELS unit) makes sightline_base_test and one ctest entry.
function(sightline_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT SIGHTLINE_TESTS)
    return()
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(sightline_${name}_test ${ARG_SOURCES})
  target_link_libraries(sightline_${name}_test PRIVATE ${ARG_DEPS} GTest::gmock_main
                        $<BUILD_INTERFACE:sightline_warnings>)
  add_test(NAME ${name} COMMAND sightline_${name}_test WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# sightline_fuzzer(segment SOURCES segment_fuzz.cc … DEPS …) makes the libFuzzer program
# sightline_segment_fuzz where SIGHTLINE_FUZZ is on, and adds the sources to the test that replays the
# corpus where there are tests. Sources of several targets are compiled once for that test.
if(SIGHTLINE_FUZZ)
  add_custom_target(fuzzers)
endif()
function(sightline_fuzzer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  if(TARGET sightline_fuzz_corpus_test)
    target_sources(sightline_fuzz_corpus_test PRIVATE ${ARG_SOURCES})
    target_link_libraries(sightline_fuzz_corpus_test PRIVATE ${ARG_DEPS})
  endif()
  if(SIGHTLINE_FUZZ)
    add_executable(sightline_${name}_fuzz ${ARG_SOURCES} $<TARGET_OBJECTS:sightline_fuzz_main>)
    target_include_directories(sightline_${name}_fuzz PRIVATE "${CMAKE_SOURCE_DIR}")
    target_link_options(sightline_${name}_fuzz PRIVATE -fsanitize=fuzzer)
    target_link_libraries(sightline_${name}_fuzz PRIVATE ${ARG_DEPS}
                          $<BUILD_INTERFACE:sightline_warnings>)
    add_dependencies(fuzzers sightline_${name}_fuzz)
  endif()
endfunction()
