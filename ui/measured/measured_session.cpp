#include "ui/measured/measured_session.h"

#include "data/laboratory/work_progress.h"
#include "data/measured/kernel_classes.h"
#include "data/measured/trace_reading.h"
#include "engine/api/runner.h"
#include "ui/look/format.h"

#include <stdexcept>
#include <utility>

namespace ui {
namespace {

constexpr int kReadProgressMs = 50;

/// Throws the problems as one text.
void refuseAll(const engine::Problems& problems) {
    if (!problems.empty())
        throw std::runtime_error(text(problems).toStdString());
}

}  // namespace

MeasuredSession::MeasuredSession(std::string classesFolder, QObject* parent)
    : QObject(parent), m_folder(std::move(classesFolder)),
      m_worker(kReadProgressMs, [this](double fraction) { Q_EMIT progressChanged(fraction); }) {}

void MeasuredSession::read(const QStringList& files) {
    m_since.start();
    m_worker.start(
        [this, files](const Worker::Ticket& ticket) {
            const SharedMeasured set = readAll(files, ticket);
            ticket.finish([this, set] { Q_EMIT ready(set); });
        },
        [this](const QString& why) { Q_EMIT failed(why); });
    Q_EMIT started();
}

void MeasuredSession::choose(const SharedMeasured& set, const data::StepChoice& steps) {
    m_since.start();
    m_worker.start(
        [this, set, steps](const Worker::Ticket& ticket) {
            refuseAll(data::checkSteps(set->traces, steps));
            const SharedMeasured chosen = measuredSetOf(set->read, steps);
            ticket.finish([this, chosen] { Q_EMIT ready(chosen); });
        },
        [this](const QString& why) { Q_EMIT failed(why); });
    Q_EMIT started();
}

bool MeasuredSession::stop() {
    if (!m_worker.isRunning())
        return false;
    m_worker.requestStop();
    return true;
}

std::optional<double> MeasuredSession::secondsLeft() const {
    return data::secondsLeft(static_cast<double>(m_since.elapsed()) / 1000, m_worker.progress());
}

SharedMeasured MeasuredSession::readAll(const QStringList& files, const Worker::Ticket& ticket) const {
    data::KernelClassesReading classes = data::kernelClassesNamed({}, m_folder);
    refuseAll(classes.problems);
    data::MeasuredOptions options;
    options.classes = std::move(classes.classes);
    options.stop = ticket.stop;
    options.progress = [&ticket](double done) { ticket.setProgress(done); };
    std::vector<std::string> paths;
    for (const QString& file : files)
        paths.push_back(file.toStdString());
    data::MeasuredTraces read = data::readMeasuredFiles(paths, options);
    refuseAll(read.problems);
    return measuredSetOf(std::make_shared<const std::vector<data::MeasuredTrace>>(std::move(read.traces)), {});
}

void MeasuredSession::fit(const data::ExperimentDraft& draft, const data::TracePair& pair) {
    m_since.start();
    m_worker.start(
        [this, draft, pair](const Worker::Ticket& ticket) {
            const auto run = [&ticket](const data::ExperimentDraft& each) {
                engine::RunOptions options;
                options.stop = ticket.stop;
                return engine::run(data::runnableExperiment(each), options);
            };
            try {
                const auto fit = std::make_shared<const data::PartsFit>(data::fitParts(draft, pair, run));
                ticket.finish([this, fit] { Q_EMIT fitted(fit); });
            } catch (const engine::RunStopped&) {
                ticket.finish([this] { Q_EMIT failed({}); });
            }
        },
        [this](const QString& why) { Q_EMIT failed(why); });
    Q_EMIT started();
}

}  // namespace ui
