#include "ui/look/application_style.h"

#include "ui/look/palette.h"

#include <QApplication>
#include <QDir>
#include <QFont>
#include <QFontDatabase>
#include <QLabel>
#include <QLocale>
#include <QStyleOption>

#include <clocale>

// At global scope: the macro declares a function of the resource library, and names it here so that it is linked.
static void initResources() { Q_INIT_RESOURCE(ringside); }

namespace ui {
namespace {

constexpr int kDarkest = 128;        // windows of at least this lightness belong to the light theme
constexpr double kEdgeOfInk = 0.75;  // share of the text's colour; Fusion draws the outline at 0.7 of the lightness

}  // namespace

bool loadApplicationFont(QApplication& application) {
    initResources();
    const QDir fonts(QStringLiteral(":/fonts"));
    bool loaded = fonts.exists(QStringLiteral("RingsideSans-Regular.otf"));
    for (const QString& name : fonts.entryList({QStringLiteral("*.otf"), QStringLiteral("*.ttf")})) {
        const bool isTwin =
            name.endsWith(QLatin1String(".ttf")) && fonts.exists(name.chopped(3) + QStringLiteral("otf"));
        if (!isTwin)  // the TrueType twin is for exported scripts
            loaded = QFontDatabase::addApplicationFont(fonts.filePath(name)) >= 0 && loaded;
    }
    if (!loaded)
        return false;
    QFont font(QStringLiteral("Ringside Sans"));
    font.setPointSizeF(10);
    application.setFont(font);
    return true;
}

void usePlainLocale() {
    // File names stay UTF-8. If the C library does not have this locale, at least numbers are in the plain format.
    if (std::setlocale(LC_ALL, "C.UTF-8") == nullptr)
        std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());  // used by spin boxes, progress bars and tables
}

WindowStyle::WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void WindowStyle::polish(QWidget* widget) {
    auto* label = qobject_cast<QLabel*>(widget);
    const bool isToolTip = label != nullptr && label->windowType() == Qt::ToolTip;
    if (label != nullptr && label->textFormat() == Qt::AutoText && !isToolTip)
        label->setTextFormat(Qt::PlainText);
    QProxyStyle::polish(widget);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool ticks = element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton;
    if (!ticks || button == nullptr || option->palette.color(QPalette::Window).lightness() >= kDarkest)
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
    QStyleOptionButton lit = *button;
    lit.palette.setColor(QPalette::Window, Palette::mixed(option->palette.color(QPalette::Window),
                                                          option->palette.color(QPalette::WindowText), kEdgeOfInk));
    QProxyStyle::drawPrimitive(element, &lit, painter, widget);
}

}  // namespace ui
