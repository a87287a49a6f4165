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

/// One line above the timeline: what happens at the cursor, in words, and whether the picture still belongs
/// to the settings.
class CaptionLine final : public QWidget {
    Q_OBJECT

public:
    /// `viewState` must outlive the line.
    explicit CaptionLine(ViewState& viewState, QWidget* parent = nullptr);

    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Of the run that is shown; null while there is none.
    void setLog(std::shared_ptr<const data::RunLog> log);
    /// Why playing has stopped here; until the cursor moves.
    void showStop(const QString& text);
    /// Says that the picture shows other settings than the form, and what to do about it; empty: it shows the same.
    void showStale(const QString& advice, const QString& toolTip = {});
    QString text() const;
    /// Everything that could be told, the most telling first; the line shows what there is room for.
    const QStringList& parts() const { return m_parts; }
    /// False where another place tells it.
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
