#pragma once

#include "data/model/model_run.h"

#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// The time of a model under each policy: a bar of parts that add up to the total, and beside it the total, its share
/// of exposed communication, and the speed-ups over sequential of the model and of its sub-layers (geometric mean). A
/// click or the arrow keys choose a policy.
class BreakdownBars final : public QWidget {
    Q_OBJECT

public:
    explicit BreakdownBars(QWidget* parent = nullptr);

    void showRun(std::shared_ptr<const data::ModelRun> run, std::size_t policy);
    void setStale(bool stale);
    std::size_t policy() const { return m_policy; }
    /// Returns the rectangle of a part of a bar, in the widget's coordinates; empty if the part has no time.
    QRectF segment(std::size_t policy, std::size_t part) const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void policyChosen(std::size_t policy);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Columns {
        QRectF bar;  ///< the area of the first row's bar
        double name = 0, total = 0, share = 0, speedup = 0,
               geomean = 0;  ///< right edges of the columns; for the name its left edge
    };

    double line() const;
    double rowHeight() const;
    double rowTop(std::size_t row) const;
    std::optional<std::size_t> rowAt(QPointF point) const;
    Columns columns() const;
    void choose(std::size_t policy);
    void paintHead(QPainter& painter, const Columns& at) const;
    void paintRow(QPainter& painter, std::size_t row, const Columns& at) const;
    void paintLegend(QPainter& painter) const;
    /// Returns the parts that occur under at least one policy.
    std::vector<std::size_t> partsThere() const;
    QString rowText(std::size_t row) const;

    std::shared_ptr<const data::ModelRun> m_run;
    std::size_t m_policy = 0;
    bool m_stale = false;
};

}  // namespace ui
