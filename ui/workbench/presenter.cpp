#include "ui/workbench/presenter.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QMainWindow>
#include <QPainter>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

constexpr double kScreenLines = 45;  // lines of type in the height of a screen
constexpr double kMostEnlargement = 2.5;
constexpr int kEscapeRank = 20;

constexpr double kLarger = 1.6;  // type size of the caption, relative to that of presenter mode
constexpr int kMostCaptionLines = 2;
constexpr int kTallScreen = 22;  // lines of the caption's type: on a lower screen the caption has one line

}  // namespace

IdlePointerHider::IdlePointerHider(QObject* parent, int stillMs)
    : QObject(parent), m_still(pauseTimer(this, stillMs, [this] { hide(); })), m_last(QCursor::pos()) {
    qApp->installEventFilter(this);
    m_still->start();
}

IdlePointerHider::~IdlePointerHider() { show(); }

bool IdlePointerHider::eventFilter(QObject*, QEvent* event) {
    const bool pressed = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Wheel;
    // Qt also sends MouseMove when a widget moves under a pointer at rest.
    const bool moved = event->type() == QEvent::MouseMove && QCursor::pos() != m_last;
    if (pressed || moved) {
        m_last = QCursor::pos();
        show();
        m_still->start();
    }
    return false;
}

void IdlePointerHider::hide() {
    if (!m_hidden)
        QApplication::setOverrideCursor(Qt::BlankCursor);
    m_hidden = true;
}

void IdlePointerHider::show() {
    if (m_hidden)
        QApplication::restoreOverrideCursor();
    m_hidden = false;
}

KeyHint::KeyHint(const std::vector<std::pair<QString, QString>>& keys, QWidget& over, int lastsMs) : QLabel(&over) {
    setObjectName(QStringLiteral("keyHint"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setTextFormat(Qt::RichText);
    setAlignment(Qt::AlignCenter);
    QStringList parts, spoken;
    for (const auto& [key, what] : keys) {
        parts << QStringLiteral("<b>%1</b>&nbsp;%2")
                     .arg(key.toHtmlEscaped(), what.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")));
        spoken << key + u' ' + what;
    }
    setText(parts.join(QStringLiteral("&nbsp;&nbsp;&nbsp; ")));
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    setWordWrap(true);
    setInk(*this, Palette::inkOn(paletteOf(Theme::dark).window));
    onEvents(
        over, {QEvent::Resize, QEvent::FontChange}, [this] { place(); }, this);
    place();
    show();
    raise();
    QTimer::singleShot(lastsMs, this, &QObject::deleteLater);
}

// Places the card in the middle of the upper part, where it covers little of the picture.
void KeyHint::place() {
    const int em = fontMetrics().averageCharWidth();
    setContentsMargins(em * 2, em, em * 2, em);
    const int most = parentWidget()->width() - em * 4;
    const int wide = std::min(most, QFontMetrics(font()).horizontalAdvance(accessibleName()) + em * 16);
    resize(wide, heightForWidth(wide));
    move((parentWidget()->width() - width()) / 2, parentWidget()->height() / 6);
}

void KeyHint::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(paletteOf(Theme::dark).line);
    painter.setBrush(paletteOf(Theme::dark).window);
    const double radius = fontMetrics().averageCharWidth();
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.end();
    QLabel::paintEvent(event);
}

Presenter::Presenter(Workbench& workbench) : m_workbench(workbench) {
    workbench.addEscape(kEscapeRank, [this] {
        const bool was = m_on;
        set(false);
        return was;
    });
}

void Presenter::addCommand(int rank) {
    m_action = m_workbench.commands().add({.id = "view.present",
                                           .text = tr("Presenter &Mode"),
                                           .group = CommandGroup::view,
                                           .keys = {QKeySequence(Qt::Key_F11)},
                                           .hint = tr("Shows the picture alone on the whole screen, in larger type"),
                                           .rank = rank},
                                          this, &Presenter::set);
    m_action->setCheckable(true);
}

void Presenter::set(bool on) {
    if (on == m_on)
        return;
    QMainWindow& window = m_workbench.window();
    if (on) {
        m_stateBefore = window.windowState();
        m_placeBefore = window.geometry();
    }
    m_on = on;
    m_action->setChecked(on);
    if (on)
        m_workbench.setViewAlone(true);
    QFont type = QApplication::font();
    if (on)
        type.setPointSizeF(type.pointSizeF() *
                           enlargement(QFontMetricsF(type).lineSpacing(), window.screen()->size().height()));
    window.setFont(type);
    window.setWindowState(on ? window.windowState() | Qt::WindowFullScreen : m_stateBefore);
    if (!on) {
        // Not every window system restores the size from before full screen.
        if (m_stateBefore == Qt::WindowNoState)
            window.setGeometry(m_placeBefore);
        m_workbench.setViewAlone(false);
    }
    delete m_pointer;
    m_pointer = on ? new IdlePointerHider(&window) : nullptr;
    delete m_hint;
    if (on)
        showKeys();
    m_workbench.views().focusCurrent();
    Q_EMIT changed(on);
}

double Presenter::enlargement(double line, int screenHeight) {
    return std::clamp(screenHeight / (line * kScreenLines), 1.0, kMostEnlargement);
}

void Presenter::showKeys() {
    std::vector<std::pair<QString, QString>> keys;
    const auto add = [&](const char* id, const QString& what) {
        const Command* command = m_workbench.commands().find(QString::fromLatin1(id));
        if (command != nullptr && !command->action->shortcuts().isEmpty())
            keys.emplace_back(command->action->shortcuts().front().toString(QKeySequence::NativeText), what);
    };
    add("playback.play", tr("play and pause"));
    add("playback.step-forward", tr("next step"));
    add("view.show-machine", tr("machine"));
    add("help.palette", tr("any command"));
    add("view.present", tr("or Esc: leave"));
    m_hint = new KeyHint(keys, *m_workbench.window().centralWidget());
}

PresenterCaption::PresenterCaption(QWidget* parent) : QWidget(parent), m_text(newWrappedLabel(this)) {
    setObjectName(QStringLiteral("presenterCaption"));
    setRelativeFont(*m_text, kLarger, QFont::DemiBold);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAccessibleName(tr("What happens at the cursor"));
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* column = flushLayout<QVBoxLayout>(this);
    column->addWidget(m_text);
    followColours(*this, [this] { setInk(*m_text, Palette::inkOn(paletteOf(Theme::dark).surface)); });
    onEvents(*m_text, {QEvent::FontChange}, [this] { fit(); });
    onEvents(*this, {QEvent::Resize}, [this] { fit(); });
    fit();
}

void PresenterCaption::showParts(const QStringList& parts) {
    if (parts == m_parts)
        return;
    m_parts = parts;
    fit();
}

QString PresenterCaption::text() const { return m_text->text(); }

int PresenterCaption::lines() const {
    return screen()->size().height() < kTallScreen * QFontMetrics(m_text->font()).lineSpacing() ? 1 : kMostCaptionLines;
}

bool PresenterCaption::fits(const QString& text) const {
    const QRect room(0, 0, m_text->width(), 1 << 20);
    const QFontMetrics metrics(m_text->font());
    return metrics.boundingRect(room, Qt::TextWordWrap, text).height() <= metrics.lineSpacing() * lines() + 2;
}

void PresenterCaption::fit() {
    const QFontMetrics metrics(m_text->font());
    const int em = metrics.averageCharWidth();
    layout()->setContentsMargins(em * 2, em / 2, em * 2, em / 2);
    setFixedHeight(metrics.lineSpacing() * lines() + em);
    layout()->activate();
    QStringList shown = m_parts;
    const QString between = QStringLiteral("  ·  ");
    while (shown.size() > 1 && !fits(shown.join(between)))
        shown.removeLast();
    m_text->setText(shown.join(between));
    m_text->setAccessibleDescription(m_parts.join(QStringLiteral(", ")));
}

void PresenterCaption::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), paletteOf(Theme::dark).surface);
    painter.fillRect(0, 0, width(), 1, paletteOf(Theme::dark).line);
}

}  // namespace ui
