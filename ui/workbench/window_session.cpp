#include "ui/workbench/window_session.h"

#include "ui/workbench/message_bar.h"
#include "ui/workbench/panel_host.h"
#include "ui/workbench/window_settings.h"
#include "ui/workbench/window_views.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMainWindow>

#include <utility>

namespace ui {
namespace {

constexpr int kRestMs = 1'000;
constexpr qint64 kLongestMs = 10'000;

bool mayChange(QEvent::Type type) {
    switch (type) {
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::KeyRelease:
    case QEvent::Wheel:
    case QEvent::Drop:
    case QEvent::TouchEnd: return true;
    default: return false;
    }
}

}  // namespace

SessionKeeper::SessionKeeper(std::function<void()> save, QObject* parent) : QObject(parent) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [save = std::move(save)] { save(); });
    QCoreApplication::instance()->installEventFilter(this);
}

void SessionKeeper::noteChange() {
    if (!m_rest.isActive())
        m_waiting.start();
    if (!m_rest.isActive() || m_waiting.elapsed() < kLongestMs)
        m_rest.start();
}

bool SessionKeeper::eventFilter(QObject* watched, QEvent* event) {
    if (watched->isWidgetType() && mayChange(event->type()))
        noteChange();
    return false;
}

WindowSession::WindowSession(Config config, QMainWindow& window, WindowSettings& settings, PanelHost& panels,
                             WindowViews& views, MessageBar& messages)
    : m_config(std::move(config)), m_window(window), m_settings(settings), m_panels(panels), m_views(views),
      m_messages(messages), m_file(m_config.file) {}

void WindowSession::start(const std::function<void()>& run) {
    const bool failed = m_file.lastStartFailed();
    // Reads both files now, because they are overwritten before the user may ask to restore their content.
    const Kept kept{m_file.read(), m_settings.geometry(), m_settings.docks()};
    m_file.beginStart();
    if (!failed)
        restore(kept);
    run();
    if (failed) {
        m_messages.showMessage(MessageBar::Kind::notice,
                               tr("The last start did not finish its first run, so the last session and layout were "
                                  "not restored."),
                               tr("Restore Anyway"), [this, kept, run] {
                                   m_file.beginStart();
                                   restore(kept);
                                   run();
                               });
    }
}

void WindowSession::restore(const Kept& kept) {
    // Qt refuses invalid data and leaves geometry and layout unchanged.
    m_window.restoreGeometry(kept.geometry);
    m_panels.restore(kept.docks);
    const SessionFile::Reading& reading = kept.file;
    m_toCome = reading.sections;
    m_leftOut = m_parts.strangers(reading.sections);
    m_leftOut += m_parts.restore(SessionScope::window, reading.sections);
    if (!m_config.restoresExperiment || m_leftOut.contains(QStringLiteral("experiment")))
        m_toCome = {};
    if (!reading.problem.isEmpty())
        m_leftOut << reading.problem;
}

void WindowSession::endStart(bool shown) {
    m_file.endStart();
    if (!shown)
        m_toCome = {};
    m_leftOut += m_parts.restore(SessionScope::experiment, std::exchange(m_toCome, {}));
    if (!m_leftOut.isEmpty()) {
        m_messages.showMessage(MessageBar::Kind::notice,
                               tr("Some parts of the last session could not be read and were not restored: %1.")
                                   .arg(m_leftOut.join(u", ")));
        m_leftOut.clear();
    }
    beginKeeping();
}

void WindowSession::beginKeeping() {
    if (m_keeper || m_config.file.isEmpty())
        return;
    m_keeper = std::make_unique<SessionKeeper>([this] {
        if (!m_held || !m_held())
            save();
    });
    noteChange();
}

void WindowSession::noteChange() {
    if (m_keeper)
        m_keeper->noteChange();
}

void WindowSession::save() {
    keepPlace();
    QJsonObject sections = m_parts.save();
    // If the window closes before the first run, the sections that wait for that run are kept.
    for (auto part = m_toCome.constBegin(); part != m_toCome.constEnd(); ++part) {
        if (!sections.contains(part.key()))
            sections.insert(part.key(), part.value());
    }
    if (m_written == sections)
        return;
    if (m_file.write(sections)) {
        m_written = sections;
        m_fails = false;
    } else if (!std::exchange(m_fails, true)) {
        m_messages.showMessage(MessageBar::Kind::error, tr("The session cannot be saved: its file cannot be written."));
    }
}

// Saves the window's geometry and layout, but not while the panels are hidden, as in presenter mode, or move.
void WindowSession::keepPlace() {
    if (!m_panels.keep())
        return;
    // Only the layout of the first view is saved; the other views begin with their own panels at the next start.
    const QByteArray docks = m_panels.layoutBeside(m_views.all().front().name);
    const QByteArray geometry = m_window.saveGeometry();
    if (std::exchange(m_placeWritten, geometry + docks) != geometry + docks)
        m_settings.remember(geometry, docks);
}

void WindowSession::close() {
    m_keeper.reset();
    m_written.reset();  // writes the file in any case, because it may have been changed or deleted meanwhile
    save();
    m_file.endStart();
}

}  // namespace ui
