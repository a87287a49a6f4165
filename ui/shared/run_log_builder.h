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

/// Builds the log of the run that is shown, on a thread of its own. Begins once the picture of the run is painted, so that
/// the picture does not wait for the log, and the log takes no processor from it. Only the newest run counts.
class RunLogBuilder final : public QObject {
    Q_OBJECT

public:
    explicit RunLogBuilder(QObject* parent = nullptr);

    void showRun(std::shared_ptr<const data::ShownRun> run);

Q_SIGNALS:
    /// Of the latest run that was shown; both are null where it has no trace. Never emitted from within showRun.
    void built(std::shared_ptr<const data::RunLog> log, std::shared_ptr<const data::InsideIndex> inside);
    /// Every part has taken the log that was built.
    void settled();

private:
    void build();

    std::shared_ptr<const data::ShownRun> m_next;  ///< whose log is built next
    QTimer m_painted;                              ///< fires after the events that paint
    Worker m_worker;
};

}  // namespace ui
