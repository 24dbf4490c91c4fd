/// The whole road in one page: data, training, report, model file, prediction, verification.
#include <hinge0/hinge0.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace {

double accuracy(const std::vector<std::string> &predicted, const hinge0::Table &truth) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const auto label = static_cast<std::size_t>(truth.labels[i]);
        if (predicted[i] == truth.label_names[label]) ++right;
    }
    return static_cast<double>(right) / static_cast<double>(predicted.size());
}

void print(const hinge0::Report &report) {
    std::cout << "status           " << hinge0::to_string(report.status) << " after "
              << report.iterations << " iterations\n"
              << "objective        " << report.objective << "\n"
              << "support vectors  " << report.support_vectors << "\n"
              << "violators        " << report.violators << "\n"
              << "train accuracy   " << report.train_accuracy << "\n"
              << "worst residual   " << report.certificate.worst() << "\n";
    for (const auto &note : report.notes) std::cout << "note: " << note << "\n";
}

int run() {
    // 10 % of the training labels are wrong; the test labels are right.
    const auto noisy = hinge0::make_moons({.samples = 300, .noise = 0.1, .flip = 0.1, .seed = 3});
    const auto clean = hinge0::make_moons({.samples = 300, .noise = 0.1, .seed = 4});

    const hinge0::Dataset data(noisy);
    const hinge0::Objective objective{.loss = hinge0::L0Loss{}, .C = 1.5};
    const auto fit = hinge0::train(data, hinge0::RbfKernel{.gamma = 2.0}, objective);
    print(fit.report);

    const auto file = std::filesystem::temp_directory_path() / "hinge0_train_moons.model";
    hinge0::save(fit.model, file);
    const auto model = hinge0::load_model(file);
    std::filesystem::remove(file);

    const auto labels = hinge0::predict(model, clean.samples);
    std::cout << "test accuracy    " << accuracy(labels, clean) << "\n";

    const auto second_opinion = hinge0::verify(model, data);
    std::cout << "verified F       " << second_opinion.objective << "\n"
              << "local minimum    " << (second_opinion.certificate.local_minimum ? "yes" : "no")
              << "\n";
    return EXIT_SUCCESS;
}

} // namespace

int main() {
    try {
        return run();
    } catch (const hinge0::Error &error) {
        std::cerr << "train_moons: " << error.what() << "\n";
        return EXIT_FAILURE;
    }
}
