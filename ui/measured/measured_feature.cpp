#include "ui/measured/measured_feature.h"

#include "data/document/document_reader.h"
#include "data/evaluations/measured_item.h"
#include "ui/look/format.h"
#include "ui/measured/measured_view.h"
#include "ui/measured/pair_card.h"
#include "ui/shared/experiment_model.h"
#include "ui/shared/run_controller.h"
#include "ui/workbench/documents.h"
#include "ui/workbench/window_views.h"
#include "ui/workbench/workbench.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr auto kMeasured = "measured";
constexpr int kMeasuredRank = 72;

}  // namespace

MeasuredFeature::MeasuredFeature(Workbench& workbench, ExperimentModel& experiment, RunController& runs,
                                 std::string classesFolder, Hooks hooks)
    : m_workbench(workbench), m_experiment(experiment), m_runs(runs), m_hooks(std::move(hooks)),
      m_view(new MeasuredView(std::move(classesFolder), &workbench.views())) {
    workbench.views().addView({.name = QString::fromLatin1(kMeasured),
                               .title = tr("Measured"),
                               .widget = m_view,
                               .key = QKeySequence(Qt::SHIFT | Qt::Key_F3),
                               .hint = tr("Traces of a real machine: what is hidden, and a pair to simulate"),
                               .figure = [this] { return m_view->figure(); },
                               .stepOut = [this] { return m_view->stepOut(); }});
    workbench.documents().add(data::DocumentKind::measured, [this](const QString& file) { open({file}); });
    workbench.documents().addTogether(data::DocumentKind::measured, [this](const QStringList& files) { open(files); });
    m_view->commands().adoptInto(workbench.commands(), kMeasuredRank);
    connect(m_view, &MeasuredView::openRequested, this, &MeasuredFeature::ask);
    connect(m_view, &MeasuredView::failed, &workbench, &Workbench::fail);
    connect(m_view, &MeasuredView::changed, this, &MeasuredFeature::showBeside);
    connect(m_view, &MeasuredView::fitted, this,
            [this](const std::shared_ptr<const data::PartsFit>& fit) { takeFit(*fit); });
    connect(&m_view->card(), &PairCard::simulateRequested, this, &MeasuredFeature::simulate);
    connect(&m_view->card(), &PairCard::fitRequested, this, &MeasuredFeature::fitParts);
    connect(&m_view->card(), &PairCard::useRequested, this, &MeasuredFeature::askWhereToUse);
    connect(&runs, &RunController::shownChanged, this, [this](const std::shared_ptr<const data::ShownRun>& run) {
        m_view->card().showRun(run);
        showBeside();
    });
    connect(&workbench, &Workbench::closing, this, [this] { m_hooks.showBeside(nullptr, nullptr, {}, 0); });
}

MeasuredFeature::~MeasuredFeature() = default;

void MeasuredFeature::open(const QStringList& files) {
    m_workbench.views().showView(QString::fromLatin1(kMeasured));
    for (const QString& file : files)
        m_workbench.documents().remember(file);
    m_view->open(files);
}

void MeasuredFeature::ask() {
    const QStringList files = QFileDialog::getOpenFileNames(
        &m_workbench.window(), tr("Open Traces, One for Each Rank"), m_workbench.documents().folder(),
        tr("Traces of a profiler (*.json *.json.gz *.gz);;All files (*)"));
    if (!files.isEmpty())
        open(files);
}

void MeasuredFeature::simulate() {
    const std::optional<data::ExperimentDraft> draft = m_view->card().draft();
    if (!draft)
        return m_workbench.hint(tr("Select a GEMM or a collective with a known size first."));
    m_runs.commit();
    m_experiment.replaceDraft(*draft, tr("Simulate Measured Pair"));
    m_runs.run();
    m_hooks.compareWith(data::policiesOf(m_view->card().pair().kind));
}

void MeasuredFeature::fitParts() {
    if (m_runs.shown())
        m_view->fit(m_runs.shown()->run.draft);
}

void MeasuredFeature::askWhereToUse() {
    const QString file = QFileDialog::getSaveFileName(
        &m_workbench.window(), tr("Add to an Evaluation, New or Existing"),
        QDir(m_workbench.documents().folder()).filePath(QStringLiteral("measured-evaluation.json")),
        tr("Evaluations (*.json);;All files (*)"), nullptr, QFileDialog::DontConfirmOverwrite);
    if (!file.isEmpty())
        useIn(file);
}

bool MeasuredFeature::useIn(const QString& file) {
    const SharedMeasured& set = m_view->set();
    const data::MeasuredChoice& choice = m_view->choice();
    const std::optional<data::MeasuredPlace>& first = choice.gemm ? choice.gemm : choice.collective;
    if (!set || !first)
        return false;
    const data::MeasuredTrace& trace = set->traces[first->trace];
    const data::MeasuredDevice* device = trace.deviceOf(set->spanOf(*first));
    const QFileInfo origin(QString::fromStdString(trace.file));
    const QString source = tr("measured: %1, %2, %3")
                               .arg(origin.fileName(), device == nullptr ? tr("unknown device") : text(device->name),
                                    origin.lastModified().date().toString(Qt::ISODate));
    engine::Problems problems;
    std::string document;
    if (QFileInfo::exists(file))
        document = data::readText(file.toStdString(), problems);
    std::string more;
    if (problems.empty())
        more =
            data::withMeasuredItem(document, file.toStdString(), m_view->card().pair(), source.toStdString(), problems);
    if (!problems.empty()) {
        m_workbench.documents().reportUnreadable(file, problems);
        return false;
    }
    if (!m_workbench.documents().write(file, more))
        return false;
    m_workbench.documents().open(file);
    return true;
}

void MeasuredFeature::takeFit(const data::PartsFit& fit) {
    m_experiment.replaceDraft(fit.draft, tr("Fit Parts"));
    m_runs.runInPlace();
    if (fit.refusal.empty())
        m_workbench.confirm(
            tr("The parts alone agree with the trace after %1 runs. What stays is the interaction.").arg(fit.runs));
    else
        m_workbench.notify(tr("A part keeps another time than in the trace: %1.").arg(text(fit.refusal)));
}

// The measured row begins at the chosen GEMM or collective, where the simulated pair begins as well.
void MeasuredFeature::showBeside() {
    const SharedMeasured& set = m_view->set();
    const data::MeasuredChoice& choice = m_view->choice();
    const std::optional<data::MeasuredPlace>& first = choice.gemm ? choice.gemm : choice.collective;
    const std::int64_t anchor = set && first ? std::max<std::int64_t>(0, set->startOf(*first)) : 0;
    m_row.show(set, choice, anchor);
    if (!set)
        return m_hooks.showBeside(nullptr, nullptr, {}, 0);
    const QString difference = m_view->card().difference();
    const QString name = first ? tr("Measured: %1, from the chosen kernel on.").arg(set->fileNames())
                               : tr("Measured: %1.").arg(set->fileNames());
    m_hooks.showBeside(&m_row, &m_row.state(), difference.isEmpty() ? name : name + QLatin1Char(' ') + difference,
                       m_row.end());
}

}  // namespace ui
