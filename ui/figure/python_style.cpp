#include "ui/figure/python_style.h"

#include "ui/figure/plain_number.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kLinesInAnInch = 6;  // that one letter of a hatch stands for
constexpr double kPointsInAnInch = 72;

/// matplotlib counts lines to the inch by the letters of a hatch.
QString hatchOf(const FigureFill& fill) {
    const char letter = fill.texture == Texture::falling   ? '\\'
                        : fill.texture == Texture::rising  ? '/'
                        : fill.texture == Texture::crossed ? 'x'
                        : fill.texture == Texture::rows    ? '-'
                                                           : '.';
    // Slanted lines are twice as far apart along x as their number says, rows half as far as a period.
    const bool slanted = letter == '/' || letter == '\\' || letter == 'x';
    const double lines = kPointsInAnInch / std::max(fill.spacing, 0.5) * (slanted || letter == '-' ? 2 : 1);
    const double letters = std::round(lines / kLinesInAnInch);
    return QString(std::max(1, static_cast<int>(letters)), QLatin1Char(letter));
}

QString withOpacity(const QString& colour, const QColor& of) {
    if (of.alpha() == 255)
        return colour;
    return QStringLiteral("%1 + \"%2\"").arg(colour).arg(of.alpha(), 2, 16, QLatin1Char('0'));
}

}  // namespace

QString pythonText(const QString& text) {
    QString literal;
    for (const QChar letter : text) {
        if (letter == u'\\' || letter == u'"')
            literal += QStringLiteral("\\") + letter;
        else if (letter.unicode() < u' ' || letter.unicode() == 0x7F)
            literal += QStringLiteral("\\u%1").arg(letter.unicode(), 4, 16, QLatin1Char('0'));
        else
            literal += letter;
    }
    return u'"' + literal + u'"';
}

QString pythonNumber(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 12) : QStringLiteral("math.nan");
}

QString PythonStyles::colour(const QColor& colour, const QString& meaning) {
    return QStringLiteral("COLOURS[\"%1\"]").arg(m_colours.nameOf(colour, meaning));
}

QString PythonStyles::pen(const FigurePen& pen, const QString& meaning) {
    QString text = QStringLiteral("edge=%1, width=%2")
                       .arg(withOpacity(colour(pen.colour, meaning), pen.colour), plainNumber(pen.width));
    if (pen.dash.isEmpty())
        return text;
    QStringList lengths;
    const qsizetype count = pen.dash.size() % 2 == 0 ? pen.dash.size() : 2 * pen.dash.size();
    for (qsizetype i = 0; i < count; ++i)
        lengths << plainNumber(pen.dash[i % pen.dash.size()]);
    return text + QStringLiteral(", dash=(%1)").arg(lengths.join(QStringLiteral(", ")));
}

QString PythonStyles::options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                              const QString& meaning) {
    QStringList parts;
    if (fill)
        parts << QStringLiteral("fill=") + withOpacity(colour(fill->colour, meaning), fill->colour);
    if (fill && fill->texture != Texture::plain)
        parts << QStringLiteral("hatch=%1, ink=%2").arg(pythonText(hatchOf(*fill)), colour(fill->textureInk));
    if (pen)
        parts << this->pen(*pen);
    return parts.join(QStringLiteral(", "));
}

QString PythonStyles::definitions() const {
    QString text = QStringLiteral("COLOURS = {\n");
    for (const auto& [name, value] : m_colours.known())
        text += QStringLiteral("    \"%1\": \"%2\",\n").arg(name, value);
    return text + QStringLiteral("}\n");
}

}  // namespace ui
