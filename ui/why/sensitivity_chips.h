#pragma once

#include "data/questions/sensitivity.h"
#include "data/replay/shown_run.h"
#include "ui/shared/worker.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QThread>
#include <QWidget>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace ui {

/// Describes a change: "+10 % link bandwidth per direction", "algorithm direct, not ring".
QString changeText(const data::Sensitivity& sensitivity);
/// Formats the change of the total: "−4.1 %"; small effects have more digits.
QString effectText(double effect);
/// Formats the noise between seeds: "±0.6 %"; empty if it is negligible.
QString noiseText(const data::Sensitivity& sensitivity);
/// Returns the changes that make the run shorter, with the best value of each parameter only, sorted by effect.
std::vector<data::Sensitivity> whatHelps(const data::SensitivityReport& report);
/// Describes the effort of a report: "41 runs, mean of 5 seeds; the total itself varies by 2.3 % between seeds."
QString reportText(const data::SensitivityReport& report);
/// Explains a chip in full, for tool tips and screen readers.
QString sensitivityText(const data::Sensitivity& sensitivity);

/// How sensitivities are computed. Fixed before the session starts.
struct SensitivitySessionConfig {
    using Find = std::function<data::SensitivityReport(const engine::Experiment&, const data::SensitivityOptions&)>;

    using Look = std::function<data::SensitivityOutlook(const engine::Experiment&, const data::SensitivityOptions&)>;

    int threads = QThread::idealThreadCount();
    Find find{};  ///< empty: data::sensitivityOf
    Look look{};  ///< estimates the effort of `find`; empty: data::outlookOf, or no estimate if `find` is set
    std::chrono::milliseconds unasked{2'000};  ///< time limit for work that the user has not asked for
};

/// Computes how the total changes with each parameter, on a worker thread; only the newest request counts. Caches the
/// last reports, so that returning to an experiment costs nothing.
class SensitivitySession final : public QObject {
    Q_OBJECT

public:
    explicit SensitivitySession(SensitivitySessionConfig config = {}, QObject* parent = nullptr);

    enum class Asked { no, yes };

    /// Starts a computation and cancels one in progress. If the user has not asked for the work and it would take long,
    /// it ends with `takesLong`.
    void start(const engine::Experiment& experiment, Asked asked);
    /// Cancels the work. isRunning() is false at once; the worker stops at its next poll.
    void cancel() { m_worker.cancel(); }
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void started();
    /// `secondsLeft` is negative while it is unknown.
    void progressChanged(double fraction, int secondsLeft);
    void found(std::shared_ptr<const data::SensitivityReport> report);
    void failed(const QString& text);
    /// The work was not started, or was ended, because it takes long: the user has to ask for it.
    void takesLong(const data::SensitivityOutlook& outlook);

private:
    using Report = std::shared_ptr<const data::SensitivityReport>;
    void find(const engine::Experiment& experiment, Asked asked, const Worker::Ticket& ticket);
    void remember(const engine::Experiment& experiment, const Report& report);
    void reportProgress(double fraction);

    SensitivitySessionConfig m_config;
    QElapsedTimer m_time;
    Asked m_asked = Asked::no;
    std::vector<std::pair<engine::Experiment, Report>> m_remembered;  // cached reports, the newest last
    Worker m_worker;                                                  // last: it is destroyed first
};

/// One parameter and its effect on the total: "+10 % link bandwidth  −4.1 % ±0.6 %", in the colour of the cause that it
/// acts on.
class SensitivityChip final : public QAbstractButton {
    Q_OBJECT

public:
    /// `largest` is the largest effect of all chips, the full scale of the bar behind the text.
    SensitivityChip(data::Sensitivity sensitivity, double largest, QWidget* parent);

    const data::Sensitivity& sensitivity() const { return m_sensitivity; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintWords(QPainter& painter, const QRectF& words) const;
    double oneLine() const;  ///< width of the whole text on one line

    data::Sensitivity m_sensitivity;
    double m_largest;
};

/// The changes that make the shown run shorter, the best first. They are computed in the background once a run has
/// settled, while the widget is visible and only if that is quick; otherwise a button says how long it takes. The
/// computation stops at once when the widget is hidden or a run starts.
class SensitivityChips final : public QWidget {
    Q_OBJECT

public:
    explicit SensitivityChips(SensitivitySessionConfig config, QWidget* parent = nullptr);

    /// Sets the run; null before the first one. A preview clears the results; the run that follows it starts a new
    /// computation.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Stops the computation and removes the chips, because an edit starts a run that needs the processors.
    void stop();
    const SensitivitySession& session() const { return m_session; }
    QString note() const;
    /// Returns the button that starts a long computation; hidden if none is needed.
    const QPushButton* findButton() const { return m_find; }
    const QToolButton* stopButton() const { return m_stop; }
    std::vector<const SensitivityChip*> chips() const;

Q_SIGNALS:
    void parameterChosen(const QString& path);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void connectSession();
    void begin(SensitivitySession::Asked asked);
    void offer(const QString& text);
    void showReport(const data::SensitivityReport& report);
    void showNote(const QString& text, bool busy);
    void clearChips();
    void showMore(bool all);

    SensitivitySession m_session;
    std::shared_ptr<const data::ShownRun> m_run;
    std::optional<engine::Experiment> m_knownOf;  ///< the experiment of the chips that are shown
    QTimer* m_settled;
    QVBoxLayout* m_rows;
    QProgressBar* m_progress;
    QLabel* m_note;
    QToolButton* m_stop;
    QPushButton* m_find;
    QToolButton* m_more;
    std::vector<SensitivityChip*> m_chips;
};

}  // namespace ui
