#pragma once

#include "ui/shared/shown_run.h"
#include "ui/shared/timeline_geometry.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace ui {

/// The critical path of a run as a thin band: one colour a cause, the one that most of a pixel's time went to. Stands in
/// line with the picture of the run.
class CauseBand final : public QWidget {
    Q_OBJECT

public:
    /// `geometry`: of the picture, in this widget's coordinates.
    explicit CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent = nullptr);

    /// Hidden where a run has no critical path.
    void showRun(std::shared_ptr<const ShownRun> run);
    /// What most of the time at `x` went to; nothing where no path is drawn.
    std::optional<engine::Cause> causeAt(double x) const;
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const ShownRun> m_run;
    std::function<TimelineGeometry()> m_geometry;
};

/// The cause that most of the time between two moments has; nothing outside the path.
std::optional<engine::Cause> mainCauseBetween(const engine::CriticalPath& path, std::int64_t from, std::int64_t to);

}  // namespace ui
