#include "ui/main_window.h"

#include "ui/lessons/lesson_state.h"
#include "ui/playback/breakpoint_list.h"
#include "ui/runs/runs_view.h"
#include "ui/sweep/sweep_model.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workbench/centre_views.h"
#include "ui/workbench/message_bar.h"
#include "ui/workbench/session_keeper.h"
#include "ui/workbench/window_views.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace ui {
namespace {

/// A whole number from 0 to `most`, or nothing.
std::optional<std::int64_t> numberUpTo(std::int64_t most, const QJsonValue& value) {
    const std::int64_t number = value.toInteger(-1);
    return number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

}  // namespace

void MainWindow::addSessionParts() {
    m_sessionParts.add({QStringLiteral("experiment"), SessionScope::window,
                        [this] {
                            const QByteArray text = QByteArray::fromStdString(data::writeDraft(m_experiment.draft()));
                            return QJsonDocument::fromJson(text).object();
                        },
                        [this](const QJsonValue& kept) { return restoreExperiment(kept); }});
    m_sessionParts.add({QStringLiteral("document"), SessionScope::window,
                        [this]() -> QJsonValue {
                            if (!m_experiment.origin())
                                return {};
                            return QJsonObject{{QStringLiteral("file"), m_experiment.origin()->file}};
                        },
                        [this](const QJsonValue& kept) { return restoreDocument(kept); }});
    m_sessionParts.add({QStringLiteral("windowView"), SessionScope::window,
                        [this] { return QJsonValue(m_windowViews->current()); },
                        [this](const QJsonValue& kept) { return m_windowViews->showView(kept.toString()); }});
    m_sessionParts.add({QStringLiteral("view"), SessionScope::window,
                        [this] {
                            return QJsonObject{{QStringLiteral("name"), m_views->current()},
                                               {QStringLiteral("beside"), m_views->isBeside()}};
                        },
                        [this](const QJsonValue& kept) {
                            const bool known = m_views->showView(kept[QStringLiteral("name")].toString());
                            m_views->setBeside(known && kept[QStringLiteral("beside")].toBool());
                            return known;
                        }});
    m_sessionParts.add({QStringLiteral("runs"), SessionScope::window, [this] { return m_browser->saved(); },
                        [this](const QJsonValue& kept) { return m_browser->restore(kept); }});
    m_sessionParts.add({QStringLiteral("lanes"), SessionScope::window,
                        [this] {
                            return m_timeline->arrangement() == LaneArrangement() ? QJsonValue()
                                                                                  : m_timeline->arrangement().toJson();
                        },
                        [this](const QJsonValue& kept) {
                            if (kept.isObject())
                                m_timeline->setArrangement(LaneArrangement::fromJson(kept.toObject()));
                            return kept.isObject();
                        }});
    m_sessionParts.add(
        {QStringLiteral("breakpoints"), SessionScope::experiment,
         [this] { return m_breakpoints->all().empty() ? QJsonValue() : m_breakpoints->toJson(); },
         [this](const QJsonValue& kept) { return kept.isArray() && m_breakpoints->restore(kept.toArray()); }});
    m_sessionParts.add({QStringLiteral("moment"), SessionScope::experiment, [this] { return saveMoment(); },
                        [this](const QJsonValue& kept) { return restoreMoment(kept); }});
}

bool MainWindow::restoreExperiment(const QJsonValue& kept) {
    if (!m_config.restoresExperiment)
        return true;
    const std::string text = QJsonDocument(kept.toObject()).toJson().toStdString();
    data::DraftReading reading = data::readDraft(text, "session");
    // An experiment that cannot be run would leave the window empty.
    if (!reading.problems.empty() || !data::expand(reading.draft).runnable())
        return false;
    m_experiment.setDraft(std::move(reading.draft));
    return true;
}

QJsonValue MainWindow::saveMoment() const {
    QJsonObject kept;
    if (!m_viewState.showsAll())
        kept.insert(QStringLiteral("rangePs"), QJsonArray{static_cast<qint64>(m_viewState.range().start),
                                                          static_cast<qint64>(m_viewState.range().end)});
    if (m_viewState.cursor())
        kept.insert(QStringLiteral("cursorPs"), static_cast<qint64>(*m_viewState.cursor()));
    if (m_viewState.followedChunk())
        kept.insert(QStringLiteral("chunk"), static_cast<qint64>(*m_viewState.followedChunk()));
    return kept.isEmpty() ? QJsonValue() : kept;
}

bool MainWindow::restoreMoment(const QJsonValue& kept) {
    const QJsonObject moment = kept.toObject();
    const QJsonArray range = moment.value(QStringLiteral("rangePs")).toArray();
    const std::int64_t end = m_viewState.runEnd();
    const auto from = numberUpTo(end, range.at(0)), to = numberUpTo(end, range.at(1));
    const auto cursor = numberUpTo(end, moment.value(QStringLiteral("cursorPs")));
    const auto chunk = numberUpTo(m_shown->run.experiment.parallel.tp - 1, moment.value(QStringLiteral("chunk")));
    if (!kept.isObject() || (moment.contains(QStringLiteral("rangePs")) && !(from && to && *from < *to)) ||
        (moment.contains(QStringLiteral("cursorPs")) && !cursor) ||
        (moment.contains(QStringLiteral("chunk")) && !chunk))
        return false;
    if (from && to)
        m_viewState.setRange({*from, *to});
    m_viewState.setCursor(cursor);
    m_viewState.setFollowedChunk(chunk ? std::optional(static_cast<std::uint32_t>(*chunk)) : std::nullopt);
    return true;
}

void MainWindow::startWithLastSession() {
    const bool failed = m_sessionFile.lastStartFailed();
    // Held: both files are written again before anybody asks for what they had.
    const KeptSession kept{m_sessionFile.read(), m_settings.geometry(), m_settings.docks()};
    m_sessionFile.beginStart();
    if (!failed)
        restoreSession(kept);
    startExperiment();
    if (failed) {
        m_messages->showMessage(MessageBar::Kind::notice,
                                tr("The last start did not get as far as its first run, so this one left out the last "
                                   "session and layout."),
                                tr("Restore Them Anyway"), [this, kept] {
                                    m_sessionFile.beginStart();
                                    restoreSession(kept);
                                    startExperiment();
                                });
    }
}

void MainWindow::restoreSession(const KeptSession& kept) {
    // What cannot be understood is refused by Qt and leaves the layout as it is.
    restoreGeometry(kept.geometry);
    restoreState(kept.docks);
    const SessionFile::Reading& reading = kept.file;
    m_sessionToCome = reading.sections;
    m_sessionLeftOut = m_sessionParts.strangers(reading.sections);
    m_sessionLeftOut += m_sessionParts.restore(SessionScope::window, reading.sections);
    if (!m_config.restoresExperiment || m_sessionLeftOut.contains(QStringLiteral("experiment")))
        m_sessionToCome = {};
    if (!reading.problem.isEmpty())
        m_sessionLeftOut << reading.problem;
}

void MainWindow::finishStart() {
    m_sessionFile.endStart();
    if (!m_shown)
        m_sessionToCome = {};
    m_sessionLeftOut += m_sessionParts.restore(SessionScope::experiment, std::exchange(m_sessionToCome, {}));
    if (!m_sessionLeftOut.isEmpty()) {
        m_messages->showMessage(
            MessageBar::Kind::notice,
            tr("Not all of the last session was understood, and was left out: %1.").arg(m_sessionLeftOut.join(u", ")));
        m_sessionLeftOut.clear();
    }
    keepSession();
}

void MainWindow::keepSession() {
    if (m_sessionKeeper || m_config.sessionFile.isEmpty())
        return;
    m_sessionKeeper = std::make_unique<SessionKeeper>([this] {
        // During a lesson the form holds the lesson's experiment; the reader's own was kept when it began.
        if (!m_lesson->isOpen())
            saveSession();
    });
    const auto note = [this] { m_sessionKeeper->noteChange(); };
    SessionKeeper* keeper = m_sessionKeeper.get();
    connect(&m_experiment, &ExperimentModel::changed, keeper, note);
    connect(&m_viewState, &ViewState::rangeChanged, keeper, note);
    connect(&m_viewState, &ViewState::cursorChanged, keeper, note);
    connect(&m_viewState, &ViewState::followedChunkChanged, keeper, note);
    connect(&m_bookmarks, &Bookmarks::changed, keeper, note);
    connect(m_sweep.get(), &SweepModel::changed, keeper, note);
    connect(this, &MainWindow::runShown, keeper, note);
    note();
}

void MainWindow::saveSession() {
    keepPlace();
    QJsonObject sections = m_sessionParts.save();
    // Closed before the first run was there: what waits for it is not lost.
    for (auto part = m_sessionToCome.constBegin(); part != m_sessionToCome.constEnd(); ++part) {
        if (!sections.contains(part.key()))
            sections.insert(part.key(), part.value());
    }
    if (m_sessionWritten == sections)
        return;
    if (m_sessionFile.write(sections)) {
        m_sessionWritten = sections;
        m_sessionFails = false;
    } else if (!std::exchange(m_sessionFails, true)) {
        m_messages->showMessage(MessageBar::Kind::error, tr("The session cannot be kept: its file cannot be written."));
    }
}

// The window's place on the screen and its panels; while it presents, those of before stay kept.
void MainWindow::keepPlace() {
    if (m_presents)
        return;
    keepLayout();
    // The other views begin with their own panels at the next start.
    const QByteArray& docks = m_layouts[m_windowViews->all().front().name];
    const QByteArray geometry = saveGeometry();
    if (std::exchange(m_placeWritten, geometry + docks) != geometry + docks)
        m_settings.remember(geometry, docks);
}

}  // namespace ui
