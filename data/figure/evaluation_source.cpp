#include "data/figure/evaluation_source.h"

#include "data/document/document_reader.h"
#include "data/document/names.h"
#include "data/experiment/own_presets.h"

#include <filesystem>

namespace data {

FigureSource sourceOf(const std::string& evaluationFile, const std::string& name) {
    FigureSource source;
    const std::filesystem::path path(evaluationFile);
    engine::Problems problems;
    source.document = readText(evaluationFile, problems);
    if (!problems.empty())
        return {};
    source.kind = FigureSource::Kind::evaluation;
    source.name = name;
    source.file = path.filename().string();
    const OwnPresets none{std::string()};
    readEvaluation(source.document, evaluationFile, &none, [&](const std::string& file, engine::Problems& missing) {
        std::string text = readText((path.parent_path() / file).string(), missing);
        if (findNamed(source.files, &FigureSource::File::name, file) == nullptr)
            source.files.push_back({file, text});
        return text;
    });
    return source;
}

EvaluationReading evaluationOf(const FigureSource& source, const OwnPresets& own) {
    EvaluationReading reading = readEvaluation(
        source.document, source.file, &own, [&source](const std::string& file, engine::Problems& problems) {
            const FigureSource::File* known = findNamed(source.files, &FigureSource::File::name, file);
            if (known == nullptr)
                problems.push_back({file, "", "the figure does not carry this file, which its evaluation reads"});
            return known == nullptr ? std::string() : known->text;
        });
    reading.evaluation.name = std::filesystem::path(source.file).stem().string();
    return reading;
}

}  // namespace data
