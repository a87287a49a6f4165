#include "ui/figure/figure_problem.h"

#include "engine/api/quantity.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace ui {
namespace {

QString problemText(const char* words) { return QCoreApplication::translate("ui::FigureProblem", words); }

/// "of panel 2", where there is more than one.
QString ofPanel(std::size_t panel, const data::FigureSpec& figure) {
    return figure.panels.size() > 1 ? problemText(" of panel %1").arg(panel + 1) : QString();
}

QString axisText(const engine::Problem& problem, const data::FigureAxis& axis, const QString& name,
                 const QString& field) {
    const auto shown = [](double number) { return text(engine::shortestText(number)); };
    if (axis.from && axis.to && !(*axis.from < *axis.to))
        return problemText("The range of the %1 is empty: %2 to %3. It must end above its beginning.")
            .arg(name, shown(*axis.from), shown(*axis.to));
    if (field == QLatin1String("from") || field == QLatin1String("to"))
        return (field == QLatin1String("from") ? problemText("The %1 cannot begin at %2: %3.")
                                               : problemText("The %1 cannot end at %2: %3."))
            .arg(name, text(problem.value), text(problem.text));
    return problemText("The %1 of the %2: %3.").arg(field, name, text(problem.text));
}

/// What the options call a place of the document; empty for what they do not show.
QString placeOf(const QString& field) {
    if (field == QLatin1String("height"))
        return problemText("The height");
    if (field == QLatin1String("weight"))
        return problemText("The share of the height");
    if (field == QLatin1String("name"))
        return problemText("The name");
    if (field == QLatin1String("title"))
        return problemText("The title");
    return {};
}

}  // namespace

QString problemText(const engine::Problem& problem, const data::FigureSpec& figure) {
    static const QRegularExpression kOfPanel(QStringLiteral("^panels\\[(\\d+)\\]\\.(?:([xy])\\.)?(\\w+)$"));
    const QString path = text(problem.path);
    const QRegularExpressionMatch match = kOfPanel.match(path);
    const auto panel = static_cast<std::size_t>(match.captured(1).toULongLong());
    if (match.hasMatch() && panel < figure.panels.size() && !match.captured(2).isEmpty()) {
        const bool ofX = match.captured(2) == QLatin1String("x");
        const QString name = (ofX ? problemText("X axis") : problemText("Y axis")) + ofPanel(panel, figure);
        return axisText(problem, ofX ? figure.panels[panel].x : figure.panels[panel].y, name, match.captured(3));
    }
    const QString place = match.hasMatch() ? placeOf(match.captured(3)) : placeOf(path);
    if (place.isEmpty())
        return text(engine::describe(problem));
    return problemText("%1 cannot be %2: %3.")
        .arg(place + (match.hasMatch() ? ofPanel(panel, figure) : QString()), text(problem.value), text(problem.text));
}

}  // namespace ui
