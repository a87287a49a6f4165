#include "ui/figure/figure_font.h"

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

double leftEndOf(const TextItem& text) {
    if (text.align == TextAlign::left)
        return 0;
    return text.align == TextAlign::centre ? -text.width / 2 : -text.width;
}

}  // namespace ui
