# LLVM, MLIR and LLD as the compiler's libraries link them: JobMLIRLLVM and
# JobMLIRLLD. A target has the shared libLLVM and libMLIR, which many small
# programs share, or, with the property JOBMLIR_STATIC_LLVM, links the archives.
# Never both: there would be two copies of each command-line option and type id.

find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)

add_library(JobMLIRSharedLLVM INTERFACE)
target_link_libraries(JobMLIRSharedLLVM INTERFACE MLIR LLVM)

file(GLOB archives
  "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
if(JOBMLIR_BUILD_PYTHON AND NOT archives)
  message(FATAL_ERROR "JobMLIR needs the static libraries of LLVM and MLIR for "
    "the Python extension but found none in ${LLVM_LIBRARY_DIR}")
endif()
list(JOIN archives "," archives)

# LLD initializes every target that LLVM has. Those that nothing is compiled for
# are empty functions, and a linker takes nothing of their archives.
set(targets ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM targets ${LLVM_NATIVE_ARCH} NVPTX)
set(JOBMLIR_EMPTY_TARGETS "")
foreach(target ${targets})
  string(APPEND JOBMLIR_EMPTY_TARGETS "EMPTY_TARGET(${target})\n")
endforeach()
configure_file("${CMAKE_CURRENT_LIST_DIR}/EmptyTargets.cpp.in"
  "${PROJECT_BINARY_DIR}/EmptyTargets.cpp" @ONLY)
add_library(JobMLIREmptyTargets OBJECT EXCLUDE_FROM_ALL
  "${PROJECT_BINARY_DIR}/EmptyTargets.cpp")
target_include_directories(JobMLIREmptyTargets SYSTEM PRIVATE
  ${LLVM_INCLUDE_DIRS})

add_library(JobMLIRStaticLLVM INTERFACE)
target_link_libraries(JobMLIRStaticLLVM INTERFACE
  $<TARGET_OBJECTS:JobMLIREmptyTargets> "$<LINK_GROUP:RESCAN,${archives}>"
  zstd::libzstd_shared ZLIB::ZLIB ${CMAKE_DL_LIBS})

add_library(JobMLIRLLVM INTERFACE)
target_link_libraries(JobMLIRLLVM INTERFACE
  "$<IF:$<BOOL:$<TARGET_PROPERTY:JOBMLIR_STATIC_LLVM>>,JobMLIRStaticLLVM,JobMLIRSharedLLVM>")

# Its own targets link the shared libLLVM.
add_library(JobMLIRLLD INTERFACE)
target_link_libraries(JobMLIRLLD INTERFACE
  $<TARGET_FILE:lldELF> $<TARGET_FILE:lldCommon> zstd::libzstd_shared ZLIB::ZLIB
  JobMLIRLLVM)
