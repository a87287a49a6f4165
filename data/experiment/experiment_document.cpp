#include "data/experiment/experiment_document.h"

#include "data/document/body_json.h"
#include "data/document/document_body.h"
#include "data/document/document_reader.h"
#include "data/document/text_hash.h"

namespace data {

using engine::Parameter;
using engine::Problems;

void applySetting(std::string_view assignment, ExperimentDraft& draft, Problems& problems) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        problems.push_back(
            {"--set", std::string(assignment), "not of the form PATH=VALUE, such as link.bandwidth=75GB/s"});
        return;
    }
    const std::string_view path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    if (const auto why = whyRemoved(path)) {
        problems.push_back({std::string(path), std::string(value), std::string(*why) + "; leave it out"});
        return;
    }
    const Parameter* parameter = parameterNamed(path);
    if (!parameter) {
        problems.push_back({std::string(path), std::string(value),
                            "unknown parameter, " + suggestionOf(engine::nearestParameters(path))});
        return;
    }
    if (const auto parsed = engine::parseValue(*parameter, value, problems))
        draft.explicitValues.insert_or_assign(parameter->path, *parsed);
}

ExperimentDraft draftOf(BodyReading&& body) { return {std::move(body.values), std::move(body.removed)}; }

DraftReading readDraft(std::string_view json, std::string_view origin) {
    DraftReading reading;
    FlatDocument document = readFlat(json, origin);
    if (auto problem = emptyProblem(document, origin,
                                    "an experiment, such as {\"workload\": {\"model\": \"t-nlg\", \"sublayer\": "
                                    "\"fc-2\"}, \"parallel\": {\"tp\": 8}}")) {
        reading.problems.push_back(std::move(*problem));
        return reading;
    }
    BodyReading body =
        readBody(std::move(document), origin, {kExperimentFormat, "an experiment", {"label", "name", "notes"}});
    reading.texts = std::move(body.texts);
    reading.problems = std::move(body.problems);
    reading.draft = draftOf(std::move(body));
    return reading;
}

DraftReading readDraftFile(const std::string& path) {
    DraftReading reading;
    const std::string text = readText(path, reading.problems);
    return reading.problems.empty() ? readDraft(text, path == "-" ? "standard input" : path) : reading;
}

BodyJson& placeOf(BodyJson& document, const std::string& path) {
    const std::size_t point = path.find('.');
    return point == std::string::npos ? document[path] : document[path.substr(0, point)][path.substr(point + 1)];
}

BodyJson valueJson(const Parameter& parameter, const engine::ParameterValue& value) {
    if (parameter.unit == engine::ParameterUnit::none)
        return std::visit([](const auto& held) { return BodyJson(held); }, value);
    return engine::formatValue(parameter, value);
}

void addValues(const Settings& values, BodyJson& document) {
    for (const Parameter& parameter : engine::parameters()) {
        const auto found = values.find(parameter.path);
        if (found != values.end())
            placeOf(document, parameter.path) = valueJson(parameter, found->second);
    }
}

std::string writeBody(std::string_view format, const DocumentTexts& texts, const Settings& values) {
    constexpr int kExperimentIndent = 2;
    BodyJson document;
    document["format"] = format;
    document["version"] = 1;
    for (const auto& [key, text] : texts)
        placeOf(document, key) = text;
    addValues(values, document);
    return document.dump(kExperimentIndent) + "\n";
}

std::string writeDraft(const ExperimentDraft& draft, const DocumentTexts& texts) {
    return writeBody(kExperimentFormat, texts, draft.explicitValues);
}

std::string experimentHash(const engine::Experiment& experiment) { return sha256(canonicalForm(experiment)); }

}  // namespace data
