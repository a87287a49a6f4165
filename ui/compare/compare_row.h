#pragma once

#include "data/replay/cause_index.h"
#include "data/replay/shown_run.h"
#include "ui/look/palette.h"
#include "ui/look/timeline_geometry.h"
#include "ui/shared/run_picture.h"
#include "ui/shared/view_state.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QMenu;
class QStackedLayout;
class QToolButton;

namespace ui {

/// The critical path of a run as a thin ribbon, aligned with the picture of the run.
class CauseBand final : public QWidget {
    Q_OBJECT

public:
    /// `geometry` returns the picture's geometry in this widget's coordinates.
    explicit CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent = nullptr);

    /// Sets the run; the band is hidden if the run has no critical path.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// Returns the cause that took most of the time at `x`; an empty optional if no path is drawn there.
    std::optional<engine::Cause> causeAt(double x) const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString wordsAt(double x) const;

    std::shared_ptr<const data::ShownRun> m_run;
    data::CauseIndex m_causes;
    std::function<TimelineGeometry()> m_geometry;
};

/// The texts of a row.
struct CompareRowText {
    QString letter;   ///< "A"
    QString name;     ///< "T3-MCA"
    QString total;    ///< "1.234 ms"; empty before there is a total
    QString against;  ///< "▼ −12.3 % against A"
    bool better = false, worse = false;
    QString remark;  ///< why there is no newer run, or a note about the run
    bool failed = false;
    std::string policy;  ///< the policy whose colour the row has
};

/// One of the compared runs: name, numbers, critical path and picture. It has a view state of its own, in its run's
/// time.
class CompareRow final : public QWidget {
    Q_OBJECT

public:
    CompareRow(const RunPictureFactory& pictures, QWidget* parent = nullptr);
    ~CompareRow() override;

    ViewState& state() { return m_state; }
    const ViewState& state() const { return m_state; }
    RunPicture& picture() { return *m_picture; }
    void showRun(std::shared_ptr<const data::ShownRun> run);
    void showText(const CompareRowText& text);
    const CompareRowText& text() const { return m_text; }
    /// Sets the actions for the run, which are in the menu of its button.
    void setActions(const QList<QAction*>& actions);

Q_SIGNALS:
    void removeRequested();
    void momentRequested(qint64 ps);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void buildHead();
    void applyColors();

    ViewState m_state;
    CompareRowText m_text;
    std::shared_ptr<const data::ShownRun> m_run;
    QWidget* m_head;
    QLabel *m_letter, *m_name, *m_total, *m_against, *m_remark;
    QToolButton *m_more, *m_remove;
    QMenu* m_menu;
    CauseBand* m_band;
    QLabel* m_words;
    QStackedLayout* m_pages;
    std::unique_ptr<RunPicture> m_picture;  // uses m_state, so it is destroyed first
};

}  // namespace ui
