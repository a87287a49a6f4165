#pragma once

#include <QFrame>

#include <functional>

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
    /// With a button for what can be done about it; the message goes once that was chosen.
    void showMessage(Kind kind, const QString& text, const QString& remedy, std::function<void()> action);
    void clear();
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyColors();

    Kind m_kind = Kind::notice;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_remedy;
    std::function<void()> m_action;
    QToolButton* m_close;
};

}  // namespace ui
