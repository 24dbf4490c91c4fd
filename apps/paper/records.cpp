/// Outcomes as CSV lines and JSON objects.
#include "records.hpp"

#include <fmt/format.h>

#include "../hinge0/report_text.hpp"

namespace hinge0::paper {
namespace {

using cli::Json;

constexpr const char *csv_head =
    "row,method,C,kernel,train_accuracy,test_accuracy,support_vectors,seconds,iterations,status,"
    "max_beta,objective,local_minimum,support_vectors_on_margin,farthest_from_margin\n";

std::string optional_number(const std::optional<double> &value) {
    return value ? fmt::format("{}", *value) : "";
}

std::string csv_line(const std::string &row, const Outcome &o) {
    std::string minimum, counted, farthest;
    if (o.certificate) minimum = o.certificate->local_minimum ? "true" : "false";
    if (o.on_margin) {
        counted = std::to_string(o.on_margin->counted);
        farthest = fmt::format("{}", o.on_margin->farthest);
    }
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row, o.method, o.C,
                       o.kernel, o.train, o.test, o.support_vectors, o.seconds, o.iterations,
                       o.status, optional_number(o.worst_beta), optional_number(o.objective),
                       minimum, counted, farthest);
}

/// The published line of a row in the form of an outcome.
Outcome published(const Row &row, std::size_t which) {
    static const std::array<const char *, 3> methods{"paper-l0", "paper-l1", "paper-l2"};
    const std::array<double, 3> prices{row.C, row.hinge_C, row.svc_C};
    const Published &p = row.published[which];
    return {.method = methods[which],
            .C = prices[which],
            .status = "published",
            .train = p.train,
            .test = p.test,
            .support_vectors = p.support_vectors,
            .seconds = p.seconds,
            .iterations = p.iterations};
}

Json to_json(const Outcome &o) {
    Json json{{"method", o.method},      {"C", o.C},
              {"kernel", o.kernel},      {"train_accuracy", o.train},
              {"test_accuracy", o.test}, {"support_vectors", o.support_vectors},
              {"seconds", o.seconds},    {"iterations", o.iterations},
              {"status", o.status}};
    if (o.worst_beta) json["max_beta"] = *o.worst_beta;
    if (o.objective) json["objective"] = *o.objective;
    if (o.certificate) json["certificate"] = cli::to_json(*o.certificate);
    if (o.on_margin)
        json["on_margin"] = {{"counted", o.on_margin->counted},
                             {"tolerance", o.on_margin->tolerance},
                             {"farthest", o.on_margin->farthest}};
    if (!o.note.empty()) json["note"] = o.note;
    return json;
}

Json to_json(const Range &r) { return {{"median", r.median}, {"low", r.low}, {"high", r.high}}; }

Json to_json(const Spread &s) {
    return {{"method", s.method},
            {"over", s.over},
            {"runs", s.runs},
            {"C", s.C},
            {"train_accuracy", to_json(s.train)},
            {"test_accuracy", to_json(s.test)},
            {"support_vectors", to_json(s.support_vectors)},
            {"certified", s.certified}};
}

Json to_json(const Candidate &c) {
    return {{"C", c.C},
            {"rho", c.rho},
            {"cv_accuracy", c.accuracy},
            {"standard_error", c.standard_error},
            {"cv_support_vectors", c.support_vectors}};
}

Json row_json(const Study &s) {
    Json json{{"row", s.row.id},
              {"features", s.features},
              {"training_rows", s.parts.train.size()},
              {"test_rows", s.parts.test.size()},
              {"flipped", s.flipped.size()},
              {"rho", s.rho},
              {"C", s.row.C},
              {"sigma", s.row.sigma},
              {"authors_C", s.row.authors_C()}};
    for (std::size_t k = 0; k < s.row.published.size(); ++k)
        json["results"].push_back(to_json(published(s.row, k)));
    for (const Outcome &o : s.outcomes) json["results"].push_back(to_json(o));
    for (const Spread &spread : s.spreads) json["spreads"].push_back(to_json(spread));
    json["tuned"] = to_json(s.tuned);
    return json;
}

} // namespace

std::string table_csv(const Studies &studies, int table) {
    std::string text = csv_head;
    for (const Study &s : studies) {
        if (s.row.table != table) continue;
        for (std::size_t k = 0; k < s.row.published.size(); ++k)
            text += csv_line(s.row.id, published(s.row, k));
        for (const Outcome &o : s.outcomes) text += csv_line(s.row.id, o);
    }
    return text;
}

std::string table_json(const Studies &studies, int table) {
    Json json{{"table", table}, {"rows", Json::array()}};
    for (const Study &s : studies)
        if (s.row.table == table) json["rows"].push_back(row_json(s));
    return json.dump(1) + '\n';
}

std::string losses_csv(const Studies &studies) {
    std::string text = csv_head;
    for (const Study &s : studies)
        for (const Outcome &o : s.others) text += csv_line(s.row.id, o);
    return text;
}

std::string losses_json(const Studies &studies) {
    Json json{{"rows", Json::array()}};
    for (const Study &s : studies) {
        Json row{{"row", s.row.id}};
        for (const Outcome &o : s.others) row["results"].push_back(to_json(o));
        json["rows"].push_back(row);
    }
    return json.dump(1) + '\n';
}

std::string splits_json(const Studies &studies) {
    Json json = Json::object();
    for (const Study &s : studies)
        json[s.row.id] = {{"train", s.parts.train}, {"test", s.parts.test}, {"flipped", s.flipped}};
    return json.dump() + '\n';
}

} // namespace hinge0::paper
