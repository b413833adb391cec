include("${CMAKE_CURRENT_LIST_DIR}/jobrtTargets.cmake")
