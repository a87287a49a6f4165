#include "data/figure/figure_combination.h"

#include "data/document/names.h"
#include "data/figure/figure_document.h"
#include "data/figure/figure_parts.h"
#include "data/figure/figure_size.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace data {
namespace {

void addProvenance(const FigureProvenance& from, FigureProvenance& to) {
    for (const FigureProvenance::Experiment& one : from.experiments)
        addOnce(to.experiments, one);
    for (const FigureProvenance::Published& one : from.published)
        addOnce(to.published, one);
    if (to.publishedSource.empty())
        to.publishedSource = from.publishedSource;
}

/// Reports a series whose name has another look in an earlier part: the legend would list both under one name.
void checkSeries(const std::vector<CombinedPart>& parts, engine::Problems& problems) {
    std::map<std::string, std::pair<std::string, std::string>> known;  // by name: meaning and file
    for (const CombinedPart& part : parts) {
        for (const FigurePart& series : partsOf(part.figure, FigurePartKind::series)) {
            const auto [there, fresh] = known.try_emplace(series.name, series.meaning, part.file);
            if (!fresh && there->second.first != series.meaning)
                problems.push_back({part.file, series.name,
                                    "the series has another colour in " + there->second.second +
                                        "; give both one name and one colour, or rename one of them"});
        }
    }
}

}  // namespace

FigureSpec combined(const std::vector<CombinedPart>& parts, engine::Problems& problems,
                    std::vector<std::string>& remarks) {
    FigureSpec figure;
    if (parts.size() < 2) {
        problems.push_back({"combine", std::to_string(parts.size()) + " figures", "at least two figures are expected"});
        return figure;
    }
    std::set<std::string> documents;
    for (const CombinedPart& part : parts) {
        const std::string document = writeFigure(part.figure);
        if (!documents.insert(document).second)
            problems.push_back({part.file, "", "the figure is there twice"});
        figure.from.files.push_back({part.file, document});
    }
    for (const CombinedPart& part : parts) {
        for (const FigureSource::File& inner : part.figure.from.files) {
            if (part.figure.from.kind == FigureSource::Kind::combined && documents.contains(inner.text))
                problems.push_back({part.file, inner.name, "the figure is there twice: alone and as a part"});
        }
    }
    checkSeries(parts, problems);
    const FigureSpec& first = parts.front().figure;
    constexpr std::size_t kLongest = 80;  // of a name
    const std::string_view suffix = "-combined";
    figure.name = first.name.substr(0, kLongest - suffix.size()).append(suffix);
    figure.size = first.size;
    figure.width = first.width;
    figure.theme = first.theme;
    figure.legend = first.legend;
    figure.columns = 1;
    figure.provenance.program = first.provenance.program;
    figure.provenance.engine = first.provenance.engine;
    figure.provenance.made = first.provenance.made;
    figure.from.kind = FigureSource::Kind::combined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const FigureSpec& part = parts[i].figure;
        figure.panels.insert(figure.panels.end(), part.panels.begin(), part.panels.end());
        figure.title += (i > 0 ? "; " : "") + part.title;
        figure.caption += (i > 0 ? " " : "") + letteredTitle(part.caption, i);
        figure.alternative += (i > 0 ? " " : "") + letteredTitle(part.alternative, i);
        addProvenance(part.provenance, figure.provenance);
        if (part.provenance.engine != figure.provenance.engine)
            remarks.push_back(parts[i].file + " was made by engine " + part.provenance.engine + ", and " +
                              parts.front().file + " by " + figure.provenance.engine);
        if (part.size != first.size || part.theme != first.theme)
            remarks.push_back(parts[i].file + " has another size or theme (" + std::string(presetOf(part.size).name) +
                              ", " + std::string(nameOf(part.theme)) + "); " + parts.front().file + " decides");
    }
    for (engine::Problem& problem : problemsOf(figure))
        problems.push_back(std::move(problem));
    return figure;
}

std::vector<CombinedPart> partsIn(const FigureSource& source, engine::Problems& problems) {
    std::vector<CombinedPart> parts;
    for (const FigureSource::File& file : source.files) {
        FigureReading reading = readFigure(file.text, file.name);
        problems.insert(problems.end(), reading.problems.begin(), reading.problems.end());
        if (reading.figure)
            parts.push_back({file.name, std::move(*reading.figure)});
    }
    return parts;
}

}  // namespace data
