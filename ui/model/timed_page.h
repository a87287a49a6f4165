#pragma once

#include "ui/model/model_times.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QStackedLayout;

namespace ui {

/// A page that shows the times of the model under one policy: choosers, a headline, progress with Cancel, and the
/// page's content (the desk). While there are no times, a text replaces the desk. A page may show something else in
/// place of the times for a while.
class TimedPage : public ModelPage {
    Q_OBJECT

public:
    void ask(const ModelQuestion& question) override { m_times.ask(question, isVisible()); }
    bool isAnswered() const override { return m_showsOther || m_times.isAnswered(); }
    bool stepOut() override { return m_times.cancel() || dropSelection(); }

protected:
    /// The object names of the parts begin with `name`. `times` must outlive the page's use.
    TimedPage(ModelTimes& times, const QString& name, QWidget* parent);

    ModelTimes& times() const { return m_times; }
    /// Adds a chooser beside that of the policy.
    QComboBox* addChooser(const QString& name, const QString& text);
    /// Adds a control after the choosers; `bar()` is its parent.
    void addControl(QWidget* control);
    QWidget* bar() const { return m_bar; }
    /// Adds the desk at the end of the page. Call this once all choosers are added.
    void setDesk(QWidget* desk);
    /// Returns a scroll area with a rich-text label, which is stored in `label`; `spoken` is its accessible name.
    QScrollArea* newDetails(QWidget* parent, QLabel*& label, const QString& name, const QString& spoken);

    /// Shows another headline for the same times.
    void setHeadline(const QString& text);
    /// Shows the desk with something other than the times, without choosers and progress, until showTimesAgain().
    void showOther(const QString& headline);
    void showTimesAgain();

    /// Shows times().shown(), which is not null, under the selected policy; returns the headline.
    virtual QString showTimes() = 0;
    virtual void setStale(bool stale) = 0;
    /// Clears the selection; returns false if nothing is selected.
    virtual bool dropSelection() = 0;
    void showEvent(QShowEvent* event) override;

private:
    void buildBar(const QString& name);
    void showState();
    void showAnswer();

    ModelTimes& m_times;
    std::shared_ptr<const data::ModelRun> m_drawn;  ///< the run that the desk shows
    std::optional<engine::PolicyPreset> m_drawnPolicy;
    QWidget* m_bar = nullptr;
    bool m_showsOther = false;  ///< the desk shows something other than the times
    QWidget* m_chooserBox = nullptr;
    QHBoxLayout* m_choosers = nullptr;
    QComboBox* m_policies = nullptr;
    QLabel* m_headline = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_cancel = nullptr;
    QStackedLayout* m_pages;
    QLabel* m_words = nullptr;
};

}  // namespace ui
