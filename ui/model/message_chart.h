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

/// The picture of the page Messages: the number of messages and the sent bytes over the size of a message, all axes
/// logarithmic. Each row of messages has a mark in both panels, with shape and colour by group. A click or the arrow
/// keys choose a row.
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
    /// Returns the position of a row's mark.
    QPointF markOf(Panel panel, std::size_t row) const;
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
    double line() const;
    QRectF plotOf(Panel panel) const;
    Decades decadesOf(double (*valueOf)(const engine::MessageRow&)) const;
    std::optional<std::size_t> rowAt(QPointF point) const;
    /// Returns the rows in the order of the arrow keys: from left to right, then from bottom to top.
    std::vector<std::size_t> order() const;
    Tip tipAt(QPoint place) const;
    void describe();
    void paintPanel(QPainter& painter, Panel panel, const Palette& colors) const;
    void paintAxes(QPainter& painter, Panel panel, const QRectF& plot, const Palette& colors) const;
    void paintMark(QPainter& painter, QPointF centre, std::size_t row, const Palette& colors) const;
    void paintLabels(QPainter& painter, Panel panel, const QRectF& plot, const Palette& colors) const;
    void paintLegend(QPainter& painter, const Palette& colors) const;

    MessageFacts m_facts;
    std::optional<std::size_t> m_chosen;
};

}  // namespace ui
