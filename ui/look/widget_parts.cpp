#include "ui/look/widget_parts.h"

#include "ui/look/palette.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPixmap>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSvgRenderer>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ui {
namespace {

/// Event filter that passes the events of one widget to a function, which returns whether the event is consumed.
class EventWatch final : public QObject {
public:
    EventWatch(QWidget& watched, QObject* owner, std::function<bool(QEvent&)> look)
        : QObject(owner != nullptr ? owner : &watched), m_look(std::move(look)) {
        watched.installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override { return m_look(*event); }

private:
    std::function<bool(QEvent&)> m_look;
};

class UndoKeys final : public QObject {
public:
    enum class History : std::uint8_t { window, ownFirst };

    UndoKeys(QLineEdit& edit, History history, std::function<void()> restore)
        : QObject(&edit), m_edit(edit), m_history(history), m_restore(std::move(restore)) {}

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
            return false;
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undoes = key->matches(QKeySequence::Undo);
        const bool escapes = key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier;
        if ((undoes || escapes) && m_restore && m_edit.isModified()) {
            key->accept();
            if (key->type() == QEvent::KeyPress)
                m_restore();
            return true;
        }
        const bool redoes =
            key->matches(QKeySequence::Redo) || (key->key() == Qt::Key_Y && key->modifiers() == Qt::ControlModifier);
        const bool hasOwn = (undoes && m_edit.isUndoAvailable()) || (redoes && m_edit.isRedoAvailable());
        const bool goesOn = (undoes || redoes) && !(hasOwn && m_history == History::ownFirst);
        if (goesOn)
            key->ignore();
        return goesOn;
    }

private:
    QLineEdit& m_edit;
    History m_history;
    std::function<void()> m_restore;
};

bool movesAlongList(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End ||
           key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

bool keeps(const QObject* control, const QKeyEvent& key) {
    if ((key.modifiers() & ~Qt::KeypadModifier) != 0)
        return false;
    if (qobject_cast<const QAbstractButton*>(control) != nullptr)
        return key.key() == Qt::Key_Space;
    if (qobject_cast<const QAbstractItemView*>(control) != nullptr)
        return movesAlongList(key.key());
    const bool moves = movesAlongList(key.key()) || key.key() == Qt::Key_Left || key.key() == Qt::Key_Right;
    if (qobject_cast<const QAbstractSlider*>(control) != nullptr)
        return moves;
    return moves || key.text().size() == 1;  // a combo box, whose list is searched by letters
}

bool isControl(const QWidget* widget) {
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(widget) != nullptr;
}

void addDrawing(QIcon& icon, const QByteArray& drawing, const QColor& color, QIcon::Mode mode) {
    QByteArray tinted = drawing;
    tinted.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(tinted);
    for (const int size : {16, 32, 48, 64}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap, mode);
    }
}

QByteArray drawingNamed(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

void onEvents(QWidget& watched, std::initializer_list<QEvent::Type> types, std::function<void()> act, QObject* owner) {
    new EventWatch(watched, owner, [types = std::vector(types), act = std::move(act)](const QEvent& event) {
        if (std::find(types.begin(), types.end(), event.type()) != types.end())
            act();
        return false;
    });
}

void followColours(QWidget& widget, std::function<void()> act) {
    act();
    onEvents(widget, {QEvent::PaletteChange}, std::move(act));
}

void keepKeys(QWidget& widget, std::function<bool(const QKeyEvent&)> wants) {
    new EventWatch(widget, nullptr, [wants = std::move(wants)](QEvent& event) {
        if (event.type() == QEvent::ShortcutOverride && wants(static_cast<QKeyEvent&>(event)))
            event.accept();
        return false;
    });
}

bool isPlain(const QKeyEvent& key) { return (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier; }

bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

bool isEnter(int key) { return key == Qt::Key_Return || key == Qt::Key_Enter; }

bool isStepKey(int key) { return isArrow(key) || key == Qt::Key_Home || key == Qt::Key_End; }

std::size_t steppedBy(int key, std::optional<std::size_t> at, std::size_t count) {
    const std::size_t last = count - 1;
    if (key == Qt::Key_End)
        return last;
    if (key == Qt::Key_Home || !at)
        return 0;
    if (key == Qt::Key_Right || key == Qt::Key_Up)
        return std::min(*at + 1, last);
    return *at == 0 ? 0 : *at - 1;
}

void paintFocusFrame(QPainter& painter, const QRectF& frame, const QColor& color) {
    painter.setPen(QPen(color, 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame);
}

void showTipAt(QWidget& widget, std::function<Tip(QPoint)> tipAt) {
    new EventWatch(widget, nullptr, [&widget, tipAt = std::move(tipAt)](QEvent& event) {
        if (event.type() != QEvent::ToolTip)
            return false;
        const auto& help = static_cast<QHelpEvent&>(event);
        const Tip tip = tipAt(help.pos());
        QToolTip::showText(help.globalPos(), tip.text, &widget, tip.within);
        return true;
    });
}

void leaveUndoToTheWindow(QLineEdit& edit, std::function<void()> restore) {
    // An editable combo box has the keyboard focus itself, and passes the keys that it does not use to its line edit.
    QWidget* keyboard = edit.focusProxy() != nullptr ? edit.focusProxy() : &edit;
    keyboard->installEventFilter(new UndoKeys(edit, UndoKeys::History::window, std::move(restore)));
}

void shareUndoWithTheWindow(QLineEdit& edit) {
    edit.installEventFilter(new UndoKeys(edit, UndoKeys::History::ownFirst, {}));
}

ControlKeyFilter::ControlKeyFilter(QWidget& picture) : QObject(&picture) {
    connect(qApp, &QApplication::focusChanged, this, [this, &picture](QWidget*, QWidget* now) {
        if (now != nullptr && picture.isAncestorOf(now) && isControl(now))
            now->installEventFilter(this);
    });
}

bool ControlKeyFilter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || !keeps(watched, *static_cast<QKeyEvent*>(event)))
        return false;
    event->accept();
    return true;
}

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

QScrollArea* newScrollArea(QWidget* parent, const QString& name) {
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setAccessibleName(name);
    return area;
}

void openOnce(QDialog& dialog) {
    dialog.setAttribute(Qt::WA_DeleteOnClose);
    dialog.open();
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

void makeSortedRows(QTableView& table) {
    makeRows(table);
    table.setSortingEnabled(true);
    table.sortByColumn(-1, Qt::AscendingOrder);
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setAlternatingRowColors(true);
    table.setWordWrap(false);
    table.setFrameShape(QFrame::NoFrame);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setStretchLastSection(true);
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

QFont scaledFont(QFont font, double factor, QFont::Weight weight) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

QFont strongFont(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight) {
    QWidget& around = *widget.parentWidget();
    const auto apply = [&widget, &around, factor, weight] {
        if (widget.parentWidget() == &around)
            widget.setFont(scaledFont(around.font(), factor, weight));
    };
    apply();
    onEvents(around, {QEvent::FontChange}, apply, &widget);
}

QIcon tintedIcon(const QString& name, const QColor& color) {
    QIcon icon;
    addDrawing(icon, drawingNamed(name), color, QIcon::Normal);
    return icon;
}

QIcon tintedIcon(const QString& name, const QWidget& widget) {
    const QByteArray drawing = drawingNamed(name);
    QIcon icon;
    addDrawing(icon, drawing, widget.palette().color(QPalette::Active, QPalette::ButtonText), QIcon::Normal);
    addDrawing(icon, drawing, widget.palette().color(QPalette::Disabled, QPalette::ButtonText), QIcon::Disabled);
    return icon;
}

QString switchSheet(const Palette& colors, const QFont& font) {
    return QStringLiteral("QToolButton { border: 1px solid %1; margin-left: -1px; padding: 3px 0.7em; color: %2; "
                          "background: %3; font-size: %8pt; }"
                          "QToolButton:hover { background: %4; }"
                          "QToolButton:checked { background: %5; color: %6; border-color: %5; }"
                          "QToolButton:disabled { color: %7; background: %4; border-color: %1; }"
                          "QToolButton:focus { border-color: %2; }")
        .arg(colors.line.name(), colors.ink.name(), colors.surface.name(), colors.stripe.name(), colors.accent.name(),
             colors.onAccent.name(), colors.inkFaint.name(), QString::number(font.pointSizeF()));
}

}  // namespace ui
