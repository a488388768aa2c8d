# The three things a folder declares: a library, the unit tests that sit beside its sources, a fuzz target.

find_package(GTest REQUIRED)
include(GoogleTest)

add_library(holdfast_options INTERFACE)
target_compile_options(holdfast_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
target_include_directories(holdfast_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(holdfast_options INTERFACE HOLDFAST_VERSION="${PROJECT_VERSION}")

set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
if(HOLDFAST_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # With sanitizers g++ takes parts of its own library for uninitialised.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
if(HOLDFAST_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(HOLDFAST_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# holdfast_library(name SOURCES a.cc … LINKS lib …): src/<name> as the library holdfast_<name>.
function(holdfast_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(holdfast_${name} STATIC ${arg_SOURCES})
  target_link_libraries(holdfast_${name} PUBLIC holdfast_options ${arg_LINKS})
endfunction()

# holdfast_precompile(target <header> …): most of a file's compile time goes into other people's templates, so these
# are compiled once. Headers of our own do not belong here: g++ tells a header that is already in the precompiled one by
# the sum of its text, and ccache hands out a precompiled header whose comments are older, so each would be read twice.
# (clang-tidy reads the fuzz preset's commands without building it, so the precompiled header would be missing there.)
function(holdfast_precompile target)
  if(NOT HOLDFAST_FUZZ)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# holdfast_share_precompiled(target other): uses the precompiled headers of another target, which is compiled alike.
function(holdfast_share_precompiled target other)
  if(NOT HOLDFAST_FUZZ)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

set(HOLDFAST_ASIO_HEADERS
  <boost/asio/any_io_executor.hpp> <boost/asio/as_tuple.hpp> <boost/asio/awaitable.hpp> <boost/asio/buffer.hpp>
  <boost/asio/co_spawn.hpp> <boost/asio/experimental/awaitable_operators.hpp> <boost/asio/io_context.hpp>
  <boost/asio/local/stream_protocol.hpp> <boost/asio/post.hpp> <boost/asio/posix/stream_descriptor.hpp>
  <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp> <boost/asio/write.hpp>)

# holdfast_test(name SOURCES a_test.cc … LINKS lib … [LABEL unit] [DEPENDS target …]): one test program. The
# target LABEL_tests builds all programs of a label, and FOLDER_tests those beside the sources of src/FOLDER.
function(holdfast_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT" "SOURCES;LINKS;DEPENDS" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} GTest::gtest_main)
  if(arg_DEPENDS)
    add_dependencies(${name} ${arg_DEPENDS})
  endif()
  set(groups ${arg_LABEL})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
  if(parent STREQUAL "${PROJECT_SOURCE_DIR}/src")
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    list(APPEND groups ${folder})
  endif()
  foreach(group IN LISTS groups)
    if(NOT TARGET ${group}_tests)
      add_custom_target(${group}_tests)
    endif()
    add_dependencies(${group}_tests ${name})
  endforeach()
  # What measures has the machine for itself: its suites are called …MeasuringTest.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "-*MeasuringTest.*"
    PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT})
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "*MeasuringTest.*"
    PROPERTIES LABELS measuring RUN_SERIAL TRUE TIMEOUT ${arg_TIMEOUT})
endfunction()

# Builds every fuzz target, and only what they need.
if(HOLDFAST_FUZZ)
  add_custom_target(fuzzers)
endif()

# holdfast_fuzz(name SOURCES fuzz_a.cc LINKS lib …): a libFuzzer target, built by the fuzz preset alone.
function(holdfast_fuzz name)
  if(NOT HOLDFAST_FUZZ)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} -fsanitize=fuzzer)
  add_dependencies(fuzzers ${name})
endfunction()
