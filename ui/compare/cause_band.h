#pragma once

#include "data/replay/cause_index.h"
#include "data/replay/shown_run.h"
#include "ui/look/timeline_geometry.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

namespace ui {

/// The critical path of a run as a thin ribbon, in line with the picture of the run.
class CauseBand final : public QWidget {
    Q_OBJECT

public:
    /// `geometry`: of the picture, in this widget's coordinates.
    explicit CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent = nullptr);

    /// Hidden where a run has no critical path.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// What most of the time at `x` went to; nothing where no path is drawn.
    std::optional<engine::Cause> causeAt(double x) const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString wordsAt(double x) const;

    std::shared_ptr<const data::ShownRun> m_run;
    data::CauseIndex m_causes;
    std::function<TimelineGeometry()> m_geometry;
};

}  // namespace ui
