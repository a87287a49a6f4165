#pragma once

#include "data/replay/gpu_inside.h"
#include "data/replay/run_log.h"
#include "ui/shared/worker.h"

#include <QObject>

#include <memory>

namespace data {
struct ShownRun;
}  // namespace data

namespace ui {

/// Builds the log of the run that is shown, on a thread of its own and after the picture: from a slider's movement to
/// the picture nobody waits for it. Only the newest run counts.
class RunLogBuilder final : public QObject {
    Q_OBJECT

public:
    explicit RunLogBuilder(QObject* parent = nullptr) : QObject(parent) {}

    void showRun(std::shared_ptr<const data::ShownRun> run);

Q_SIGNALS:
    /// Of the latest run that was shown; both are null where it has no trace. Never emitted from within showRun.
    void built(std::shared_ptr<const data::RunLog> log, std::shared_ptr<const data::InsideIndex> inside);
    /// Every part has taken the log that was built.
    void settled();

private:
    Worker m_worker;
};

}  // namespace ui
