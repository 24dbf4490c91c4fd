# Headers that most sources include are parsed once per build instead of once per source, and what nearly
# all of a program's sources need, CLI11 and the JSON library, once for several sources.
#
# Tests always have their headers precompiled (GoogleTest, Eigen, fmt), the library only in builds that
# nobody ships (CMakePresets.json), so that a forgotten include still shows in the release build. Those also
# compile its sources several at a time.
option(HINGE0_PRECOMPILE "Precompile the headers of the library" OFF)
option(HINGE0_UNITY "Compile several sources at a time: of programs, and of the library where it is precompiled" ON)

set(hinge0_common_headers <Eigen/Core> <Eigen/SparseCore> <fmt/format.h> <filesystem> <functional> <random>
  <string> <variant> <vector>)

# hinge0_precompile(group target header...): the first target of a group compiles the headers, the others
# use what it made, so all of a group must have the same compiler flags.
function(hinge0_precompile group target)
  if(NOT HINGE0_PRECOMPILE AND NOT group STREQUAL "tests")
    return()
  endif()
  get_property(owner GLOBAL PROPERTY hinge0_precompiled_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${hinge0_common_headers} ${ARGN})
    set_property(GLOBAL PROPERTY hinge0_precompiled_${group} ${target})
  endif()
  # Sources with flags of their own (one per instruction set) read the text.
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    get_source_file_property(own_flags ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(own_flags)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target}
        PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

# Sources of the library that have private names in common with another one of their layer.
set(hinge0_sources_apart host/host_gram.cpp columns/column_cache.cpp factor/low_rank_system.cpp factor/shifted_factor.cpp
  more_losses.cpp many_rows.cpp export_libsvm.cpp predictor.cpp choice.cpp)

# Several sources of a layer at a time, in builds that nobody ships: less than half of the time to compile.
function(hinge0_join_sources layer)
  if(NOT HINGE0_PRECOMPILE)
    return()
  endif()
  set_target_properties(${layer} PROPERTIES UNITY_BUILD ${HINGE0_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  # A source that is included is a header to g++, and it warns of private types there.
  target_compile_options(${layer} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(folder ${layer} SOURCE_DIR)
  list(TRANSFORM hinge0_sources_apart PREPEND ${folder}/ OUTPUT_VARIABLE apart)
  set_source_files_properties(${apart} TARGET_DIRECTORY ${layer} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# For targets that other folders define.
function(hinge0_precompile_library_and_programs)
  foreach(layer core data kernel loss gram solver model partitions tune classes)
    if(TARGET hinge0_${layer})
      hinge0_precompile(layers hinge0_${layer})
      hinge0_join_sources(hinge0_${layer})
    endif()
  endforeach()
  foreach(program hinge0_commands hinge0_paper_parts)
    if(TARGET ${program})
      set_target_properties(${program} PROPERTIES UNITY_BUILD ${HINGE0_UNITY} UNITY_BUILD_BATCH_SIZE 10)
    endif()
  endforeach()
endfunction()
