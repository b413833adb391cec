# A build folder with one entry of each fate, for test-summary.test. Those that
# are suites write their results with suite.py, in the working folder.
add_test(case.passes "true")
add_test(case.fails "false")
add_test(case.skips "sh" "-c" "exit 77")
set_tests_properties(case.skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(case.says_skipped "echo" "[  SKIPPED ]")
set_tests_properties(case.says_skipped PROPERTIES
  SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
add_test(case.disabled "false")
set_tests_properties(case.disabled PROPERTIES DISABLED TRUE)
add_test(case.crashes "sh" "-c" "kill -SEGV $$")
add_test(case.not_built "/nonexistent/program")
foreach(fate good failing crash_before crash_after garbage empty twice)
  add_test(suite.${fate} "python3" "suite.py" "${fate}")
  set_tests_properties(suite.${fate} PROPERTIES LABELS "suite")
endforeach()
set_tests_properties(case.passes PROPERTIES LABELS "simulated-gpu")
set_tests_properties(suite.good PROPERTIES LABELS "suite;simulated-gpu")
