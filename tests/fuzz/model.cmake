# Included by CMakeLists.txt here; the seeds are in corpus/model.
hinge0_fuzzer(fuzz_model fuzz_model.cpp)
