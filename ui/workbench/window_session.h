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

/// Has the session kept a moment after the last change, so that a crash or a power cut costs a second of work. A person
/// changes things with keys, pointer and drops only, all of which it sees by itself; what comes about otherwise is told.
/// While changes follow each other it is kept now and then. Nothing runs when nothing changes.
class SessionKeeper final : public QObject {
    Q_OBJECT

public:
    /// `save` compares with what it wrote last: not every click changes something.
    explicit SessionKeeper(std::function<void()> save, QObject* parent = nullptr);

    void noteChange();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QTimer m_rest;            // until nothing has changed for a moment
    QElapsedTimer m_waiting;  // since the first change that is not kept yet
};

class MessageBar;
class PanelHost;
class WindowSettings;
class WindowViews;

/// What the next start restores: the sections of the session's file, the window's place on the screen and its layout.
/// A start that did not get as far as its first run is followed by one that restores nothing until it is asked to.
class WindowSession final : public QObject {
    Q_OBJECT

public:
    struct Config {
        QString file;                    ///< empty: nothing is kept
        bool restoresExperiment = true;  ///< false: another experiment was asked for than that of the last session
    };

    /// All but the configuration must outlive the session.
    WindowSession(Config config, QMainWindow& window, WindowSettings& settings, PanelHost& panels, WindowViews& views,
                  MessageBar& messages);

    void add(SessionPart part) { m_parts.add(std::move(part)); }
    bool restoresExperiment() const { return m_config.restoresExperiment; }

    /// Restores the last session and calls `run`, which starts the first run.
    void start(const std::function<void()>& run);
    /// Call when a run has come to its end: restores what belongs to the first run, and begins to keep the session.
    /// `shown`: whether a run is shown.
    void endStart(bool shown);
    /// The session is written a moment later.
    void noteChange();
    /// While `held` returns true, nothing is written but by save().
    void holdWhile(std::function<bool()> held) { m_held = std::move(held); }
    /// Writes the session now.
    void save();
    /// Writes the session for good: the window closes.
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
    std::optional<QJsonObject> m_written;  ///< sections that the file has
    QByteArray m_placeWritten;             ///< geometry and docks that the settings have
    bool m_fails = false;                  ///< the file could not be written, and a message said so
    QJsonObject m_toCome;                  ///< sections that wait for the first run
    QStringList m_leftOut;                 ///< what was not understood, for one message
};

}  // namespace ui
