# Warnings, sanitizers and coverage, carried by one interface target that is never exported.
add_library(hinge0_flags INTERFACE)
target_compile_options(hinge0_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${HINGE0_WARNINGS_AS_ERRORS}>:-Werror>
  # g++ 12 sees overlaps that are not there in std::string (its bug 105651)
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  -fno-math-errno)
if(HINGE0_SANITIZE)
  target_compile_options(hinge0_flags INTERFACE
    -fsanitize=${HINGE0_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(hinge0_flags INTERFACE -fsanitize=${HINGE0_SANITIZE})
endif()
if(HINGE0_BUILD_FUZZERS) # counts branches for the fuzzer, which keeps loops from being vectorised
  target_compile_options(hinge0_flags INTERFACE -fsanitize=fuzzer-no-link -Wno-pass-failed)
endif()
if(HINGE0_COVERAGE)
  target_compile_options(hinge0_flags INTERFACE --coverage)
  target_link_options(hinge0_flags INTERFACE --coverage)
endif()
