#include "ui/look/widget_parts.h"

#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace ui {

void setNames(QWidget& widget, const QString& name, const QString& spoken) {
    widget.setObjectName(name);
    widget.setAccessibleName(spoken);
}

QLabel* newWrappedLabel(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    return label;
}

QTimer* pauseTimer(QObject* owner, int ms, std::function<void()> act) {
    auto* timer = new QTimer(owner);
    timer->setSingleShot(true);
    timer->setInterval(ms);
    QObject::connect(timer, &QTimer::timeout, owner, std::move(act));
    return timer;
}

void makeFlat(QToolButton& button, const QString& tip, const QString& name) {
    button.setAutoRaise(true);
    button.setToolTip(tip);
    button.setAccessibleName(name.isEmpty() ? tip : name);
}

QToolButton* newActionButton(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void makeThin(QProgressBar& bar, int steps, int height, const QString& name) {
    bar.setRange(0, steps);
    bar.setTextVisible(false);
    bar.setFixedHeight(height);
    bar.setAccessibleName(name);
}

void setInk(QWidget& widget, const QColor& color) {
    QPalette palette = widget.palette();
    palette.setColor(QPalette::WindowText, color);
    widget.setPalette(palette);
}

void keepRoom(QWidget& widget) {
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget.setSizePolicy(policy);
}

void makeRows(QTableView& table) {
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setShowGrid(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.horizontalHeader()->setHighlightSections(false);
}

QDialogButtonBox* acceptOrCancel(QDialog& dialog, QDialogButtonBox::StandardButton button, const QString& verb) {
    auto* buttons = new QDialogButtonBox(button | QDialogButtonBox::Cancel, &dialog);
    if (!verb.isEmpty())
        buttons->button(button)->setText(verb);
    for (QAbstractButton* each : buttons->buttons())
        each->setIcon({});
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    return buttons;
}

}  // namespace ui
