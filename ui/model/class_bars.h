#pragma once

#include "ui/model/operator_facts.h"

#include <QWidget>

namespace ui {

/// The time of the phase by operator class: a bar for each class with its share and time. The part of the selected
/// operator is framed.
class ClassBars final : public QWidget {
    Q_OBJECT

public:
    explicit ClassBars(QWidget* parent = nullptr);

    void showFacts(std::shared_ptr<const OperatorFacts> facts);
    void setStale(bool stale);
    /// Selects an operator by its row in the facts.
    void choose(std::optional<std::size_t> row);
    /// Returns the bar of facts.classes[index]; its width is relative to the longest bar.
    QRectF barOf(std::size_t index) const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double line() const;
    double rowHeight() const;
    double nameWidth() const;
    void paintRow(QPainter& painter, std::size_t index, const Palette& colors) const;

    std::shared_ptr<const OperatorFacts> m_facts;
    std::optional<std::size_t> m_chosen;
    bool m_stale = false;
};

}  // namespace ui
