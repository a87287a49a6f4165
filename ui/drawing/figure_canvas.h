#pragma once

#include "ui/drawing/figure_layout.h"

#include <QPixmap>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// What a place of a picture shows: a value of a panel, or a row of bars beside its bar.
struct FigureHit {
    std::size_t panel = 0, row = 0;
    std::optional<std::size_t> series;  ///< empty: beside the bar
    bool operator==(const FigureHit&) const = default;
};

/// Shows a figure in the window, laid out for the size, the font and the theme of the widget. The picture is laid out
/// and drawn again only if one of them or the figure changes. A value or a row that is pointed at is marked and has a
/// tool tip; a click or the arrow keys choose one.
class FigureCanvas final : public QWidget {
    Q_OBJECT

public:
    struct Content {
        data::FigureSpec figure;
        std::optional<RowOptions> rows{};
        /// What can be chosen, in words for tool tips and screen readers: semicolons separate lines of a tool tip.
        /// Empty: the rows of the first mark's table.
        QStringList choices{};
        QString summary{};  ///< what a screen reader says while nothing is chosen; empty: all choices
        /// For each panel, the choice that each of its rows stands for; without an entry, row n stands for choice n.
        std::vector<std::vector<std::size_t>> choiceOfRow{};
        int leastWidth = 18;  ///< of the widget, in lines of text
        bool square = false;  ///< the picture is about as wide as high, because its axes are alike
        /// The order of the arrow keys, for charts from left to right, so that Right and Up go to the next one; empty:
        /// that of the choices.
        std::vector<std::size_t> order{};
        bool downIsNext = false;  ///< the order is that of a list: Right and Down go to the next one
    };

    /// `name` is the object name, `spoken` what a screen reader says.
    FigureCanvas(const QString& name, const QString& spoken, QWidget* parent = nullptr);

    /// Shows other content. The choice stays if there are as many choices as before.
    void showContent(Content content);
    const data::FigureSpec& figure() const { return m_content.figure; }
    /// Sets the text that is shown while the figure has no panels.
    void setEmptyText(const QString& text) { m_emptyText = text; }
    /// Shows the picture paler, while its numbers are computed again.
    void setStale(bool stale);
    /// What a click and the keys choose: nothing, one value after the other, or one or, by a click beside them, none.
    enum class Choosing : std::uint8_t { nothing, one, oneOrNone };
    void setChoosing(Choosing choosing);
    /// Replaces tool tips; an empty text stands for the words of the choice.
    void setTips(std::function<QString(const FigureHit&)> tipOf) { m_tipOf = std::move(tipOf); }
    /// Paints over the picture.
    void setOverlay(std::function<void(QPainter&)> overlay) { m_overlay = std::move(overlay); }

    std::optional<std::size_t> chosen() const { return m_chosen; }
    void choose(std::optional<std::size_t> choice);
    const LaidOutFigure& laidOut() const;
    std::optional<FigureHit> hitAt(QPointF point) const;
    std::optional<std::size_t> choiceOf(const FigureHit& hit) const;
    /// Returns the box of a value, in the widget's coordinates; an empty optional if the picture does not show it.
    std::optional<QRectF> boxOf(std::size_t panel, std::size_t row, std::size_t series) const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();
    /// Emitted on Enter or a double click.
    void opened(std::size_t choice);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    double line() const;
    bool wants(const QKeyEvent& key) const;
    bool isTooSmall() const;
    std::optional<std::size_t> choiceAt(const QMouseEvent& event) const;
    void renew();
    void describe();
    void point(std::optional<FigureHit> hit);
    void paintItems(QPainter& painter, const QRectF& within) const;
    void paintPicture(QPainter& painter, const QRectF& within);
    void paintChosen(QPainter& painter) const;
    void paintPointed(QPainter& painter) const;
    /// Calls `use` with the box of each marker of a choice and the marker, and with its row without a marker.
    template <class Use>
    void forEachBox(std::size_t choice, Use use) const;

    Content m_content;
    QString m_emptyText;
    std::function<QString(const FigureHit&)> m_tipOf;
    std::function<void(QPainter&)> m_overlay;
    std::optional<std::size_t> m_chosen;
    std::optional<FigureHit> m_pointed;
    mutable std::optional<LaidOutFigure> m_laidOut;  ///< empty: has to be laid out again
    QPixmap m_picture;                               ///< null: has to be drawn again
    Choosing m_choosing = Choosing::oneOrNone;
    bool m_stale = false;
};

}  // namespace ui
