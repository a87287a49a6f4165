#pragma once

#include "ui/measured/measured_set.h"
#include "ui/shared/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>
#include <string>

namespace ui {

/// Reads traces of a profiler and evaluates them on a worker thread, so that the window never waits. A newer request
/// replaces an earlier one.
class MeasuredSession final : public QObject {
    Q_OBJECT

public:
    /// `classesFolder`: where the author's kernel-classes.json may be; empty: nowhere.
    explicit MeasuredSession(std::string classesFolder, QObject* parent = nullptr);

    /// Reads the files, one for each rank.
    void read(const QStringList& files);
    /// Evaluates other steps of traces that were read.
    void choose(const SharedMeasured& set, const data::StepChoice& steps);
    /// Stops reading and keeps what was read. Returns false if nothing is read.
    bool stop();
    bool isRunning() const { return m_worker.isRunning(); }
    std::optional<double> secondsLeft() const;

    /// Runs `fit` on the thread, after what is in progress.
    void fit(const data::ExperimentDraft& draft, const data::TracePair& pair);

Q_SIGNALS:
    void started();
    void progressChanged(double fraction);
    void ready(ui::SharedMeasured set);
    void fitted(std::shared_ptr<const data::PartsFit> fit);
    /// Why there is no result; an empty text: the user stopped it.
    void failed(const QString& text);

private:
    SharedMeasured readAll(const QStringList& files, const Worker::Ticket& ticket) const;

    std::string m_folder;
    QElapsedTimer m_since;
    Worker m_worker;
};

}  // namespace ui
