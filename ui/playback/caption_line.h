#pragma once

#include <QStringList>
#include <QWidget>

#include <memory>

class QLabel;
class QToolButton;

namespace data {
class RunLog;
struct ShownRun;
}  // namespace data

namespace ui {

class SteadyRoom;
class ViewState;

/// The caption above the timeline, which describes what happens at the cursor and shows whether the shown run has the
/// current settings. It has one line of large type, or two lines where there is little room beside it.
class CaptionLine final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the line.
    explicit CaptionLine(ViewState& viewState, QWidget* parent = nullptr);

    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Sets the log of the shown run; null while there is none.
    void setLog(std::shared_ptr<const data::RunLog> log);
    /// Shows why playback has stopped, until the cursor moves.
    void showStop(const QString& text);
    /// Shows a button whose text reports that the run has other settings than the form and what the user can do. An
    /// empty text hides the button, because the settings are the same.
    void showStale(const QString& advice, const QString& toolTip = {});
    QString text() const;
    /// Returns all parts of the text, the most informative first; the line shows as many as fit.
    const QStringList& parts() const { return m_parts; }
    /// Shows or hides the text; false while another place shows it.
    void setTextVisible(bool visible);

Q_SIGNALS:
    void runRequested();
    void said(const QStringList& parts);

private:
    void refresh();
    void fitHeight();
    void showParts(const QStringList& parts);
    QString summary() const;

    ViewState& m_viewState;
    std::shared_ptr<const data::ShownRun> m_run;
    std::shared_ptr<const data::RunLog> m_log;
    QString m_stop;
    QStringList m_parts;
    QLabel* m_text;
    SteadyRoom* m_room;
    QToolButton* m_stale;
};

}  // namespace ui
