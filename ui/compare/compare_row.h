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

/// The critical path of a run as a thin ribbon, in line with the picture of the run.
class CauseBand final : public QWidget {
    Q_OBJECT

public:
    /// `geometry`: of the picture, in this widget's coordinates.
    explicit CauseBand(std::function<TimelineGeometry()> geometry, QWidget* parent = nullptr);

    /// Hidden where a run has no critical path.
    void showRun(std::shared_ptr<const data::ShownRun> run);
    /// What most of the time at `x` went to; nothing where no path is drawn.
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

/// What a row says of its run.
struct CompareRowText {
    QString letter;   ///< "A"
    QString name;     ///< "T3-MCA"
    QString total;    ///< "1.234 ms"; empty before there is one
    QString against;  ///< "▼ −12.3 % against A"
    bool better = false, worse = false;
    QString remark;  ///< why there is no other run, or what kind of run it is
    bool failed = false;
    std::string policy;  ///< whose colour it has
};

/// One of the compared runs: which it is and how it does, why it waits, and its picture. Has a view state of its own, in
/// its run's time.
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
    /// What can be done with it, for the button in its head.
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
    std::unique_ptr<RunPicture> m_picture;  // looks at the state: it goes first
};

}  // namespace ui
