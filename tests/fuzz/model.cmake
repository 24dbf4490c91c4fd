# Included by CMakeLists.txt here; the seeds are in corpus/model and corpus/import.
hinge0_fuzzer(fuzz_model fuzz_model.cpp)
hinge0_fuzzer(fuzz_import fuzz_import.cpp)
