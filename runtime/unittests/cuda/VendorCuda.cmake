# cmake -DNM=... -DSTUB=... -DOUT=... -P: a C file of all functions of the
# toolkit's stub of libcuda, each of which gives CUDA_ERROR_NOT_SUPPORTED where
# VendorCuda.c does not define it.
execute_process(COMMAND "${NM}" -D --defined-only "${STUB}"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T cu[A-Za-z0-9_]+" symbols "${symbols}")
if(NOT symbols)
  message(FATAL_ERROR "expects functions in ${STUB} but ${NM} lists none")
endif()
set(text "")
foreach(symbol ${symbols})
  string(REPLACE " T " "" symbol "${symbol}")
  string(APPEND text
    "__attribute__((weak)) int ${symbol}(void) { return 801; }\n")
endforeach()
file(WRITE "${OUT}" "${text}")
