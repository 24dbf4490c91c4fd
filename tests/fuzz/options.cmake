# Included by CMakeLists.txt here; the seeds are in corpus/options.
if(HINGE0_BUILD_FUZZERS AND NOT TARGET hinge0_commands) # else the program has them
  include(${PROJECT_SOURCE_DIR}/apps/hinge0/commands.cmake)
endif()
if(TARGET hinge0_commands)
  find_package(CLI11 REQUIRED) # its target is known only where it was found
endif()
hinge0_fuzzer(fuzz_options fuzz_options.cpp)
if(TARGET fuzz_options)
  target_link_libraries(fuzz_options PRIVATE hinge0_commands CLI11::CLI11)
endif()
if(HINGE0_BUILD_TESTS AND TARGET hinge0_commands)
  hinge0_test(replay_options replay_options.cpp fuzz_options.cpp)
  target_link_libraries(replay_options PRIVATE hinge0_commands CLI11::CLI11)
  target_compile_definitions(replay_options
    PRIVATE HINGE0_FUZZ_CORPUS="${CMAKE_CURRENT_SOURCE_DIR}/corpus")
endif()
