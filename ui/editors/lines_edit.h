#pragma once

#include <QPlainTextEdit>

namespace ui {

/// A field for a text with lines, such as a network. It behaves as a QLineEdit to its owner: textEdited is emitted while
/// a person types, editingFinished when the field is left. Tab leaves the field.
class LinesEdit final : public QPlainTextEdit {
    Q_OBJECT

public:
    /// `longest`: characters that the text may have; more are not taken.
    LinesEdit(int longest, QWidget* parent);

    QString text() const { return toPlainText(); }
    /// Replaces the text; textEdited is not emitted, and isModified is false afterwards.
    void setText(const QString& text);
    bool isModified() const;
    void setModified(bool modified);

Q_SIGNALS:
    void textEdited();
    void editingFinished();
    /// Escape was pressed.
    void escaped();

protected:
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;

private:
    int m_longest;
};

}  // namespace ui
