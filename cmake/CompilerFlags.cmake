# Warnings, sanitizers and coverage, carried by one interface target that is never exported.
add_library(hinge0_flags INTERFACE)
target_compile_options(hinge0_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${HINGE0_WARNINGS_AS_ERRORS}>:-Werror>
  # g++ 12 sees overlaps that are not there in std::string (its bug 105651)
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  -fno-math-errno)
if(HINGE0_SANITIZE)
  # -g1: a report names lines; more of it is a quarter of the time to compile. So are the checks of null
  # and vptr, whose bugs AddressSanitizer reports too, as a crash or a use after free.
  target_compile_options(hinge0_flags INTERFACE
    -fsanitize=${HINGE0_SANITIZE} -fno-sanitize=null,vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer -g1
    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>) # what they add keeps loops from being vectorised
  target_compile_definitions(hinge0_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(hinge0_flags INTERFACE -fsanitize=${HINGE0_SANITIZE})
endif()
if(HINGE0_BUILD_FUZZERS) # counts branches for the fuzzer
  target_compile_options(hinge0_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(HINGE0_COVERAGE)
  target_compile_options(hinge0_flags INTERFACE --coverage)
  target_link_options(hinge0_flags INTERFACE --coverage)
endif()
