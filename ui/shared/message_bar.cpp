#include "ui/shared/message_bar.h"

#include "ui/shared/palette.h"
#include "ui/shared/tinted_icon.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace ui {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_remedy(new QToolButton(this)),
      m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    setAutoFillBackground(true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
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
}

void MessageBar::showMessage(Kind kind, const QString& text) { showMessage(kind, text, {}, {}); }

void MessageBar::showMessage(Kind kind, const QString& text, const QString& remedy, std::function<void()> action) {
    m_kind = kind;
    m_action = std::move(action);
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
    m_text->setText(text);
    m_text->setAccessibleName(text);
    applyColors();
    show();
}

void MessageBar::clear() {
    m_text->clear();
    hide();
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ParentChange || event->type() == QEvent::ApplicationPaletteChange)
        applyColors();
}

void MessageBar::applyColors() {
    const Palette& colors = paletteOf(parentWidget() != nullptr ? *parentWidget() : *this);
    QPalette own = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    // The bar keeps the theme's ink; its colour is a wash, so that long text stays readable.
    own.setColor(QPalette::Window, m_kind == Kind::error ? (colors.theme == Theme::dark ? QColor(0x45, 0x22, 0x1b)
                                                                                        : QColor(0xfd, 0xe7, 0xe1))
                                                         : colors.notice);
    setPalette(own);
    const QColor sign = m_kind == Kind::error ? colors.error : colors.of(Role::exposed);
    m_icon->setPixmap(tintedIcon(QStringLiteral("warning"), sign).pixmap(16, 16));
    m_close->setIcon(tintedIcon(QStringLiteral("close"), colors.ink));
}

}  // namespace ui
