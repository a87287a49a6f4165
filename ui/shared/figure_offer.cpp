#include "ui/shared/figure_offer.h"

#include "data/experiment/experiment_document.h"
#include "data/figure/figure_size.h"
#include "data/replay/shown_run.h"
#include "data/results/shared_notices.h"
#include "engine/api/runner.h"

#include <QColor>
#include <QRegularExpression>

#include <cmath>
#include <variant>

namespace ui {
namespace {

constexpr qsizetype kLongestName = 80;  // letters, as a figure may have

data::FigureProvenance provenance() {
    data::FigureProvenance provenance;
    provenance.program = "Ringside " RINGSIDE_VERSION;
    provenance.engine = std::string(engine::engineVersion());
    return provenance;
}

data::DrawingColour greyed(data::DrawingColour colour) {
    // The colours are weighted by how bright they look, in linear light.
    const auto linear = [](int part) { return std::pow(part / 255.0, 2.2); };
    const double light =
        0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
    const int grey = static_cast<int>(std::lround(std::pow(light, 1 / 2.2) * 255));
    return qRgba(grey, grey, grey, qAlpha(colour));
}

}  // namespace

void redraw(data::FigureSpec& figure, const FigureOffer::Redraw& how) {
    if (!how)
        return;
    for (data::FigurePanel& panel : figure.panels) {
        for (data::FigureMark& mark : panel.marks) {
            if (std::holds_alternative<data::DrawingMark>(mark))
                mark = how(figure.size, figure.theme);
        }
    }
}

data::FigureProvenance provenanceOf(const data::ShownRun& run, const QString& moment) {
    data::FigureProvenance made = provenance();
    made.moment = moment.toStdString();
    made.experiments.push_back({run.run.name, run.run.hash, data::writeExperiment(run.run.experiment)});
    made.notices = data::qualifying(run.run.result.notices);
    return made;
}

data::FigureProvenance provenanceOf(const engine::Experiment& experiment, const std::string& name) {
    data::FigureProvenance made = provenance();
    made.experiments.push_back({name, data::experimentHash(experiment), data::writeExperiment(experiment)});
    return made;
}

QFont figureFont(data::FigureSize size) {
    QFont font(QStringLiteral("Ringside Sans"));
    font.setPointSizeF(data::presetOf(size).textSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

Theme windowTheme(data::FigureTheme theme) {
    return theme == data::FigureTheme::darkSlide ? Theme::dark : Theme::light;
}

data::DrawingMark greyed(data::DrawingMark drawing) {
    for (data::DrawingMark::Item& item : drawing.items) {
        if (auto* text = std::get_if<data::DrawingText>(&item)) {
            text->colour = greyed(text->colour);
            continue;
        }
        auto& shape = std::get<data::DrawingShape>(item);
        if (shape.fill)
            shape.fill = greyed(*shape.fill);
        if (shape.pen)
            shape.pen->colour = greyed(shape.pen->colour);
    }
    return drawing;
}

QString fileNameOf(const QString& words) {
    QString name = words.toLower();
    name.replace(QRegularExpression(QStringLiteral("[^a-z0-9]+")), QStringLiteral("-"));
    name = name.left(kLongestName + 1);  // a hyphen may be the first letter
    name.remove(QRegularExpression(QStringLiteral("^-+|-+$")));
    name = name.left(kLongestName);
    return name.isEmpty() ? QStringLiteral("figure") : name;
}

}  // namespace ui
