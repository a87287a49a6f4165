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

}  // namespace

BodyJson& placeOf(BodyJson& document, const std::string& path) {
    const std::size_t point = path.find('.');
    return point == std::string::npos ? document[path] : document[path.substr(0, point)][path.substr(point + 1)];
}

BodyJson valueJson(const Parameter& parameter, const ParameterValue& value) {
    if (parameter.unit == ParameterUnit::none)
        return std::visit([](const auto& held) { return Json(held); }, value);
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
    Json document;
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

std::string experimentHash(const Experiment& experiment) { return sha256(canonicalForm(experiment)); }

}  // namespace data
