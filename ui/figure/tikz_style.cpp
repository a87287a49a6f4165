#include "ui/figure/tikz_style.h"

#include "ui/figure/fill_lines.h"
#include "ui/figure/plain_number.h"

#include <QStringList>

#include <numbers>

namespace ui {
namespace {

QString points(double length) { return plainNumber(length) + QStringLiteral("bp"); }

/// The texture as TikZ knows it. Its distances are those between lines, ours that of the period along x.
QString patternOf(const FigureFill& fill) {
    const QString across = points(fill.spacing / std::numbers::sqrt2);
    const QString width = points(fillLineWidth(fill));
    switch (fill.texture) {
    case Texture::plain: return {};
    case Texture::falling: return QStringLiteral("{Lines[angle=-45,distance=%1,line width=%2]}").arg(across, width);
    case Texture::rising: return QStringLiteral("{Lines[angle=45,distance=%1,line width=%2]}").arg(across, width);
    case Texture::crossed: return QStringLiteral("{Hatch[angle=45,distance=%1,line width=%2]}").arg(across, width);
    case Texture::rows:
        return QStringLiteral("{Lines[angle=0,distance=%1,line width=%2]}").arg(points(fill.spacing / 2), width);
    case Texture::dots:
        return QStringLiteral("{Dots[angle=45,distance=%1,radius=%2]}").arg(across, points(fillLineWidth(fill) / 2));
    }
    return {};
}

}  // namespace

QString TikzStyles::pen(const FigurePen& pen, const QString& meaning) {
    QString text = QStringLiteral("draw=%1,line width=%2").arg(colour(pen.colour, meaning), points(pen.width));
    if (pen.colour.alpha() < 255)
        text += QStringLiteral(",draw opacity=") + plainNumber(pen.colour.alphaF());
    if (pen.dash.isEmpty())
        return text;
    text += QStringLiteral(",dash pattern=");
    const qsizetype count = pen.dash.size() % 2 == 0 ? pen.dash.size() : 2 * pen.dash.size();
    for (qsizetype i = 0; i < count; ++i)
        text += QLatin1String(i % 2 == 0 ? "on " : "off ") + points(pen.dash[i % pen.dash.size()]) + u' ';
    return text.trimmed();
}

QString TikzStyles::options(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen,
                            const QString& meaning) {
    QStringList parts;
    if (fill) {
        QString plain = QStringLiteral("fill=") + colour(fill->colour, meaning);
        if (fill->colour.alpha() < 255)
            plain += QStringLiteral(",fill opacity=") + plainNumber(fill->colour.alphaF());
        if (fill->texture == Texture::plain)
            parts << plain;
        else
            parts << QStringLiteral("preaction={%1},pattern=%2,pattern color=%3")
                         .arg(plain, patternOf(*fill), colour(fill->textureInk));
    }
    if (pen)
        parts << this->pen(*pen);
    return parts.join(u',');
}

QString TikzStyles::definitions() const {
    QString text;
    for (const auto& [name, value] : m_colours.known())
        text += QStringLiteral("\\definecolor{%1}{HTML}{%2}\n").arg(name, value.mid(1).toUpper());
    return text;
}

}  // namespace ui
