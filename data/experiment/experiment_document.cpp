#include "data/experiment/experiment_document.h"

#include "data/document/document_body.h"
#include "data/document/document_reader.h"

namespace data {
namespace {

using engine::Parameter;
using engine::Problems;

}  // namespace

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
                                    "what is to be run, such as {\"workload\": {\"model\": \"t-nlg\", \"sublayer\": "
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
    if (!reading.problems.empty())
        return reading;
    return readDraft(text, path == "-" ? "standard input" : path);
}

}  // namespace data
