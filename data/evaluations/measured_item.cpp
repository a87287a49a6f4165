#include "data/evaluations/measured_item.h"

#include "data/evaluations/evaluation.h"
#include "data/evaluations/reproduce.h"
#include "data/measured/trace_instant.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace data {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// Returns the first of "measured-1", "measured-2", ... that neither a sweep nor an item has.
std::string freeName(const OrderedJson& document) {
    for (int i = 1;; ++i) {
        const std::string name = "measured-" + std::to_string(i);
        const OrderedJson& items = document["items"];
        const bool taken = std::ranges::any_of(items, [&](const OrderedJson& item) {
            return item.is_object() && item.contains("id") && item["id"] == name;
        });
        if (!taken && !document["sweeps"].contains(name))
            return name;
    }
}

OrderedJson newDocument() {
    return {{"format", "ringside-evaluation"},
            {"version", 1},
            {"title", "Measured on real machines"},
            {"question", "How far are simulated times from those of real machines?"},
            {"source", "traces of a profiler; the notes of each sweep name file, device and date"},
            {"sweeps", OrderedJson::object()},
            {"items", OrderedJson::array()}};
}

/// Returns the constants of an evaluation, without simulating anything.
std::string constantsOf(const Evaluation& evaluation) {
    ReproduceOptions options;
    options.keptOnly = true;
    return reproduce(evaluation, options).constants;
}

/// Returns whether a document is frozen under constants that still hold; one without blind items may not be frozen.
bool isFrozen(const OrderedJson& json, const std::string& text, const std::string& origin) {
    const EvaluationReading reading = readEvaluation(text, origin);
    return json.contains("frozen") && reading.problems.empty() &&
           constantsOf(reading.evaluation) == reading.evaluation.frozen;
}

}  // namespace

std::string withMeasuredItem(std::string_view document, const std::string& origin, const TracePair& pair,
                             const std::string& source, engine::Problems& problems) {
    const auto refuse = [&](const std::string& why) {
        problems.push_back({origin, {}, why});
        return std::string();
    };
    if (!pair.runnable())
        return refuse("the pair cannot be simulated: " + pair.refusal);
    OrderedJson json = document.empty() ? newDocument() : OrderedJson::parse(document, nullptr, false);
    if (json.is_discarded() || !json.is_object() || json.value("format", OrderedJson()) != "ringside-evaluation")
        return refuse("not an evaluation; choose one, or a name for a new one");
    for (const auto& [key, empty] :
         {std::pair("sweeps", OrderedJson::object()), std::pair("items", OrderedJson::array())}) {
        if (!json.contains(key))
            json[key] = empty;
        if (json[key].type() != empty.type())
            return refuse(std::string(key) + " has another form than that of an evaluation");
    }
    // The new experiment changes the constants. A document whose constants held is frozen anew; that of one whose constants
    // have changed stays, so that its rows still say so.
    const bool freezes = !json.contains("frozen") || isFrozen(json, std::string(document), origin);
    OrderedJson base = OrderedJson::parse(writeDraft(pair.draft(problems)));
    for (const char* key : {"format", "version", "policy"})
        base.erase(key);
    const std::string name = freeName(json);
    json["sweeps"][name] = {
        {"base", std::move(base)}, {"policies", OrderedJson::array({"sequential"})}, {"notes", source}};
    json["items"].push_back({{"id", name},
                             {"what", pair.name},
                             {"of", name},
                             {"metric", "time_ps.total"},
                             {"policy", "sequential"},
                             {"published", microsecondsText(later({}, pair.measured.together)) + " µs"},
                             {"label", "measured"},
                             {"role", "blind"}});
    if (!json.contains("frozen"))
        json["frozen"] = "000000000000";  // until the constants are known
    const EvaluationReading reading = readEvaluation(json.dump(), origin);
    problems.insert(problems.end(), reading.problems.begin(), reading.problems.end());
    if (!problems.empty())
        return {};
    if (freezes)
        json["frozen"] = constantsOf(reading.evaluation);
    return json.dump(2) + "\n";
}

}  // namespace data
