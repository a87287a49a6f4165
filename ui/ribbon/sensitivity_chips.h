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

/// "+10 % link bandwidth per direction", "algorithm direct, not ring": what is changed, and how.
QString changeText(const data::Sensitivity& sensitivity);
/// "−4.1 %"; more digits where it is little.
QString effectText(double effect);
/// "±0.6 %"; empty where it is negligible.
QString noiseText(const data::Sensitivity& sensitivity);
/// What helps, of each parameter the value that helps most, the best first.
std::vector<data::Sensitivity> whatHelps(const data::SensitivityReport& report);
/// "41 runs, mean of 5 seeds; the total itself varies by 2.3 % between seeds."
QString reportText(const data::SensitivityReport& report);
/// What a chip means, in full: for tooltips and screen readers.
QString sensitivityText(const data::Sensitivity& sensitivity);

/// How sensitivities are found. Fixed before the session starts.
struct SensitivitySessionConfig {
    using Find = std::function<data::SensitivityReport(const engine::Experiment&, const data::SensitivityOptions&)>;

    using Look = std::function<data::SensitivityOutlook(const engine::Experiment&, const data::SensitivityOptions&)>;

    int threads = QThread::idealThreadCount();
    Find find{};  ///< empty: data::sensitivityOf
    Look look{};  ///< what `find` would take; empty: data::outlookOf, nothing where `find` is given
    std::chrono::milliseconds unasked{2'000};  ///< work that nobody has asked for ends after this
};

/// Finds how the total answers to each parameter, on one thread of its own; only the newest request counts.
/// Remembers the last reports, so that going back to an experiment costs nothing.
class SensitivitySession final : public QObject {
    Q_OBJECT

public:
    explicit SensitivitySession(SensitivitySessionConfig config = {}, QObject* parent = nullptr);

    enum class Asked { no, yes };

    /// Replaces what is under way. What nobody has asked for and takes longer than a moment ends with `takesLong`.
    void start(const engine::Experiment& experiment, Asked asked);
    /// At once for whoever asks; the worker follows at its next poll.
    void cancel() { m_worker.cancel(); }
    bool isRunning() const { return m_worker.isRunning(); }

Q_SIGNALS:
    void started();
    /// `secondsLeft` is negative while nobody can tell.
    void progressChanged(double fraction, int secondsLeft);
    void found(std::shared_ptr<const data::SensitivityReport> report);
    void failed(const QString& text);
    /// Nothing is under way any more: somebody has to ask for it.
    void takesLong(const data::SensitivityOutlook& outlook);

private:
    using Report = std::shared_ptr<const data::SensitivityReport>;
    void find(const engine::Experiment& experiment, Asked asked, const Worker::Ticket& ticket);
    void remember(const engine::Experiment& experiment, const Report& report);
    void tellProgress(double fraction);

    SensitivitySessionConfig m_config;
    QElapsedTimer m_time;
    Asked m_asked = Asked::no;
    std::vector<std::pair<engine::Experiment, Report>> m_remembered;  // the newest last
    Worker m_worker;                                                  // last: it ends first
};

/// One parameter and what the total answers: "+10 % link bandwidth  −4.1 % ±0.6 %", in the colour of the cause it acts on.
class SensitivityChip final : public QAbstractButton {
    Q_OBJECT

public:
    /// `largest` effect of all, for the bar behind the words.
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
    double oneLine() const;  ///< width of all its words side by side

    data::Sensitivity m_sensitivity;
    double m_largest;
};

/// What would help: the changes that make the run shorter, the best first, and nothing of another experiment. Found in
/// the background once a run has settled and while somebody can see it, where that takes a moment only; else a button
/// says how long it takes. Hidden, or when a run starts, it stops at once.
class SensitivityChips final : public QWidget {
    Q_OBJECT

public:
    explicit SensitivityChips(SensitivitySessionConfig config, QWidget* parent = nullptr);

    /// Null: no run yet. A preview clears what was found; the run that follows it starts anew.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// An edit is being answered: the processors belong to it.
    void stop();
    const SensitivitySession& session() const { return m_session; }
    QString note() const;
    /// Asks for what takes long; hidden where nothing does.
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
    std::optional<engine::Experiment> m_knownOf;  ///< whose chips stand here
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
