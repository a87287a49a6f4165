#pragma once

#include <QFrame>
#include <QPointer>

#include <functional>

class QLabel;
class QToolButton;

namespace ui {

/// A card that lies over the foot of its parent, says what was done or went wrong, and stays until it is closed. It never
/// moves anything else; where the pointer is at the foot, about to press something, it lies over the head instead.
/// Never modal, and one message a cause: the same text again only stays.
class MessageBar final : public QFrame {
    Q_OBJECT

public:
    enum class Kind { done, notice, error };

    /// `parent` is what the card lies over, and is in no layout of it.
    explicit MessageBar(QWidget& parent);

    /// Says `text`, with a button for what can be done about it where `remedy` is given; the message goes once that was
    /// chosen.
    void showMessage(Kind kind, const QString& text, const QString& remedy = {}, std::function<void()> action = {});
    void clear();
    QString text() const;
    /// The foot is above this descendant of the parent while it can be seen: its numbers are read all the time.
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
