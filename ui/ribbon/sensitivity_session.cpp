#include "ui/ribbon/sensitivity_session.h"

#include "data/laboratory/work_progress.h"

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr int kSensitivityProgressMs = 100;
constexpr std::size_t kRemembered = 8;

}  // namespace

SensitivitySession::SensitivitySession(SensitivitySessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)),
      m_worker(kSensitivityProgressMs, [this](double fraction) { tellProgress(fraction); }) {
    if (!m_config.look)
        m_config.look = m_config.find ? [](const auto&, const auto&) { return data::SensitivityOutlook(); }
                                      : SensitivitySessionConfig::Look(data::outlookOf);
    if (!m_config.find)
        m_config.find = data::sensitivityOf;
}

void SensitivitySession::start(const engine::Experiment& experiment, Asked asked) {
    cancel();
    for (const auto& [known, report] : m_remembered) {
        if (known == experiment) {
            Q_EMIT found(report);
            return;
        }
    }
    m_asked = asked;
    m_worker.start([this, experiment, asked](const Worker::Ticket& ticket) { find(experiment, asked, ticket); },
                   [this](const QString& text) { Q_EMIT failed(text); });
    m_time.start();
    Q_EMIT started();
}

void SensitivitySession::tellProgress(double fraction) {
    // The estimate was wrong, or others need the processors too.
    if (m_asked == Asked::no && m_time.elapsed() > m_config.unasked.count()) {
        cancel();
        const std::chrono::milliseconds whole(
            std::llround(static_cast<double>(m_time.elapsed()) / std::max(0.01, fraction)));
        Q_EMIT takesLong({0, whole});
        return;
    }
    const auto left = data::secondsLeft(static_cast<double>(m_time.elapsed()) / 1000, fraction);
    Q_EMIT progressChanged(fraction, left ? static_cast<int>(std::ceil(*left)) : -1);
}

void SensitivitySession::find(const engine::Experiment& experiment, Asked asked, const Worker::Ticket& ticket) {
    data::SensitivityOptions options;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.progress = [ticket](double fraction) { ticket.setProgress(fraction); };
    const auto outlook = asked == Asked::no ? m_config.look(experiment, options) : data::SensitivityOutlook();
    if (outlook.estimate > m_config.unasked)
        return ticket.finish([this, outlook] { Q_EMIT takesLong(outlook); });
    const auto report = std::make_shared<const data::SensitivityReport>(m_config.find(experiment, options));
    ticket.finish([this, report, experiment] {
        remember(experiment, report);
        Q_EMIT found(report);
    });
}

void SensitivitySession::remember(const engine::Experiment& experiment, const Report& report) {
    if (m_remembered.size() == kRemembered)
        m_remembered.erase(m_remembered.begin());
    m_remembered.emplace_back(experiment, report);
}

}  // namespace ui
