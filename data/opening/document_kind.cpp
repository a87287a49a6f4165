#include "data/opening/document_kind.h"

#include "data/document/document_body.h"
#include "data/document/document_tree.h"
#include "data/document/names.h"
#include "data/evaluations/evaluation.h"
#include "data/figure/figure_document.h"
#include "data/lessons/lesson.h"
#include "data/presets/preset_document.h"
#include "data/sweep/sweep_document.h"
#include "data/tasks/task_document.h"
#include "data/trace/request_file.h"
#include "data/trace/trace_file.h"
#include "engine/api/letters.h"
#include "engine/api/problem.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace data {
namespace {

std::string suffixOf(const std::string& path) {
    std::string suffix = std::filesystem::path(path).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), engine::lowerLetter);
    return suffix;
}

bool carriesFigureBySuffix(const std::string& path) {
    static constexpr std::array<std::string_view, 4> kSuffixes{".pdf", ".svg", ".png", ".zip"};
    return isAmong(kSuffixes, suffixOf(path));
}

std::string formatOf(const std::string& path) {
    engine::Problems problems;
    const DocumentTree tree = readTree(readText(path, problems), path);
    const DocumentNode* format = tree.root ? tree.root->find("format") : nullptr;
    return format != nullptr ? format->text : std::string();
}

}  // namespace

DocumentKind documentKind(const std::string& path) {
    static constexpr std::array<std::pair<std::string_view, DocumentKind>, 6> kFormats{{
        {kSweepFormat, DocumentKind::sweep},
        {kLessonFormat, DocumentKind::lesson},
        {kEvaluationFormat, DocumentKind::evaluation},
        {kFigureFormat, DocumentKind::figure},
        {kPresetFormat, DocumentKind::preset},
        {kTaskFormat, DocumentKind::tasks},
    }};
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return DocumentKind::experiment;
    if (carriesFigureBySuffix(path))
        return DocumentKind::figure;
    if (isTraceFile(path))
        return isOwnTraceFile(path) ? DocumentKind::trace : DocumentKind::measured;
    if (isRequestFile(path))
        return DocumentKind::requests;
    const std::string format = formatOf(path);
    const auto* known =
        std::find_if(kFormats.begin(), kFormats.end(), [&](const auto& entry) { return entry.first == format; });
    return known == kFormats.end() ? DocumentKind::experiment : known->second;
}

}  // namespace data
