#pragma once

#include "data/replay/gpu_inside.h"
#include "data/replay/run_log.h"
#include "ui/shared/worker.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// Builds the log of the shown run on a worker thread. It starts after the picture of the run is painted, so that
/// building the log delays neither the picture nor its painting. Only the newest run counts.
class RunLogBuilder final : public QObject {
    Q_OBJECT

public:
    explicit RunLogBuilder(QObject* parent = nullptr);

    void showRun(std::shared_ptr<const data::ShownRun> run);

Q_SIGNALS:
    /// Reports the log and the index of the latest shown run; both are null if it has no trace. Never emitted from
    /// within showRun().
    void built(std::shared_ptr<const data::RunLog> log, std::shared_ptr<const data::InsideIndex> inside);
    /// Emitted when every part has received the log.
    void settled();

private:
    void build();

    std::shared_ptr<const data::ShownRun> m_next;  ///< the run whose log is built next
    QTimer m_painted;                              ///< fires after the events that paint
    Worker m_worker;
};

}  // namespace ui
