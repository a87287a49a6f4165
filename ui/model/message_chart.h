#pragma once

#include "ui/model/message_facts.h"

#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ui {

struct Palette;
struct Tip;

/// The picture of the page Messages. On the left the number of messages over the size of a message, on logarithmic axes,
/// with a mark for each row of MessageFacts::rowsBySize. On the right a bar from 0 for the bytes that are sent in each
/// row and in all, so that a factor looks like one. Marks and bars differ by group. A click or the arrow keys choose a
/// row.
class MessageChart final : public QWidget {
    Q_OBJECT

public:
    enum class Panel : std::uint8_t { count, sent };

    explicit MessageChart(QWidget* parent = nullptr);

    /// Shows other facts. The chosen row stays chosen if there are as many rows as before.
    void showFacts(MessageFacts facts);
    const MessageFacts& facts() const { return m_facts; }
    std::optional<std::size_t> chosen() const { return m_chosen; }
    void choose(std::optional<std::size_t> row);
    /// Returns the position of a row's mark on the left, or of the end of its bar on the right; an empty optional on the
    /// left for a row that is not drawn there.
    std::optional<QPointF> markOf(Panel panel, std::size_t row) const;
    /// Returns the bar that starts at 0 and stands for `sent` bytes, in this place from the top.
    QRectF barOf(std::size_t place, engine::Bytes sent) const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    /// The decimal logarithms of an axis' ends.
    struct Decades {
        double from = 0, to = 1;
        double shareOf(double logarithm) const { return (logarithm - from) / (to - from); }
    };

    const std::vector<engine::MessageRow>& rows() const { return m_facts.messages.rows; }
    bool isDrawnBySize(std::size_t row) const;
    /// A bar that stands for several rows.
    struct TotalBar {
        QString name;
        engine::Bytes sent;
        bool byGroup = false;  ///< divided by group; otherwise in one colour
    };

    double line() const;
    QRectF plotOf(Panel panel) const;
    /// Returns the bars below those of the rows: of all rows, and of what would be sent without sharding.
    std::vector<TotalBar> totals() const;
    double rowHeight() const;
    double mostSent() const;  ///< bytes of the longest bar
    double namesWidth() const;
    Decades decadesOf(double (*valueOf)(const engine::MessageRow&)) const;
    std::optional<std::size_t> rowAt(QPointF point) const;
    /// Returns the rows in the order of the arrow keys: from left to right, then from bottom to top.
    std::vector<std::size_t> order() const;
    Tip tipAt(QPoint place) const;
    void describe();
    void paintCounts(QPainter& painter, const Palette& colors) const;
    void paintTitle(QPainter& painter, const QRectF& plot, const QString& words, const Palette& colors) const;
    void paintAxes(QPainter& painter, const QRectF& plot, const Palette& colors) const;
    void paintMark(QPainter& painter, QPointF centre, std::size_t row, const Palette& colors) const;
    void paintLabels(QPainter& painter, const QRectF& plot, const Palette& colors) const;
    void paintBars(QPainter& painter, const Palette& colors) const;
    void paintBarAxis(QPainter& painter, const QRectF& plot, const Palette& colors) const;
    void paintBarTexts(QPainter& painter, std::size_t place, const QString& name, engine::Bytes sent, bool strong,
                       const Palette& colors) const;
    void paintLegend(QPainter& painter, const Palette& colors) const;

    MessageFacts m_facts;
    std::optional<std::size_t> m_chosen;
};

}  // namespace ui
