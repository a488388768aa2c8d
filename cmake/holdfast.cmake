# The three things a folder declares: a library, the unit tests that sit beside its sources, a fuzz target.

find_package(GTest REQUIRED)
include(GoogleTest)

add_library(holdfast_options INTERFACE)
target_compile_options(holdfast_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
target_include_directories(holdfast_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(holdfast_options INTERFACE HOLDFAST_VERSION="${PROJECT_VERSION}")
# What targets that link Boost define. All do, so that all can use the same precompiled headers.
target_compile_definitions(holdfast_options INTERFACE BOOST_ASIO_NO_DEPRECATED
  BOOST_CONTAINER_DYN_LINK BOOST_CONTAINER_NO_LIB BOOST_JSON_DYN_LINK BOOST_JSON_NO_LIB)

set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
if(HOLDFAST_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(HOLDFAST_SANITIZED)  # Tests try fewer cases then.
  # For libFuzzer. Not all that it can use, because the rest makes the tests twice as slow.
  add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
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

# Most tests spend their time in what they test, so they are compiled quickly.
set(HOLDFAST_TEST_OPTIONS -O0)
# So many files of tests are compiled as one. With more, a change to one of them would take long.
set(HOLDFAST_TESTS_AT_ONCE 8)

# Most of a file's compile time goes into other people's templates, so these are compiled once. Headers of our own do not
# belong here: g++ tells a header that is already in the precompiled one by the sum of its text, and ccache hands out a
# precompiled header whose comments are older, so each would be read twice.
#
# holdfast_precompiled_headers(name HEADERS <header> … [OPTIONS option …] [LINKS lib …]): headers for targets that are compiled alike.
function(holdfast_precompiled_headers name)
  cmake_parse_arguments(arg "" "" "HEADERS;OPTIONS;LINKS" ${ARGN})
  if(HOLDFAST_PRECOMPILE)
    file(CONFIGURE OUTPUT ${name}.cc CONTENT "// The headers are what counts.\n")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
    target_link_libraries(${name} PRIVATE holdfast_options ${arg_LINKS})
    target_compile_options(${name} PRIVATE ${arg_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

# holdfast_use_precompiled(target name): compiles the target with these headers.
function(holdfast_use_precompiled target name)
  if(HOLDFAST_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

set(asio_headers
  <boost/asio/any_io_executor.hpp> <boost/asio/as_tuple.hpp> <boost/asio/awaitable.hpp> <boost/asio/buffer.hpp>
  <boost/asio/co_spawn.hpp> <boost/asio/experimental/awaitable_operators.hpp> <boost/asio/io_context.hpp>
  <boost/asio/local/stream_protocol.hpp> <boost/asio/post.hpp> <boost/asio/posix/stream_descriptor.hpp>
  <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp> <boost/asio/write.hpp>)
holdfast_precompiled_headers(boost_headers HEADERS ${asio_headers} <boost/json.hpp>)
holdfast_precompiled_headers(beast_headers
  HEADERS ${asio_headers} <boost/beast/http.hpp> <boost/beast/websocket.hpp> <boost/json.hpp>)
holdfast_precompiled_headers(test_headers HEADERS ${asio_headers} <boost/json.hpp> <gtest/gtest.h>
  OPTIONS ${HOLDFAST_TEST_OPTIONS} LINKS GTest::gtest)

# For tests that compute much themselves, which are those without Boost.
holdfast_precompiled_headers(optimized_test_headers
  HEADERS <algorithm> <array> <filesystem> <fstream> <functional> <map> <memory> <optional> <random> <sstream> <string>
          <vector> <gtest/gtest.h>
  LINKS GTest::gtest)

# holdfast_fixture(name SOURCES a_fixture.cc … LINKS lib …): what several test programs share.
function(holdfast_fixture name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_compile_options(${name} PRIVATE ${HOLDFAST_TEST_OPTIONS})
  holdfast_use_precompiled(${name} test_headers)
  target_link_libraries(${name} PUBLIC ${arg_LINKS} GTest::gtest)
endfunction()

# holdfast_test(name SOURCES a_test.cc … LINKS lib … [LABEL unit] [DEPENDS target …] [OPTIMIZED]): one test program. The
# target LABEL_tests builds all programs of a label, and FOLDER_tests those beside the sources of src/FOLDER. OPTIMIZED is
# for tests that compute much themselves.
function(holdfast_test name)
  cmake_parse_arguments(arg "OPTIMIZED" "LABEL;TIMEOUT" "SOURCES;LINKS;DEPENDS" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  # Most of the time goes into templates that all tests use. Several files compiled as one share them, which takes a sixth.
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${HOLDFAST_TESTS_AT_ONCE})
  if(arg_OPTIMIZED)
    holdfast_use_precompiled(${name} optimized_test_headers)
  else()
    target_compile_options(${name} PRIVATE ${HOLDFAST_TEST_OPTIONS})
    holdfast_use_precompiled(${name} test_headers)
  endif()
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

# holdfast_fuzz(name SOURCES fuzz_a.cc LINKS lib …): a libFuzzer target. The target fuzzers builds all of them.
function(holdfast_fuzz name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} -fsanitize=fuzzer)
  if(NOT TARGET fuzzers)
    add_custom_target(fuzzers)
  endif()
  add_dependencies(fuzzers ${name})
endfunction()
