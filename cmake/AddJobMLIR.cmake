# Helpers for the compiler's libraries.

include(JobMLIRLLVM)

string(TOUPPER "${CMAKE_BUILD_TYPE}" JOBMLIR_BUILD_TYPE)

# What ccache must not look at to have precompiled headers among its objects.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
endif()

# Settings of everything that includes an MLIR header.
function(jobmlir_compiler_settings target)
  target_include_directories(${target} PUBLIC
    ${PROJECT_SOURCE_DIR}/include
    ${PROJECT_BINARY_DIR}/include
    ${PROJECT_SOURCE_DIR}/runtime/include)
  target_include_directories(${target} SYSTEM PUBLIC
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  # Builds with assertions on an LLVM without.
  if(NOT LLVM_ENABLE_ASSERTIONS AND
     NOT CMAKE_CXX_FLAGS_${JOBMLIR_BUILD_TYPE} MATCHES "NDEBUG")
    target_compile_options(${target} PRIVATE
      "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/WithoutStatistics.h")
  endif()
  if(JOBMLIR_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=${JOBMLIR_SANITIZE}
      -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${JOBMLIR_SANITIZE})
  endif()
endfunction()

# Headers that most files include, parsed once for all of them. A file still names
# what it needs: the preset `dev` builds without.
add_library(JobMLIRPrecompiledHeaders OBJECT
  ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.cpp)
jobmlir_compiler_settings(JobMLIRPrecompiledHeaders)
target_precompile_headers(JobMLIRPrecompiledHeaders PRIVATE
  ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.h)
add_dependencies(JobMLIRPrecompiledHeaders JobMLIRHeaders)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The same headers make the same bytes, by which ccache knows them.
  target_compile_options(JobMLIRPrecompiledHeaders PRIVATE
    "SHELL:-Xclang -fno-pch-timestamp")
endif()

# jobmlir_precompiled_headers(target): for targets of jobmlir_compiler_settings().
function(jobmlir_precompiled_headers target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # -fPIC and -fPIE do not share precompiled headers.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM JobMLIRPrecompiledHeaders)
endfunction()

# add_jobmlir_library(name sources... DEPENDS tablegen-targets LINK_LIBS libs)
function(add_jobmlir_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  jobmlir_compiler_settings(${name})
  jobmlir_precompiled_headers(${name})
  add_dependencies(${name} JobMLIRHeaders ${ARG_DEPENDS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} JobMLIRLLVM)
endfunction()

# add_jobmlir_tool(name sources... LINK_LIBS libs)
function(add_jobmlir_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  jobmlir_compiler_settings(${name})
  jobmlir_precompiled_headers(${name})
  add_dependencies(${name} JobMLIRHeaders)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} JobMLIRLLVM)
  install(TARGETS ${name} RUNTIME DESTINATION bin COMPONENT compiler)
endfunction()
