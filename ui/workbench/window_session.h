#pragma once

#include "ui/workbench/session_file.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QMainWindow;

namespace ui {

/// Saves the session shortly after the last change, so that a crash or a power failure loses only about a second of
/// work. It notices keys, mouse and drops by itself; other causes of change must be reported to it. While changes
/// follow each other without a pause, it still saves at intervals. No timer runs when nothing changes.
class SessionKeeper final : public QObject {
    Q_OBJECT

public:
    /// `save` should compare the session with the last one that it wrote, because not every click changes it.
    explicit SessionKeeper(std::function<void()> save, QObject* parent = nullptr);

    void noteChange();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTimer m_rest;            // runs until nothing has changed for a short time
    QElapsedTimer m_waiting;  // time since the first change that is not saved yet
};

class MessageBar;
class PanelHost;
class WindowSettings;
class WindowViews;

/// What the next start restores: the sections of the session's file, the window's position on the screen and its
/// layout. If a start did not reach its first run, the next start restores nothing until the user asks for it.
class WindowSession final : public QObject {
    Q_OBJECT

public:
    struct Config {
        QString file;                    ///< empty: no session is kept
        bool restoresExperiment = true;  ///< false: another experiment than that of the last session was requested
    };

    /// All but the configuration must outlive the session.
    WindowSession(Config config, QMainWindow& window, WindowSettings& settings, PanelHost& panels, WindowViews& views,
                  MessageBar& messages);

    void add(SessionPart part) { m_parts.add(std::move(part)); }
    bool restoresExperiment() const { return m_config.restoresExperiment; }

    /// Restores the last session and calls `run`, which starts the first run.
    void start(const std::function<void()>& run);
    /// Call this when a run has ended: it restores the parts that belong to the first run, and then starts to save the
    /// session. `shown`: whether a run is shown.
    void endStart(bool shown);
    /// Schedules a save of the session.
    void noteChange();
    /// Suspends saving while `held` returns true; only save() then writes.
    void holdWhile(std::function<bool()> held) { m_held = std::move(held); }
    /// Writes the session now.
    void save();
    /// Saves the session for the last time, because the window closes.
    void close();

private:
    struct Kept {
        SessionFile::Reading file;
        QByteArray geometry, docks;
    };

    void restore(const Kept& kept);
    void beginKeeping();
    void keepPlace();

    Config m_config;
    QMainWindow& m_window;
    WindowSettings& m_settings;
    PanelHost& m_panels;
    WindowViews& m_views;
    MessageBar& m_messages;
    SessionFile m_file;
    SessionParts m_parts;
    std::unique_ptr<SessionKeeper> m_keeper;
    std::function<bool()> m_held;
    std::optional<QJsonObject> m_written;  ///< sections that the file contains
    QByteArray m_placeWritten;             ///< geometry and layout that the settings contain
    bool m_fails = false;                  ///< the file could not be written, and a message has reported this
    QJsonObject m_toCome;                  ///< sections that wait for the first run
    QStringList m_leftOut;                 ///< names of the invalid sections, collected for one message
};

}  // namespace ui
