#pragma once

#include "data/replay/shown_run.h"
#include "ui/ribbon/sensitivity_session.h"

#include <QAbstractButton>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace ui {

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
    QFont strong() const;
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
    void showEvent(QShowEvent* event) override;
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
