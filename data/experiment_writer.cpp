#include "data/experiment_document.h"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace data {
namespace {

using Json = nlohmann::ordered_json;
using engine::Experiment;
using engine::Parameter;
using engine::ParameterUnit;
using engine::ParameterValue;

constexpr int kIndent = 2;

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

/// As a person would write it: a number where it has no unit, else text with the unit.
Json forPeople(const Parameter& parameter, const ParameterValue& value) {
    if (parameter.unit == ParameterUnit::none)
        return inBaseUnits(value);
    return engine::formatValue(parameter, value);
}

}  // namespace

std::string writeBody(std::string_view format, const DocumentTexts& texts, const Settings& values) {
    Json document = head(format);
    for (const auto& [key, text] : texts)
        document[key] = text;
    for (const Parameter& parameter : engine::parameters()) {
        const auto found = values.find(parameter.path);
        if (found != values.end())
            placeOf(document, parameter.path) = forPeople(parameter, found->second);
    }
    return document.dump(kIndent) + "\n";
}

std::string writeDraft(const ExperimentDraft& draft, const DocumentTexts& texts) {
    return writeBody(kExperimentFormat, texts, draft.explicitValues);
}

std::string writeExperiment(const Experiment& experiment) {
    Json document = head(kExperimentFormat);
    for (const Parameter& parameter : engine::parameters())
        placeOf(document, parameter.path) = inBaseUnits(parameter.read(experiment));
    return document.dump(kIndent) + "\n";
}

std::string experimentHash(const Experiment& experiment) {
    const std::string text = canonicalForm(experiment);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
        throw std::runtime_error("SHA-256 is not available from the OpenSSL library");
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hash;
    for (unsigned int i = 0; i < length; ++i) {
        hash += kDigits[digest[i] >> 4u];
        hash += kDigits[digest[i] & 15u];
    }
    return hash;
}

}  // namespace data
