#pragma once

#include <QString>
#include <QWidget>

class QTimer;

namespace ui {

/// Dims a picture that is about to be replaced, and says how far that is. A run that is there in a moment never gets so
/// far that it would flicker. Lets every click through: the old picture can still be looked at.
class Veil final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kDelayMs = 250;

    /// Lies over the whole of `picture`, whose child it becomes.
    explicit Veil(QWidget& picture);

    /// Falls after the delay, unless it is lifted before.
    void drop();
    void lift();
    /// One line in its middle; empty: none.
    void say(const QString& words);
    QString words() const { return m_words; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QTimer* m_delay;
    QString m_words;
};

}  // namespace ui
