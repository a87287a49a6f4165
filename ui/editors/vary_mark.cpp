#include "ui/editors/vary_mark.h"

#include "engine/api/parameters.h"
#include "ui/look/palette.h"
#include "ui/look/tinted_icon.h"
#include "ui/look/widget_parts.h"

#include <QCoreApplication>
#include <QToolButton>

namespace ui {
namespace {

constexpr auto kTint = "tint";

QString tr(const char* words) { return QCoreApplication::translate("VaryMark", words); }

}  // namespace

QToolButton* newVaryMark(const engine::Parameter& parameter, QWidget* parent) {
    auto* mark = new QToolButton(parent);
    mark->setAutoRaise(true);
    mark->setCheckable(true);
    mark->setIconSize({14, 14});
    setNames(*mark, QStringLiteral("vary:") + QString::fromStdString(parameter.path),
             tr("Vary %1").arg(QString::fromStdString(parameter.label)));
    // Back to what the sweep says; whoever answers the click changes that first.
    QObject::connect(mark, &QToolButton::toggled, mark, [mark] { showVaryMark(*mark, mark->isChecked()); });
    showVaryMark(*mark, false);
    return mark;
}

void showVaryMark(QToolButton& mark, bool varied) {
    // The parent's: it hears of another theme before its children do.
    const Palette& colors = paletteOf(*mark.parentWidget());
    mark.setChecked(varied);
    // Every field has one, and all are shown anew with each edit: drawing them was a fifth of a slider's movement.
    const QColor tint = varied ? colors.onAccent : colors.inkSoft;
    if (mark.property(kTint).value<QColor>() != tint) {
        mark.setProperty(kTint, tint);
        mark.setIcon(tintedIcon(QStringLiteral("vary"), tint));
    }
    const QString sheet =
        varied ? QStringLiteral("QToolButton { background: %1; border: 2px solid %1; border-radius: 4px; }"
                                "QToolButton:hover, QToolButton:focus { border-color: %2; }")
                     .arg(colors.accent.name(), colors.ink.name())
               : QString();
    if (mark.styleSheet() != sheet)
        mark.setStyleSheet(sheet);
    mark.setToolTip(varied ? tr("No longer vary this parameter") : tr("Vary this parameter"));
}

}  // namespace ui
