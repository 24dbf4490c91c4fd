# Included by CMakeLists.txt here; the seeds are in corpus/libsvm and corpus/csv.
hinge0_fuzzer(fuzz_libsvm fuzz_libsvm.cpp)
hinge0_fuzzer(fuzz_csv fuzz_csv.cpp)
