#pragma once

#include <QString>
#include <QWidget>

#include <map>

class QHBoxLayout;
class QTimer;
class QVBoxLayout;

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

class Pictures;

/// The view Explore: the pictures of one run, and the rows above and beneath them that features put there.
class ExplorePage final : public QWidget {
    Q_OBJECT

public:
    /// Where a row stands: above the pictures from the top down, then beneath them.
    enum class Row { transport, caption, find, ghost, headlines };

    explicit ExplorePage(QWidget* parent = nullptr);

    Pictures& pictures() { return *m_pictures; }
    Veil& veil() { return *m_veil; }
    /// Puts a widget into a row, also one that was elsewhere meanwhile. The caption stands beside the switch of pictures.
    void setRow(Row row, QWidget* widget);

private:
    Pictures* m_pictures;
    Veil* m_veil;
    QVBoxLayout* m_column;
    QHBoxLayout* m_captionRow;
    std::map<Row, QWidget*> m_rows;
};

}  // namespace ui
