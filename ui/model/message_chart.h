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

/// The picture of the page Messages: how many messages and how many sent bytes there are over the size of a message, all
/// axes logarithmic. A mark for each row of messages in both panels, shape and colour by group. A click or the arrows
/// choose a row.
class MessageChart final : public QWidget {
    Q_OBJECT

public:
    enum class Panel : std::uint8_t { count, sent };

    explicit MessageChart(QWidget* parent = nullptr);

    /// The chosen row stays chosen where there still are as many rows.
    void showFacts(MessageFacts facts);
    const MessageFacts& facts() const { return m_facts; }
    std::optional<std::size_t> chosen() const { return m_chosen; }
    void choose(std::optional<std::size_t> row);
    /// Returns where the mark of a row stands.
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
    /// Decimal logarithms of an axis' ends.
    struct Decades {
        double from = 0, to = 1;
        double shareOf(double logarithm) const { return (logarithm - from) / (to - from); }
    };

    const std::vector<engine::MessageRow>& rows() const { return m_facts.messages.rows; }
    double line() const;
    QRectF plotOf(Panel panel) const;
    Decades decadesOf(double (*valueOf)(const engine::MessageRow&)) const;
    std::optional<std::size_t> rowAt(QPointF point) const;
    /// Rows from left to right, then from the bottom: the order of the arrows.
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
