# The commands without main(), for the program and for the fuzzer of its options. Objects, so that
# whoever takes them chooses how the libraries are linked.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
set(folder ${CMAKE_CURRENT_LIST_DIR})
add_library(hinge0_commands OBJECT
  ${folder}/run.cpp ${folder}/train.cpp ${folder}/tune.cpp ${folder}/tune_page.cpp
  ${folder}/grid_option.cpp ${folder}/folds_file.cpp ${folder}/weights_file.cpp ${folder}/class_report.cpp
  ${folder}/model_output.cpp ${folder}/fit_options.cpp ${folder}/predict.cpp ${folder}/suspects.cpp ${folder}/verify.cpp
  ${folder}/info.cpp ${folder}/export.cpp ${folder}/data.cpp ${folder}/checks.cpp ${folder}/data_options.cpp
  ${folder}/progress.cpp ${folder}/report_text.cpp)
target_include_directories(hinge0_commands PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(hinge0_commands
  PRIVATE hinge0 hinge0_flags fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
