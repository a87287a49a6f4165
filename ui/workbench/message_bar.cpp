#include "ui/workbench/message_bar.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"

#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace ui {
namespace {

constexpr int kMargin = 10;
constexpr double kRounding = 5;
constexpr int kReadWell = 100;  // characters: longer lines are hard to read

/// Icon and colours of a kind of message. The card's background is a pale colour and its text has the theme's ink, so
/// that long texts stay readable.
struct Look {
    QString icon;
    QColor sign, wash;
};

Look lookOf(MessageBar::Kind kind, const Palette& colors) {
    const bool dark = colors.theme == Theme::dark;
    switch (kind) {
    case MessageBar::Kind::done: return {QStringLiteral("check"), colors.better, dark ? 0xff1b382f : 0xffe2f4ec};
    case MessageBar::Kind::notice: return {QStringLiteral("info"), colors.inkSoft, colors.grid};
    case MessageBar::Kind::error: break;
    }
    return {QStringLiteral("warning"), colors.error, dark ? 0xff45221b : 0xfffde7e1};
}

}  // namespace

MessageBar::MessageBar(QWidget& parent)
    : QFrame(&parent), m_icon(new QLabel(this)), m_text(newWrappedLabel(this)), m_remedy(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    setNames(*this, QStringLiteral("messageBar"), tr("Message"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    makeFlat(*m_close, tr("Close this message"));
    connect(m_close, &QToolButton::clicked, this, &MessageBar::clear);
    m_remedy->setObjectName(QStringLiteral("remedy"));
    m_remedy->hide();
    connect(m_remedy, &QToolButton::clicked, this, [this] {
        const std::function<void()> action = std::exchange(m_action, {});
        clear();
        action();
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 6, 6);
    row->setSpacing(10);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_remedy, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);
    applyColors();
    hide();
    follow(parent);
    onEvents(*this, {QEvent::ParentChange, QEvent::ApplicationPaletteChange}, [this] { applyColors(); });
    onEvents(
        parent, {QEvent::PaletteChange}, [this] { applyColors(); }, this);
}

void MessageBar::showMessage(Kind kind, const QString& text, const QString& remedy, std::function<void()> action) {
    m_kind = kind;
    m_action = std::move(action);
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
    m_text->setText(text);
    m_text->setAccessibleName(text);
    applyColors();
    // A visible card stays at its place.
    if (isHidden())
        m_atFoot = !placeAt(true).contains(parentWidget()->mapFromGlobal(QCursor::pos()));
    place();
    show();
    raise();
}

void MessageBar::clear() {
    m_text->clear();
    hide();
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::restAbove(QWidget& part) {
    m_above = &part;
    follow(part);
}

void MessageBar::follow(QWidget& part) {
    const auto placeIfShown = [this] {
        if (!isHidden())
            place();
    };
    onEvents(part, {QEvent::Resize, QEvent::Move, QEvent::Show, QEvent::Hide}, placeIfShown, this);
}

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(lookOf(m_kind, paletteOf(*this)).sign, 1));
    painter.setBrush(palette().color(QPalette::Window));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRounding, kRounding);
}

QRect MessageBar::placeAt(bool foot) const {
    QRect whole = parentWidget()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    if (m_above != nullptr && m_above->isVisible())
        whole.setBottom(m_above->mapTo(parentWidget(), QPoint()).y() - kMargin);
    const int width = std::min(widthOfText(), whole.width());
    const int height = std::min(layout()->totalHeightForWidth(width), whole.height());
    return {whole.left() + (whole.width() - width) / 2, foot ? whole.bottom() - height + 1 : whole.top(), width,
            height};
}

// The card is only as wide as its longest line, at most kReadWell characters, because it covers the picture.
int MessageBar::widthOfText() const {
    const QFontMetrics metrics = m_text->fontMetrics();
    int longest = 0;
    for (const QString& line : m_text->text().split(QLatin1Char('\n')))
        longest = std::max(longest, metrics.horizontalAdvance(line));
    const int others = layout()->sizeHint().width() - m_text->sizeHint().width();
    return std::min(longest, metrics.averageCharWidth() * kReadWell) + metrics.averageCharWidth() + others;
}

void MessageBar::applyColors() {
    const Palette& colors = paletteOf(*parentWidget());
    const Look look = lookOf(m_kind, colors);
    QPalette own = parentWidget()->palette();
    own.setColor(QPalette::Window, look.wash);
    setPalette(own);
    m_icon->setPixmap(tintedIcon(look.icon, look.sign).pixmap(16, 16));
    m_close->setIcon(tintedIcon(QStringLiteral("close"), colors.ink));
}

}  // namespace ui
