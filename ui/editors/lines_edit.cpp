#include "ui/editors/lines_edit.h"

#include "ui/look/widget_parts.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTextDocument>

#include <algorithm>

namespace ui {

LinesEdit::LinesEdit(int longest, QWidget* parent) : QPlainTextEdit(parent), m_longest(longest) {
    constexpr int kLines = 7;
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setAcceptDrops(false);  // a dropped document opens in the window
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFixedHeight(fontMetrics().lineSpacing() * kLines + horizontalScrollBar()->sizeHint().height() +
                   2 * (frameWidth() + static_cast<int>(document()->documentMargin())));
    // Escape first gives up what was typed; after that it is the window's.
    keepKeys(*this, [this](const QKeyEvent& key) { return key.key() == Qt::Key_Escape && isModified(); });
    connect(this, &QPlainTextEdit::textChanged, this, &LinesEdit::textEdited);
}

void LinesEdit::setText(const QString& text) {
    const QSignalBlocker quiet(this);
    const int seen = verticalScrollBar()->value();
    setPlainText(text);
    verticalScrollBar()->setValue(seen);
    setModified(false);
}

bool LinesEdit::isModified() const { return document()->isModified(); }

void LinesEdit::setModified(bool modified) { document()->setModified(modified); }

void LinesEdit::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        Q_EMIT editingFinished();
}

void LinesEdit::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && isModified()) {
        Q_EMIT escaped();
        return;
    }
    if (!event->text().isEmpty() && toPlainText().size() >= m_longest && event->text().at(0).isPrint())
        return;
    QPlainTextEdit::keyPressEvent(event);
}

void LinesEdit::insertFromMimeData(const QMimeData* source) {
    insertPlainText(source->text().left(std::max<qsizetype>(0, m_longest - toPlainText().size())));
}

}  // namespace ui
