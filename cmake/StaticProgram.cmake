# Finds what a program without shared libraries needs. Sets
#   openblas_archive         the threaded OpenBLAS as an archive, empty if there is none
#   hinge0_static_libraries  the other archives that libhinge0.a needs, empty if it cannot be done
#   hinge0_static_options    how to link them
include(CheckCXXSourceRuns)
set(hinge0_static_libraries "")
set(openblas_archive "")
if(BUILD_SHARED_LIBS)
  return()
endif()
find_library(openblas_archive_path libopenblas.a PATH_SUFFIXES openblas-pthread NO_CACHE)
if(NOT openblas_archive_path MATCHES "pthread")
  return()
endif()
set(openblas_archive ${openblas_archive_path})
foreach(library z bz2 lzma)
  find_library(archive_path lib${library}.a NO_CACHE)
  list(APPEND archives ${archive_path})
  unset(archive_path)
endforeach()
if(archives MATCHES "NOTFOUND" OR HINGE0_SANITIZE OR HINGE0_COVERAGE)
  return()
endif()
# Position-independent: the program reads files of unknown origin.
set(hinge0_static_options -static-pie -fopenmp)
set(CMAKE_REQUIRED_FLAGS -fopenmp)
set(CMAKE_REQUIRED_LINK_OPTIONS ${hinge0_static_options})
set(CMAKE_REQUIRED_LIBRARIES ${archives})
check_cxx_source_runs([[
#include <zlib.h>
#include <thread>
int main() {
    int sum = 0;
    std::thread([&] { sum = zlibVersion()[0] == 0 ? 1 : 0; }).join();
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 10; ++i) sum += i;
    return sum == 45 ? 0 : 1;
}]] HINGE0_STATIC_PROGRAM)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
unset(CMAKE_REQUIRED_LIBRARIES)
if(HINGE0_STATIC_PROGRAM)
  set(hinge0_static_libraries ${archives})
endif()
