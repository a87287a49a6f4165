#include "ui/figure/figure_font.h"

#include <QFontMetricsF>

namespace ui {

QFont figureFont(TextWeight weight) {
    QFont font(QStringLiteral("Ringside Sans"));
    font.setPixelSize(kFigureFontSize);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferOutline);
    font.setWeight(weight == TextWeight::bold       ? QFont::Bold
                   : weight == TextWeight::semiBold ? QFont::DemiBold
                                                    : QFont::Normal);
    return font;
}

QString figureFontFile(TextWeight weight) {
    const char* style = weight == TextWeight::bold ? "Bold" : weight == TextWeight::semiBold ? "SemiBold" : "Regular";
    return QStringLiteral(":/fonts/RingsideSans-%1.otf").arg(QLatin1String(style));
}

double textWidth(const QString& text, double size, TextWeight weight) {
    return QFontMetricsF(figureFont(weight)).horizontalAdvance(text) * size / kFigureFontSize;
}

double leftEndOf(const TextItem& text) {
    if (text.align == TextAlign::left)
        return 0;
    const double width = text.width > 0 ? text.width : textWidth(text.text, text.size, text.weight);
    return text.align == TextAlign::centre ? -width / 2 : -width;
}

}  // namespace ui
