#include "ui/ringside_window.h"
#include "data/figure/view_source.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_view.h"
#include "ui/chunks/chunks_feature.h"
#include "ui/compare/compare_feature.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/comparison.h"
#include "ui/editors/experiment_feature.h"
#include "ui/editors/run_feature.h"
#include "ui/evaluations/evaluations_feature.h"
#include "ui/export/export_feature.h"
#include "ui/figure/figure_feature.h"
#include "ui/figure/figure_view.h"
#include "ui/figure/figure_writers.h"
#include "ui/find/find_feature.h"
#include "ui/inside/inside_feature.h"
#include "ui/inside/inside_view.h"
#include "ui/inspector/inspector_feature.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/inspector/selection_feature.h"
#include "ui/lessons/glossary_feature.h"
#include "ui/lessons/handout_tour.h"
#include "ui/lessons/lesson_feature.h"
#include "ui/lessons/lesson_library.h"
#include "ui/lessons/lesson_state.h"
#include "ui/machine/machine_feature.h"
#include "ui/machine/machine_view.h"
#include "ui/measured/measured_feature.h"
#include "ui/measured/measured_view.h"
#include "ui/memory/memory_feature.h"
#include "ui/memory/memory_view.h"
#include "ui/memory/memory_words.h"
#include "ui/memory/request_feature.h"
#include "ui/model/memory_page.h"
#include "ui/model/model_feature.h"
#include "ui/model/model_view.h"
#include "ui/playback/playback_feature.h"
#include "ui/playback/transport_bar.h"
#include "ui/runs/runs_feature.h"
#include "ui/scene/scene_feature.h"
#include "ui/split/split_feature.h"
#include "ui/sweep/sweep_feature.h"
#include "ui/timeline/compared_timeline.h"
#include "ui/timeline/headline_strip.h"
#include "ui/timeline/timeline_feature.h"
#include "ui/timeline/timeline_view.h"
#include "ui/tracker/tracker_feature.h"
#include "ui/welcome/welcome_feature.h"
#include "ui/why/ribbon_view.h"
#include "ui/why/why_feature.h"
#include "ui/workbench/explore_page.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/presenter.h"
#include "ui/workbench/window_session.h"
#include "ui/workbench/window_views.h"

#include <QImage>
#include <QPainter>

#include <functional>
#include <utility>

namespace ui {
namespace {

template <class Feature, class... Arguments>
Feature* make(QObject& owner, Arguments&&... arguments) {
    auto* feature = new Feature(std::forward<Arguments>(arguments)...);
    feature->setParent(&owner);
    return feature;
}

constexpr QSize kLessonStageSize{1600, 1000};
constexpr int kLessonPictureScale = 2;  // pixels for each point, so that the picture is sharp in print

/// Returns functions that find and open bundled lessons by their names; `open` opens the file of one.
EvaluationLessons namedLessons(const std::function<void(const QString& file)>& open) {
    const auto titleOf = [](const QString& name) {
        const BundledLesson* lesson = bundledLesson(name);
        return lesson == nullptr ? QString() : lesson->title;
    };
    const auto openNamed = [open](const QString& name) {
        if (const BundledLesson* lesson = bundledLesson(name))
            open(lesson->file);
    };
    return {titleOf, openNamed};
}

}  // namespace

RingsideWindow::RingsideWindow(RingsideWindowConfig config, QWidget* parent)
    : MainWindow({config.settingsFile, config.sessionFile, config.restoresExperiment, config.size}, parent),
      m_config(std::move(config)), m_experiment(m_config.presetFolder), m_breakpoints(this),
      m_player(m_viewState, m_breakpoints, this), m_moment(m_viewState, this), m_selection(m_viewState, this),
      m_logs(this), m_sweep(m_experiment.undoStack()), m_sweepState(this),
      m_sweepSession(SweepSessionConfig{m_config.session.storePath}), m_runs(m_experiment, m_config.session) {
    m_experiment.setDraft(m_config.draft);
    if (m_config.origin)
        m_experiment.setSaved(*m_config.origin, m_config.draft);
    connect(&m_runs, &RunController::shownChanged, &m_selection, &RunSelection::showRun);
    buildExplore();
    buildViews();
    buildPanels();
    buildLessons();
    workbench().finish();
    m_compare->finish();
    connectFeatures();
    workbench().setTheme(m_config.theme.value_or(workbench().settings().theme()));
    workbench().views().focusCurrent();
    keepSession();
    if (m_config.welcomes && workbench().settings().welcomes())
        m_welcome->show();
}

RingsideWindow::~RingsideWindow() { workbench().clear(); }

// Creates features in the order of the pictures and of the rows below them.
void RingsideWindow::buildExplore() {
    Workbench& bench = workbench();
    m_playback = make<PlaybackFeature>(m_features, bench, m_viewState, m_experiment, m_runs, m_reach, m_player,
                                       m_breakpoints, m_logs, m_moment);
    m_timeline = make<TimelineFeature>(m_features, bench,
                                       TimelineFeature::Services{m_viewState, m_experiment, m_runs, m_selection,
                                                                 m_reach, m_player, m_bookmarks, m_measures});
    auto* machine = make<MachineFeature>(m_features, bench, m_viewState, m_moment);
    make<ChunksFeature>(m_features, bench, m_viewState, m_moment, m_player);
    make<TrackerFeature>(m_features, bench, m_viewState, m_moment);
    m_inside = make<InsideFeature>(
        m_features, bench, m_viewState, m_moment,
        InsideFeature::Hooks{[this](const std::vector<std::string>& paths) { m_editor->markFields(paths); },
                             [this](const QString& lane) { m_timeline->markLane(lane); },
                             [this](std::uint32_t channel) { m_memory->showBanks(channel); }});
    machine->view().setInside(m_inside->newView(&machine->view()));
    make<SplitFeature>(m_features, bench, m_viewState, m_moment);
    m_memory = make<MemoryFeature>(m_features, bench, m_viewState, m_moment, m_player, m_experiment, m_runs);
    make<FindFeature>(m_features, bench, m_viewState, m_selection);
    make<SelectionFeature>(m_features, bench, m_viewState, m_selection, m_bookmarks, m_measures);
}

// Creates features in the order of the views. The session restores the experiment before the sweep, which has it as its
// base.
void RingsideWindow::buildViews() {
    Workbench& bench = workbench();
    m_editor = make<ExperimentFeature>(m_features, bench, m_experiment, m_runs, m_sweep, m_sweepState,
                                       ExperimentFeature::Config{m_config.runsWhileEditing});
    make<RequestFeature>(m_features, bench, m_experiment, m_runs, m_config.session.requests);
    m_compare =
        make<CompareFeature>(m_features, bench, m_viewState, m_experiment, m_runs, m_reach, m_player,
                             m_playback->transport(), CompareFeature::Config{m_config.session, comparedTimelines()});
    m_measured = make<MeasuredFeature>(
        m_features, bench, m_experiment, m_runs, m_config.presetFolder,
        MeasuredFeature::Hooks{[this](TimePicture* picture, ViewState* state, const QString& name, std::int64_t endPs) {
                                   m_compare->view().showBeside(picture, state, name, endPs);
                               },
                               [this](const std::vector<std::string>& policies) { m_compare->compareWith(policies); }});
    m_chart = new ChartView(m_sweepState);
    const auto openModel = [this](data::ResultSubject subject, engine::PolicyPreset policy) {
        m_model->show(subject, policy);
    };
    m_sweeps = make<SweepFeature>(
        m_features, bench, m_experiment, m_runs, m_sweep, m_sweepSession, m_sweepState, m_runs.catalogue(),
        SweepFeature::Hooks{m_chart, [this] { return m_chart->canvas().figure(); }, m_config.sweep, openModel,
                            [this] { return saved(m_chart->settings()); },
                            [this](const QJsonValue& kept) { m_chart->setSettings(chartSettings(kept)); }});
    m_figures = make<FigureFeature>(m_features, bench, m_experiment, m_runs, m_config.figureAgain);
    make<RunsFeature>(
        m_features, bench, m_runs, m_sweepState,
        RunsFeature::Hooks{[this](const std::vector<std::int64_t>& ids) { m_compare->compareKept(ids); }});
    m_model = make<ModelFeature>(m_features, bench, m_experiment, m_runs);
    m_evaluations = make<EvaluationsFeature>(
        m_features, bench, m_experiment, m_runs, m_sweepState, m_sweepSession.storePath(),
        EvaluationsFeature::Hooks{openModel, namedLessons([this](const QString& file) { m_lessons->open(file); })});
}

void RingsideWindow::buildPanels() {
    Workbench& bench = workbench();
    make<RunFeature>(m_features, bench, m_runs, m_viewState);
    InspectorPanel& inspector = make<InspectorFeature>(m_features, bench, m_viewState, m_selection)->panel();
    inspector.setPartFacts([this](data::GpuPartRef ref) { return m_inside->describe(ref); });
    connect(&m_moment, &RingMoment::changed, &inspector, &InspectorPanel::showMoment);
    m_why = make<WhyFeature>(m_features, bench, m_viewState, m_experiment, m_runs, m_selection, m_player,
                             WhyFeature::Hooks{[this](FigureOffer offer) { m_figures->take(std::move(offer)); }});
    m_timeline->view().setStrip(&m_why->ribbon());
    connect(&m_timeline->view(), &TimelineView::extentChanged, &m_why->ribbon(), &RibbonView::setExtent);
    const auto alignMemory = [this](double left) { m_memory->view().setLeft(left); };
    connect(&m_timeline->view(), &TimelineView::extentChanged, &m_memory->view(), alignMemory);
    alignMemory(m_timeline->view().geometry().left);
    m_why->ribbon().setExtent(m_timeline->view().geometry().left, m_timeline->view().geometry().width);
    m_scenes = make<SceneFeature>(m_features, bench, m_viewState, m_experiment, m_runs, m_selection, m_player);
    m_scenes->addPages({QStringLiteral("model"), [this](const QString& page) { return m_model->view().showPage(page); },
                        [this] { return m_model->view().page(); }});
    m_scenes->addPages({QStringLiteral("memory"),
                        [this](const QString& page) {
                            const auto wanted = dramPageOf(page);
                            return wanted && m_memory->view().showPage(*wanted);
                        },
                        [this] { return nameOf(m_memory->view().page()); }});
    m_export = make<ExportFeature>(
        m_features, bench, m_experiment, m_runs,
        ExportFeature::Hooks{[this] { return m_scenes->scene(); },
                             [this](const ExportFeature::StageRequest& request) { return makeStage(request); },
                             [this] { return comparedRuns(); }});
}

std::vector<std::shared_ptr<const data::ShownRun>> RingsideWindow::comparedRuns() const {
    std::vector<std::shared_ptr<const data::ShownRun>> runs;
    if (m_scenes->scene().view != "compare")
        return runs;
    for (const ComparedRun& compared : m_compare->view().comparison().runs()) {
        if (compared.run)
            runs.push_back(compared.run);
    }
    return runs;
}

// Opens a second window of the requested size off the screen, so that this one stays unchanged and usable.
FrameStage RingsideWindow::makeStage(const ExportFeature::StageRequest& request) {
    RingsideWindowConfig config;
    config.draft = request.draft;
    config.theme = request.theme;
    config.runsWhileEditing = false;
    config.size = request.size;
    auto* stage = new RingsideWindow(std::move(config));
    stage->setAttribute(Qt::WA_DontShowOnScreen);
    stage->setParent(this, Qt::Window);
    stage->showAlone(QString::fromStdString(request.scene.view));
    stage->scenes().showScene(request.scene);
    return stage->frameStage();
}

FrameStage RingsideWindow::frameStage() {
    return {*this, m_viewState, m_runs, m_logs, [this] { return m_scenes->scene(); }};
}

LessonStage RingsideWindow::makeLessonStage(const data::ExperimentDraft& draft) {
    RingsideWindowConfig config;
    config.draft = draft;
    config.theme = Theme::light;
    config.runsWhileEditing = false;
    config.size = kLessonStageSize;
    auto* stage = new RingsideWindow(std::move(config));
    stage->setAttribute(Qt::WA_DontShowOnScreen);
    stage->setParent(this, Qt::Window);
    stage->resize(kLessonStageSize);
    return stage->lessonStage();
}

LessonStage RingsideWindow::lessonStage() {
    return {*this,
            m_lessons->state(),
            m_lessons->display(),
            m_runs,
            m_logs,
            [this](const data::Lesson& lesson) { m_lessons->take(lesson, {}, 0); },
            [this] { return isViewAnswered(); },
            [this] { return lessonPicture(); }};
}

bool RingsideWindow::isViewAnswered() {
    const bool model = workbench().views().currentView().widget == &m_model->view();
    return !model || m_model->view().currentPage().isAnswered();
}

/// Returns the figure that the view in front offers; if it offers none, an image of the view.
LessonPicture RingsideWindow::lessonPicture() {
    if (auto offer = m_figures->figureOfView()) {
        offer->figure.size = data::FigureSize::natureText;
        offer->figure.theme = data::FigureTheme::paper;
        redraw(offer->figure, offer->redraw);
        const DisplayList list = layOut(offer->figure).list;
        return {list.page, [list](QPainter& painter) { paint(painter, list); }};
    }
    const WindowView& view = workbench().views().currentView();
    QWidget* explore = &workbench().explore();
    QWidget& shown = view.widget == explore ? workbench().pictures() : *view.widget;
    QImage image(shown.size() * kLessonPictureScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kLessonPictureScale);
    shown.render(&image);
    return {shown.size(),
            [image](QPainter& painter) { painter.drawImage(QRectF(QPointF(), image.deviceIndependentSize()), image); }};
}

/// Returns the parts of the window that would give the answer to a lesson's question away.
std::vector<QWidget*> RingsideWindow::numbersOfAnswers() {
    std::vector<QWidget*> numbers = m_measured->view().numbers();
    numbers.push_back(&m_timeline->headlines());
    return numbers;
}

void RingsideWindow::buildLessons() {
    Workbench& bench = workbench();
    m_lessons = make<LessonFeature>(
        m_features, bench, m_viewState, m_experiment, m_runs, m_player,
        LessonFeature::Hooks{numbersOfAnswers(),
                             [this](const data::Scene& scene) {
                                 // The Model view shows the policy of the step, because the texts have its numbers.
                                 m_model->view().setPolicy(m_experiment.expansion().experiment.policy.preset);
                                 m_scenes->showScene(scene);
                             },
                             [this](const std::vector<std::string>& policies) { m_compare->compareWith(policies); },
                             [this](const data::LessonTraces& traces) {
                                 QStringList files;
                                 for (const std::string& file : traces.files)
                                     files << QString::fromStdString(file);
                                 m_measured->view().showTraces(files, QString::fromStdString(traces.pair));
                             },
                             [this] {
                                 std::vector<std::string> files;
                                 for (const QString& file : m_measured->view().files())
                                     files.push_back(file.toStdString());
                                 return files;
                             },
                             [this] { m_measured->ask(); }, [this] { return m_compare->view().comparison().save(); },
                             [this](const QJsonValue& kept) { m_compare->view().comparison().restore(kept); },
                             [this](const std::vector<data::ExperimentDraft>& drafts) {
                                 std::vector<engine::Experiment> experiments;
                                 for (const data::ExperimentDraft& draft : drafts)
                                     experiments.push_back(data::expand(draft).experiment);
                                 m_model->view().memory().shareAxis(std::move(experiments));
                             },
                             [this](const data::ExperimentDraft& draft) { return makeLessonStage(draft); }});
    m_scenes->setLessons({[this] { return m_lessons->place(); },
                          [this](const data::Scene::LessonPlace& place) { m_lessons->openPlace(place); }});
    make<GlossaryFeature>(m_features, bench);
    WelcomeFeature::Hooks welcome;
    welcome.compareWith = [this](const std::vector<std::string>& policies) { m_compare->compareWith(policies); };
    welcome.sweep = [this] {
        m_sweeps->openExample(QStringLiteral(":/examples/link-by-gpus.json"));
        ChartSettings asCells = m_chart->settings();
        asCells.kind = ChartKind::heatMap;
        m_chart->setSettings(asCells);
        m_sweeps->start();
    };
    welcome.exportFigure = [this] {
        WindowViews& views = workbench().views();
        if (views.currentView().widget == &m_figures->view())
            return;
        if (!m_figures->figureOfView())
            workbench().showExplore();
        m_figures->exportFigure();
    };
    if (!bundledLessons().empty())
        welcome.openLesson = [this] { m_lessons->open(bundledLessons().front().file); };
    welcome.hasFinishedLesson = [this] {
        return !bundledLessons().empty() &&
               workbench().settings().finishedLessons().contains(bundledLessons().front().name);
    };
    m_welcome = make<WelcomeFeature>(m_features, bench, m_experiment, m_runs, m_viewState, m_player, welcome);
}

/// Returns the source of a figure of the view in front. Runs that were chosen for a comparison and moved, pinned, opened or
/// hidden lanes are not part of a scene; hidden GPUs are a choice beside it.
data::FigureSource RingsideWindow::sourceOfView() const {
    const data::Scene scene = m_scenes->scene();
    const std::string name = scene.page.empty() ? scene.view : scene.view + "/" + scene.page;
    if (scene.view == "compare" && !m_compare->view().comparison().hasFirstPicks())
        return {};
    data::FigureSource source = data::sourceOf(scene, name.starts_with("model") ? "model.json" : "experiment.json");
    if (scene.view == "timeline" && source.kind != data::FigureSource::Kind::unknown) {
        LaneArrangement usual = m_timeline->view().lanes().arrangement();
        std::string shown;
        for (std::uint32_t gpu = 0; gpu < m_timeline->view().model().gpus() && !usual.hiddenGpus.empty(); ++gpu)
            shown += usual.hiddenGpus.contains(gpu) ? "" : (shown.empty() ? "" : ",") + std::to_string(gpu);
        usual.hiddenGpus.clear();
        if (usual != LaneArrangement{})
            return {};
        if (!shown.empty())
            source.choices.push_back("gpus=" + shown);
    }
    return source;
}

void RingsideWindow::connectFeatures() {
    m_figures->setSource([this] { return sourceOfView(); });
    CompareView& compare = m_compare->view();
    connect(&compare, &CompareView::compareShown, m_lessons, &LessonFeature::comparisonShown);
    connect(&m_measured->view(), &MeasuredView::settled, m_lessons, &LessonFeature::tracesShown);
    const auto tick = [this](const char* step) {
        return [this, step = QString::fromLatin1(step)] { m_welcome->setDone(step); };
    };
    connect(&compare, &CompareView::compareShown, m_welcome, tick("compare"));
    connect(&m_figures->view(), &FigureView::figureShown, m_welcome, tick("export"));
    connect(&m_sweepSession, &SweepSession::runFinished, m_welcome, tick("sweep"));
    connect(&m_lessons->state(), &LessonState::lessonChanged, m_welcome,
            [this] { m_welcome->lessonChanged(m_lessons->isOpen()); });
}

void RingsideWindow::keepSession() {
    connect(&workbench(), &Workbench::closing, this, [this] {
        m_player.pause();
        workbench().presenter().set(false);
        m_lessons->endForGood();
        workbench().session().close();
        m_runs.cancel();
    });
    workbench().session().start([this] {
        // A model on one GPU has no sub-layer to run, so no run starts; the form explains why, and the view Model still
        // works.
        if (m_experiment.isRunnable() || m_experiment.expansion().experiment.parallel.tp > 1)
            m_runs.runInPlace();
    });
}

bool RingsideWindow::showAlone(const QString& view) {
    if (workbench().views().showView(view))
        return true;
    if (!workbench().pictures().showView(view))
        return false;
    workbench().setViewAlone(true);
    return true;
}

}  // namespace ui
