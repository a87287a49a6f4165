#pragma once

#include <QString>
#include <QWidget>

#include <map>

class QHBoxLayout;
class QTimer;
class QVBoxLayout;

namespace ui {

/// An overlay that dims a picture and shows the progress while the next picture is being simulated. It appears after a
/// delay, so that it does not flicker if the new picture arrives soon. Mouse clicks pass through it, so the old picture
/// can still be used.
class WaitingOverlay final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kDelayMs = 250;

    /// Covers the whole of `picture`, which becomes its parent.
    explicit WaitingOverlay(QWidget& picture);

    /// Shows the overlay after the delay, unless stop() is called before.
    void start();
    void stop();
    /// Sets the line of text in the middle, or removes it if `text` is empty.
    void setText(const QString& text);
    QString text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QTimer* m_delay;
    QString m_text;
};

class Pictures;

/// The view Explore: the pictures of one run, with rows above and below them for the widgets of features.
class ExplorePage final : public QWidget {
    Q_OBJECT

public:
    /// The rows from the top to the bottom: transport and caption are above the pictures, the others below them.
    enum class Row { transport, caption, find, ghost, headlines };

    explicit ExplorePage(QWidget* parent = nullptr);

    Pictures& pictures() { return *m_pictures; }
    WaitingOverlay& waitingOverlay() { return *m_waitingOverlay; }
    /// Puts a widget into a row, even if it has another place now. The caption is beside the buttons that switch
    /// pictures.
    void setRow(Row row, QWidget* widget);

private:
    Pictures* m_pictures;
    WaitingOverlay* m_waitingOverlay;
    QVBoxLayout* m_column;
    QHBoxLayout* m_captionRow;
    std::map<Row, QWidget*> m_rows;
};

}  // namespace ui
