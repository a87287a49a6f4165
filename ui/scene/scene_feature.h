#pragma once

#include "data/experiment/scene_document.h"
#include "data/replay/span_ref.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace ui {

class ExperimentModel;
class Player;
class RunController;
class RunSelection;
class ViewState;
class Workbench;

/// Reads and shows scenes. A scene describes what the window shows: experiment, view, time and selection. A link
/// contains a scene as text, and the session stores the scene's time.
class SceneFeature final : public QObject {
    Q_OBJECT

public:
    /// All must outlive the feature.
    SceneFeature(Workbench& workbench, ViewState& viewState, ExperimentModel& experiment, RunController& runs,
                 RunSelection& selection, Player& player);

    /// Shows a scene. If its experiment is not the shown one, runs it first and shows the rest afterwards; a newer
    /// request for a run drops the rest. A message says which parts the run does not have.
    void showScene(const data::Scene& scene);
    /// Returns the current scene.
    data::Scene scene() const;
    /// Registers the pages of a view, which a scene can name beside the view: `show` returns false for a name that no page
    /// has, `shown` returns the name of the page that is shown.
    struct ViewPages {
        QString view;
        std::function<bool(const QString&)> show;
        std::function<QString()> shown;
    };
    void addPages(ViewPages pages) { m_pages.push_back(std::move(pages)); }
    /// What links to lessons need from the lessons.
    struct Lessons {
        std::function<std::optional<data::Scene::LessonPlace>()> shown;  ///< the current place, if a lesson is open
        std::function<void(const data::Scene::LessonPlace&)> open;
    };
    void setLessons(Lessons lessons) { m_lessons = std::move(lessons); }
    /// Opens a link text. If it cannot be opened, a message says why, and nothing changes.
    void openLink(const QString& text);
    /// Copies a link to the current scene to the clipboard; while a lesson is open, a link to its step.
    void copyLink();

private:
    void addCommands();
    void keepMoment();
    void askForLink();
    bool copy(const data::Scene& scene);
    const ViewPages* pagesOf(const QString& view) const;
    void showPage(const data::Scene& scene);
    void applyScene(const data::Scene& scene);
    void applySelection(const data::Scene::Selection& selection);
    std::optional<data::SpanRef> spanAt(const data::Scene::Selection& selection) const;

    Workbench& m_workbench;
    ViewState& m_viewState;
    ExperimentModel& m_experiment;
    RunController& m_runs;
    RunSelection& m_selection;
    Player& m_player;
    std::vector<ViewPages> m_pages;
    Lessons m_lessons;
};

}  // namespace ui
