#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace ui {

/// A line across the top of the centre that says what went wrong and stays until it is closed.
/// Never modal, and one message a cause: the same text again only stays.
class MessageBar final : public QFrame {
    Q_OBJECT

public:
    enum class Kind { notice, error };

    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text);
    void clear();
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColors();

    Kind m_kind = Kind::notice;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_close;
};

}  // namespace ui
