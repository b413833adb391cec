# Settings that every target of the runtime shares.

# Hidden visibility, warnings, and exceptions on: the runtime throws nothing,
# but the standard library and the JSON parser under it may.
function(jobrt_compile_settings target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  # Contraction off: sums made here have the same bits on every machine.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wno-unused-parameter -fexceptions -frtti -ffp-contract=off)
  if(JOBRT_SANITIZER)
    target_compile_options(${target} PUBLIC
      -fsanitize=${JOBRT_SANITIZER} -fno-omit-frame-pointer -g)
    target_link_options(${target} PUBLIC -fsanitize=${JOBRT_SANITIZER})
  endif()
endfunction()

# jobrt_discover_tests(<name> [FILTER <filter>] [LABELS <labels>])
# Adds the tests of a GoogleTest program to those of ctest.
function(jobrt_discover_tests name)
  cmake_parse_arguments(ARG "" "FILTER;LABELS" "" ${ARGN})
  gtest_discover_tests(${name}
    TEST_FILTER "${ARG_FILTER}"
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 LABELS "${ARG_LABELS}")
endfunction()

# jobrt_add_test(<name> SOURCES <files> [LIBS <libraries>] [FILTER <filter>]
#                [LABELS <labels>])
# A GoogleTest program that sees the internals of the runtime.
function(jobrt_add_test name)
  cmake_parse_arguments(ARG "" "FILTER;LABELS" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  jobrt_compile_settings(${name})
  target_link_libraries(${name} PRIVATE
    ${ARG_LIBS} jobrt_internal GTest::gtest GTest::gtest_main)
  jobrt_discover_tests(${name} FILTER "${ARG_FILTER}" LABELS "${ARG_LABELS}")
  set_property(GLOBAL APPEND PROPERTY JOBRT_TESTS ${name})
endfunction()

# jobrt_add_delayed_tests(<name> [FILTER <filter>])
# Runs tests of a program of jobrt_add_test() once more, on the driver of
# unittests/DelayedDriver.h. Not for tests about which steps have begun or the
# thread that runs a step.
function(jobrt_add_delayed_tests name)
  cmake_parse_arguments(ARG "" "FILTER" "" ${ARGN})
  gtest_discover_tests(${name}
    TEST_PREFIX delayed.
    TEST_FILTER "${ARG_FILTER}"
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 ENVIRONMENT JOBRT_TEST_DRIVER=delayed)
endfunction()
