#include "ui/ribbon/sensitivity_session.h"

#include "data/laboratory/work_progress.h"
#include "engine/api/problem.h"
#include "engine/api/runner.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <thread>

namespace ui {
namespace {

constexpr int kSensitivityProgressMs = 100;
constexpr std::size_t kRemembered = 8;

}  // namespace

SensitivitySession::SensitivitySession(SensitivitySessionConfig config, QObject* parent)
    : QObject(parent), m_config(std::move(config)), m_job(*this, kSensitivityProgressMs, [this] { tellProgress(); }) {
    if (m_config.threads <= 0)
        m_config.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
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
    m_job.start([this, experiment, asked](const NewestJob::Ticket& ticket) { find(experiment, asked, ticket); });
    m_time.start();
    Q_EMIT started();
}

void SensitivitySession::tellProgress() {
    const double fraction = m_job.progress();
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

void SensitivitySession::find(const engine::Experiment& experiment, Asked asked, const NewestJob::Ticket& ticket) {
    data::SensitivityOptions options;
    options.threads = m_config.threads;
    options.stop = ticket.stop;
    options.progress = [this, ticket](double fraction) { m_job.setProgress(ticket, fraction); };
    const auto deliver = [&](const std::function<void()>& verdict) {
        m_job.deliver(ticket, [this, verdict] {
            m_job.end();
            verdict();
        });
    };
    try {
        const auto outlook = asked == Asked::no ? m_config.look(experiment, options) : data::SensitivityOutlook();
        if (outlook.estimate > m_config.unasked)
            return deliver([this, outlook] { Q_EMIT takesLong(outlook); });
        const auto report = std::make_shared<const data::SensitivityReport>(m_config.find(experiment, options));
        deliver([this, report, experiment] {
            remember(experiment, report);
            Q_EMIT found(report);
        });
    } catch (const engine::RunStopped&) {
        return;  // whoever stopped it knows
    } catch (const std::exception& error) {
        deliver([this, text = QString::fromUtf8(error.what())] { Q_EMIT failed(text); });
    }
}

void SensitivitySession::remember(const engine::Experiment& experiment, const Report& report) {
    if (m_remembered.size() == kRemembered)
        m_remembered.erase(m_remembered.begin());
    m_remembered.emplace_back(experiment, report);
}

}  // namespace ui
