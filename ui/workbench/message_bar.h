#pragma once

#include <QFrame>
#include <QPointer>

#include <functional>

class QLabel;
class QToolButton;

namespace ui {

/// A card at the bottom of its parent that reports success, a notice or an error, and stays until the user closes it.
/// It covers its parent and never moves other widgets. If the mouse pointer is at the bottom, about to press something
/// there, the card appears at the top. It is never modal, and a repeated text does not make a second message.
class MessageBar final : public QFrame {
    Q_OBJECT

public:
    enum class Kind { done, notice, error };

    /// The card lies over `parent` and is not part of its layout.
    explicit MessageBar(QWidget& parent);

    /// Shows `text` and, if `remedy` is not empty, a button with that title. The button calls `action` and closes the
    /// message.
    void showMessage(Kind kind, const QString& text, const QString& remedy = {}, std::function<void()> action = {});
    void clear();
    QString text() const;
    /// Places the card above `part`, a descendant of the parent, while that is visible, so that the numbers in `part`
    /// stay readable.
    void restAbove(QWidget& part);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void applyColors();
    QRect placeAt(bool foot) const;
    int widthOfText() const;
    void place() { setGeometry(placeAt(m_atFoot)); }
    void follow(QWidget& part);

    Kind m_kind = Kind::notice;
    bool m_atFoot = true;
    QPointer<QWidget> m_above;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_remedy;
    std::function<void()> m_action;
    QToolButton* m_close;
};

}  // namespace ui
