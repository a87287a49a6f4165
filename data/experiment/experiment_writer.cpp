#include "data/document/body_json.h"
#include "data/document/text_hash.h"
#include "data/experiment/experiment_document.h"

namespace data {
namespace {

using Json = BodyJson;
using engine::Experiment;
using engine::Parameter;
using engine::ParameterUnit;
using engine::ParameterValue;

constexpr int kExperimentIndent = 2;

Json head(std::string_view format) {
    Json document;
    document["format"] = format;
    document["version"] = 1;
    return document;
}

/// The place of "link.bandwidth" in a nested document.
Json& placeOf(Json& document, const std::string& path) {
    const std::size_t point = path.find('.');
    return point == std::string::npos ? document[path] : document[path.substr(0, point)][path.substr(point + 1)];
}

Json inBaseUnits(const ParameterValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

}  // namespace

BodyJson valueJson(const Parameter& parameter, const ParameterValue& value) {
    if (parameter.unit == ParameterUnit::none)
        return inBaseUnits(value);
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
    Json document = head(format);
    for (const auto& [key, text] : texts)
        placeOf(document, key) = text;
    addValues(values, document);
    return document.dump(kExperimentIndent) + "\n";
}

std::string writeDraft(const ExperimentDraft& draft, const DocumentTexts& texts) {
    return writeBody(kExperimentFormat, texts, draft.explicitValues);
}

std::string writeExperiment(const Experiment& experiment) {
    Json document = head(kExperimentFormat);
    for (const Parameter& parameter : engine::parameters())
        placeOf(document, parameter.path) = inBaseUnits(parameter.read(experiment));
    return document.dump(kExperimentIndent) + "\n";
}

std::string experimentHash(const Experiment& experiment) { return sha256(canonicalForm(experiment)); }

}  // namespace data
