# What `cmake --install` leaves: library, headers, program, and the package files for
# find_package(hinge0) and pkg-config.
include(CMakePackageConfigHelpers)
set(hinge0_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hinge0)

install(TARGETS hinge0 EXPORT hinge0Targets)
install(DIRECTORY include/hinge0 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT hinge0Targets NAMESPACE hinge0:: DESTINATION ${hinge0_cmake_dir})

if(HINGE0_BUILD_APPS)
  set(hinge0_programs hinge0_cli)
  if(HINGE0_BUILD_PAPER)
    list(APPEND hinge0_programs hinge0_paper)
  endif()
  # Only where it is needed: to make room for it, CMake gives the programs in the build folder a path
  # of empty entries, and these mean the current folder.
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(${hinge0_programs} PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  endif()
  install(TARGETS ${hinge0_programs})
endif()
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs PATTERN site EXCLUDE) # site: for make docs

configure_package_config_file(cmake/hinge0Config.cmake.in ${CMAKE_BINARY_DIR}/hinge0Config.cmake
  INSTALL_DESTINATION ${hinge0_cmake_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hinge0ConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/hinge0Config.cmake ${CMAKE_BINARY_DIR}/hinge0ConfigVersion.cmake
  DESTINATION ${hinge0_cmake_dir})

# A static library leaves its own needs to whoever links it. They are named one by one, not through
# Requires.private: not each of them has a pkg-config file everywhere.
set(hinge0_private_libs "")
if(NOT BUILD_SHARED_LIBS)
  foreach(library IN LISTS LAPACK_LIBRARIES BLAS_LIBRARIES)
    cmake_path(GET library PARENT_PATH folder)
    if(folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      cmake_path(GET library STEM library)
      string(REGEX REPLACE "^lib" "-l" library ${library})
    endif()
    list(APPEND hinge0_private_libs ${library})
  endforeach()
  list(APPEND hinge0_private_libs -lz -lbz2 -llzma -lfmt ${OpenMP_CXX_FLAGS})
  list(REMOVE_DUPLICATES hinge0_private_libs)
  list(JOIN hinge0_private_libs " " hinge0_private_libs)
endif()
file(RELATIVE_PATH hinge0_lib_to_include ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/hinge0.pc.in ${CMAKE_BINARY_DIR}/hinge0.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/hinge0.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
