#include "ui/evaluations/evaluations_view.h"

#include "data/evaluations/measured_answer.h"
#include "data/evaluations/measured_file.h"
#include "data/figure/evaluation_chart.h"
#include "data/figure/evaluation_source.h"
#include "ui/evaluations/correlation.h"
#include "ui/evaluations/evaluation_list.h"
#include "ui/evaluations/evaluation_table.h"
#include "ui/evaluations/evaluation_words.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/availability.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace ui {
namespace {

constexpr int kEvaluationSteps = 1000;
constexpr double kEvaluationTitleSize = 1.35;
constexpr int kFigureLetters = 28;  // of a figure's title, which the open list shows as a whole
constexpr auto kEvaluationFiles = "files";
constexpr auto kEvaluationShown = "shown";

/// Returns the item of a row.
const data::EvaluationItem* itemOfRow(const data::Evaluation& evaluation, const data::ReproducedItem& row) {
    const auto found = std::ranges::find(evaluation.items, data::itemIdOf(row), &data::EvaluationItem::id);
    return found == evaluation.items.end() ? nullptr : &*found;
}

}  // namespace

EvaluationsView::EvaluationsView(EvaluationSessionConfig config, EvaluationLessons lessons, QWidget* parent)
    : QWidget(parent), m_lessons(std::move(lessons)), m_commands(*this, CommandGroup::run, tr("&Evaluations")),
      m_session(std::move(config)) {
    setObjectName(QStringLiteral("evaluationsView"));
    for (const data::Evaluation& evaluation : data::evaluations())
        m_entries.push_back({std::make_shared<const data::Evaluation>(evaluation), {}, {}, {}});
    buildCommands();
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    addWidgets(*parts, {buildList(), buildPage()});
    parts->setStretchFactor(1, 1);
    parts->setSizes({m_list->sizeHint().width(), m_list->sizeHint().width() * 8});
    flushLayout<QHBoxLayout>(this)->addWidget(parts);
    setFocusProxy(m_table);
    connectSession();
    followColours(*this, [this] { applyColors(); });
    showList();
    showEntry();
}

void EvaluationsView::buildCommands() {
    const auto add = [this](const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& hint,
                            auto order) {
        m_commands.add({.id = QString::fromLatin1(id), .text = text, .keys = keys, .hint = hint}, this, order);
    };
    add("evaluations.run", tr("&Run Missing Points"), {}, tr("Runs every point that is not in the store yet"),
        &EvaluationsView::runMissing);
    add("evaluations.cancel", tr("&Cancel"), {}, tr("Cancels the run; finished points stay in the store"),
        [this] { m_session.cancel(); });
    add("evaluations.open-points", tr("Open &Points"), {},
        tr("Opens one point in Explore, or in the Model view if it is of a whole model; several in the Sweep view"),
        &EvaluationsView::openCurrent);
    add("evaluations.copy", tr("Cop&y"), {QKeySequence::Copy},
        tr("Copies the selected rows as a table for a spreadsheet"), &EvaluationsView::copyRows);
    add("evaluations.open", tr("&Open Evaluation…"), {},
        tr("Adds an evaluation document to the list; you can also drop one on the window"),
        [this] { Q_EMIT openFileRequested(); });
    add("evaluations.measured", tr("Attach &Measured Numbers…"), {},
        tr("Compares the rows that wait for measured numbers with those of a CSV file"),
        [this] { Q_EMIT measuredRequested(); });
    add("evaluations.remove", tr("Remove from List"), {},
        tr("Removes the evaluation from the list; the file is not deleted"), &EvaluationsView::removeShown);
}

QWidget* EvaluationsView::buildList() {
    auto* side = new QWidget(this);
    const int line = fontMetrics().height();
    m_list = new EvaluationList(side);
    for (const char* id : {"evaluations.open", "evaluations.measured", "evaluations.remove"})
        m_list->addAction(m_commands.actionOf(id));
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            choose(static_cast<std::size_t>(row));
    });
    connect(m_list, &QListWidget::itemActivated, this, [this] { m_table->setFocus(); });
    auto* buttons = newLayout<QHBoxLayout>(nullptr, {line / 2, line / 2, line / 2, line / 2});
    buttons->addWidget(newActionButton(m_commands.actionOf("evaluations.open"), side), 1);
    auto* column = flushLayout<QVBoxLayout>(side, 0);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    return side;
}

QWidget* EvaluationsView::buildPage() {
    auto* page = new QWidget(this);
    const int line = fontMetrics().height();
    m_title = newWrappedLabel(page, QStringLiteral("evaluationTitle"));
    setRelativeFont(*m_title, kEvaluationTitleSize, QFont::DemiBold);
    m_question = newWrappedLabel(page, QStringLiteral("evaluationQuestion"));
    m_source = newWrappedLabel(page, QStringLiteral("evaluationSource"));
    m_constants = newWrappedLabel(page, QStringLiteral("evaluationConstants"));
    for (QLabel* label : {m_title, m_question, m_source, m_constants})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_lesson = newButton(QString(), QStringLiteral("evaluationLesson"), page, this,
                         [this] { m_lessons.open(text(shown()->lesson)); });
    m_lesson->setToolTip(tr("Opens the lesson that explains what is compared here"));
    m_table = new EvaluationTable(page);
    for (const char* id : {"evaluations.open-points", "evaluations.copy"})
        m_table->addAction(m_commands.actionOf(id));
    connect(m_table, &EvaluationTable::rowActivated, this, &EvaluationsView::openRow);
    connect(m_table, &EvaluationTable::chosenChanged, this, &EvaluationsView::showDetails);
    m_details = newWrappedLabel(page, QStringLiteral("evaluationDetails"));
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setContentsMargins(line, line / 2, line, line / 2);
    m_details->setMinimumHeight(line * 3);  // room for two lines, so that the table does not move
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* head = newLayout<QVBoxLayout>(nullptr, {line, line / 2, line, line / 3}, line / 5);
    auto* top = flushLayout<QHBoxLayout>(nullptr, line);
    top->addWidget(m_title, 1);
    top->addWidget(m_lesson);
    head->addLayout(top);
    addWidgets(*head, {m_question, m_source, m_constants});
    auto* column = flushLayout<QVBoxLayout>(page, 0);
    m_correlation = new FigureCanvas(QStringLiteral("correlationChart"), tr("Ours over measured"), page);
    m_correlation->setChoosing(FigureCanvas::Choosing::one);
    m_correlation->setEmptyText(
        tr("No measured row has been run yet. Run the missing points to see ours over measured."));
    connect(m_correlation, &FigureCanvas::opened, this, [this](std::size_t mark) { openRow(m_correlated[mark]); });
    connect(m_correlation, &FigureCanvas::chosenChanged, this, [this] {
        if (const auto mark = m_correlation->chosen())
            m_table->choose(m_correlated[*mark]);
    });
    m_answers = newWrappedLabel(page, QStringLiteral("evaluationAnswers"));
    m_answers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answers->setContentsMargins(line, line / 3, line, 0);
    auto* rows = new QSplitter(Qt::Horizontal, page);
    rows->setChildrenCollapsible(false);
    addWidgets(*rows, {m_table, m_correlation});
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setSizes({3000, 2000});
    column->addLayout(head);
    column->addWidget(buildBar());
    column->addWidget(m_answers);
    column->addWidget(rows, 1);
    column->addWidget(m_details);
    return page;
}

QWidget* EvaluationsView::buildBar() {
    auto* bar = new QWidget(this);
    const int line = fontMetrics().height();
    m_state = newWrappedLabel(bar, QStringLiteral("evaluationState"));
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_run =
        newButton(tr("Run &Missing Points"), QStringLiteral("evaluationRun"), bar, this, &EvaluationsView::runMissing);
    m_cancel = newButton(tr("&Cancel"), QStringLiteral("evaluationCancel"), bar, this, [this] { m_session.cancel(); });
    m_progress = new QProgressBar(bar);
    makeThin(*m_progress, kEvaluationSteps, 6, tr("Progress of the evaluation"));
    keepRoom(*m_progress);
    m_filter = new QLineEdit(bar);
    setNames(*m_filter, QStringLiteral("evaluationFilter"), tr("Filter of the rows"));
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    shareUndoWithTheWindow(*m_filter);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_table->setFilter(words);
        showState();
    });
    connect(m_filter, &QLineEdit::returnPressed, m_table, qOverload<>(&QWidget::setFocus));
    auto* label = new QLabel(tr("Fi&gure"), bar);
    m_figures = new QComboBox(bar);
    label->setBuddy(m_figures);
    setNames(*m_figures, QStringLiteral("evaluationFigure"), tr("Figure to export"));
    m_figures->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_figures->setMinimumContentsLength(kFigureLetters);
    m_figures->setToolTip(tr("The figure that Export Figure (Ctrl+E) opens in the view Figure"));
    connect(m_figures, &QComboBox::currentIndexChanged, this, &EvaluationsView::changed);
    auto* row = newLayout<QHBoxLayout>(nullptr, {}, line / 2);
    row->addWidget(m_state, 2);
    row->addWidget(m_filter, 1);
    row->addWidget(label);
    row->addWidget(m_figures, 2);
    addWidgets(*row, {m_cancel, m_run});
    auto* column = newLayout<QVBoxLayout>(bar, {line, 0, line, 0}, line / 4);
    column->addLayout(row);
    column->addWidget(m_progress);
    return bar;
}

void EvaluationsView::connectSession() {
    connect(&m_session, &EvaluationSession::looked, this, [this](const std::shared_ptr<const EvaluationLook>& look) {
        for (Entry& entry : m_entries) {
            if (entry.evaluation != look->evaluation)
                continue;
            entry.look = look;
            entry.problem.clear();
        }
        showList();
        if (look->evaluation != shown())
            return;
        showRows(look->reproduction.items);
        showState();
        Q_EMIT rowsShown();
    });
    connect(&m_session, &EvaluationSession::rowsChanged, this,
            [this](const std::shared_ptr<const std::vector<data::ReproducedItem>>& rows) {
                if (runsShown())
                    showRows(*rows);
            });
    for (const auto signal : {&EvaluationSession::runStarted, &EvaluationSession::progressChanged})
        connect(&m_session, signal, this, &EvaluationsView::showState);
    for (const auto signal : {&EvaluationSession::runFinished, &EvaluationSession::runStopped}) {
        connect(&m_session, signal, this, [this] {
            showState();
            Q_EMIT storeChanged();
        });
    }
    connect(&m_session, &EvaluationSession::failed, this,
            [this](const SharedEvaluation& evaluation, const QString& text, bool ofInput) {
                for (Entry& entry : m_entries) {
                    if (entry.evaluation == evaluation)
                        entry.problem = text;
                }
                showState();
                Q_EMIT failed(text, ofInput);
            });
}

bool EvaluationsView::showBundled(const QString& name) {
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].file.isEmpty() && text(m_entries[i].evaluation->name) == name) {
            m_list->setCurrentRow(static_cast<int>(i));
            return true;
        }
    }
    return false;
}

void EvaluationsView::addFile(const QString& file, data::Evaluation evaluation) {
    addEntry({std::make_shared<const data::Evaluation>(std::move(evaluation)), file, {}, {}});
    Q_EMIT changed();
}

void EvaluationsView::addEntry(Entry entry) {
    const auto same = std::ranges::find(m_entries, entry.file, &Entry::file);
    const auto place = static_cast<std::size_t>(same - m_entries.begin());
    if (place == m_entries.size()) {
        m_entries.push_back(std::move(entry));
    } else {
        if (m_session.running() == same->evaluation)
            m_session.cancel();
        m_entries[place] = std::move(entry);
    }
    m_shown = place;
    showList();
    showEntry();
    if (isVisible())
        lookUp();
}

void EvaluationsView::attachMeasured(data::Evaluation evaluation) {
    if (runsShown())
        m_session.cancel();
    Entry& entry = m_entries[m_shown];
    entry = {std::make_shared<const data::Evaluation>(std::move(evaluation)), entry.file, {}, {}};
    choose(m_shown);
}

void EvaluationsView::removeShown() {
    if (m_entries[m_shown].file.isEmpty())
        return;
    if (runsShown())
        m_session.cancel();
    m_entries.erase(m_entries.begin() + static_cast<std::ptrdiff_t>(m_shown));
    choose(std::min(m_shown, m_entries.size() - 1));
    showList();
    Q_EMIT changed();
}

void EvaluationsView::choose(std::size_t entry) {
    m_shown = entry;
    showList();
    showEntry();
    if (isVisible())
        lookUp();
    Q_EMIT changed();
}

void EvaluationsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    lookUp();
}

// Looks the shown evaluation up again, because other views may have run its points since the last look.
void EvaluationsView::lookUp() {
    if (!runsShown())
        m_session.look(shown());
}

void EvaluationsView::runMissing() {
    if (!reasonNotToRun().isEmpty())
        return;
    m_entries[m_shown].problem.clear();
    m_session.start(shown());
}

QString EvaluationsView::reasonNotToRun() const {
    if (m_session.isRunning())
        return tr("%1 is running; only one evaluation runs at a time.").arg(text(m_session.running()->title));
    const Entry& entry = m_entries[m_shown];
    if (!entry.look)
        return entry.problem.isEmpty() ? tr("The store is being read.") : entry.problem;
    return entry.look->missing == 0 ? tr("No point is missing.") : QString();
}

void EvaluationsView::showList() {
    std::vector<ListedEvaluation> listed;
    for (const Entry& entry : m_entries) {
        listed.push_back({text(entry.evaluation->title), progressText(*entry.evaluation, entry.look.get()),
                          entry.look ? entry.look->share() : 1,
                          entry.file.isEmpty() ? text(entry.evaluation->question) : entry.file});
    }
    m_list->show(listed, m_shown);
}

void EvaluationsView::showEntry() {
    const data::Evaluation& evaluation = *shown();
    m_title->setText(text(evaluation.title));
    m_question->setText(text(evaluation.question));
    m_question->setVisible(!evaluation.question.empty());
    m_source->setText(tr("Source: %1").arg(text(evaluation.source)));
    m_source->setVisible(!evaluation.source.empty());
    showLesson();
    {
        const QSignalBlocker quiet(m_figures);
        m_figures->clear();
        for (const data::EvaluationFigure& figure : evaluation.figures)
            m_figures->addItem(text(data::chartTitle(evaluation, figure)), text(figure.name));
        if (evaluation.figures.empty())
            m_figures->addItem(tr("No figures"));
        m_figures->view()->setMinimumWidth(m_figures->view()->sizeHintForColumn(0) + fontMetrics().height());
        m_figures->setEnabled(!evaluation.figures.empty());
    }
    setAvailable(*m_commands.actionOf("evaluations.remove"), !m_entries[m_shown].file.isEmpty(),
                 tr("An evaluation that comes with the program stays in the list."));
    m_table->clearSelection();
    showRows(look() ? look()->reproduction.items : std::vector<data::ReproducedItem>());
    showState();
}

void EvaluationsView::showLesson() {
    const QString lesson = text(shown()->lesson);
    const QString title = lesson.isEmpty() || !m_lessons.titleOf ? QString() : m_lessons.titleOf(lesson);
    const QString words = tr("Lesson: %1").arg(title);
    m_lesson->setText(QString(words).replace(QLatin1Char('&'), QStringLiteral("&&")));
    m_lesson->setAccessibleName(words);
    if (m_lesson->hasFocus() && title.isEmpty())
        m_table->setFocus();
    m_lesson->setVisible(!title.isEmpty());
}

void EvaluationsView::showRows(std::vector<data::ReproducedItem> rows) {
    m_table->setItems(std::move(rows));
    if (!m_table->chosen() && m_table->shownRows() > 0)
        m_table->setCurrentIndex(m_table->model()->index(0, 0));
    showCorrelation();
    showDetails();
}

// Shows the picture of the measured tables, and what their rows show together.
void EvaluationsView::showCorrelation() {
    const data::Evaluation& evaluation = *shown();
    const std::vector<data::ReproducedItem>& rows = m_table->items();
    m_correlation->setVisible(!evaluation.measured.empty());
    std::string metric;
    std::vector<data::MeasuredPair> pairs;
    QStringList texts;
    for (const data::EvaluationMeasured& measured : evaluation.measured) {
        metric = evaluation.items[measured.item].metrics.front();
        for (const data::MeasuredPair& pair : data::pairsOf(evaluation, measured, rows)) {
            pairs.push_back(pair);
            texts << pairText(rows[pair.row]);
        }
    }
    m_correlated.clear();
    std::ranges::transform(pairs, std::back_inserter(m_correlated), &data::MeasuredPair::row);
    m_correlation->showContent(correlationOf(pairs, metric, texts));
    QStringList lines;
    for (const data::MeasuredAnswer& answer : data::measuredAnswers(evaluation, rows, true))
        lines << answerText(answer);
    m_answers->setText(lines.join(QLatin1Char('\n')));
    m_answers->setVisible(!lines.isEmpty());
}

// Shows all texts of the current row, which may be longer than its columns are wide.
void EvaluationsView::showDetails() {
    const auto current = m_table->chosen();
    const auto mark = std::ranges::find(m_correlated, current);
    m_correlation->choose(mark == m_correlated.end()
                              ? std::nullopt
                              : std::optional(static_cast<std::size_t>(mark - m_correlated.begin())));
    if (!current)
        return m_details->clear();
    const data::ReproducedItem& row = m_table->items()[*current];
    m_details->setText(tr("%1: %2 – %3.").arg(text(row.published.id), text(row.published.what), verdictReason(row)) +
                       QLatin1Char('\n') + tr("%1. %2.").arg(roleMeaning(row.role), openingText(row)));
}

QString EvaluationsView::openingText(const data::ReproducedItem& row) const {
    if (row.points.empty())
        return tr("The number is computed from a task document, so that there is no point to open");
    if (row.points.size() != 1)
        return tr("Enter opens its %1 points in the Sweep view").arg(evaluationCount(row.points.size()));
    const data::EvaluationItem* item = itemOfRow(*shown(), row);
    return item != nullptr && data::isOfModels(shown()->sweeps[item->sweep].sweep.of)
               ? tr("Enter opens its point in the Model view")
               : tr("Enter opens its point in Explore");
}

QString EvaluationsView::stateText() const {
    if (runsShown()) {
        const auto left = m_session.secondsLeft();
        const QString done = formatPercent(m_session.progress());
        return left ? tr("Running: %1 done, %2 left")
                          .arg(done, formatWait(std::chrono::nanoseconds(static_cast<std::int64_t>(*left * 1e9))))
                    : tr("Running: %1 done").arg(done);
    }
    const Entry& entry = m_entries[m_shown];
    if (!entry.problem.isEmpty())
        return entry.problem;
    if (!entry.look)
        return tr("Reading the store…");
    QStringList parts{pointsText(*entry.look)};
    if (const auto rows = static_cast<int>(m_table->items().size()); m_table->shownRows() < rows)
        parts << tr("%1 of %2 rows shown").arg(m_table->shownRows()).arg(rows);
    return parts.join(QStringLiteral(" · "));
}

void EvaluationsView::showState() {
    const bool running = runsShown();
    m_state->setText(stateText());
    m_state->setToolTip(look() ? noticesText(*look()) : QString());
    m_constants->setText(constantsText(*shown(), look().get()));
    const QString reason = reasonNotToRun();
    const bool hadFocus = running ? m_run->hasFocus() : m_cancel->hasFocus();
    m_run->setVisible(!running);
    m_run->setEnabled(reason.isEmpty());
    m_run->setToolTip(reason.isEmpty() ? tr("Runs every point that is not in the store yet") : plainTip(reason));
    m_run->setAccessibleDescription(reason);
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
    m_progress->setValue(static_cast<int>(m_session.progress() * kEvaluationSteps));
    if (hadFocus)
        (running ? static_cast<QWidget*>(m_cancel) : m_table)->setFocus();
    setAvailable(*m_commands.actionOf("evaluations.run"), reason.isEmpty(), reason);
    setAvailable(*m_commands.actionOf("evaluations.cancel"), m_session.isRunning(), tr("No evaluation is running."));
    setAvailable(*m_commands.actionOf("evaluations.measured"), data::awaitsMeasured(*shown()),
                 tr("No row of this evaluation waits for measured numbers."));
    applyColors();
}

void EvaluationsView::applyColors() {
    const Palette& colors = paletteOf(*this);
    const bool isProblem = !m_entries[m_shown].problem.isEmpty() && !runsShown();
    setInk(*m_state, isProblem ? colors.error : colors.ink);
    for (QLabel* label : {m_source, m_constants, m_answers, m_details})
        setInk(*label, colors.inkSoft);
}

void EvaluationsView::openFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

bool EvaluationsView::stepOut() {
    if (m_session.isRunning()) {
        m_session.cancel();
        return true;
    }
    if (m_filter->text().isEmpty() && !m_filter->hasFocus())
        return false;
    m_filter->clear();
    m_table->setFocus();
    return true;
}

void EvaluationsView::openCurrent() {
    if (const auto row = m_table->chosen())
        openRow(*row);
}

void EvaluationsView::openRow(std::size_t row) {
    const data::ReproducedItem& opened = m_table->items()[row];
    const data::EvaluationItem* item = itemOfRow(*shown(), opened);
    if (item != nullptr && !opened.points.empty())
        Q_EMIT pointsRequested(shown(), *item, opened.points);
}

void EvaluationsView::copyRows() { QApplication::clipboard()->setText(m_table->copied()); }

std::optional<FigureOffer> EvaluationsView::figure() const {
    const data::Evaluation& evaluation = *shown();
    const auto chosen = static_cast<std::size_t>(std::max(0, m_figures->currentIndex()));
    if (chosen >= evaluation.figures.size() || !look() || look()->reproduction.tables.empty())
        return std::nullopt;
    data::FigureSpec spec = data::chartOf(evaluation, evaluation.figures[chosen], look()->reproduction);
    if (!data::hasValues(spec))
        return std::nullopt;
    const QString& file = m_entries[m_shown].file;
    if (file.isEmpty())
        spec.from = {data::FigureSource::Kind::gallery, spec.name, {}, {}, {}, {}, {}};
    else
        spec.from = data::sourceOf(file.toStdString(), spec.name);
    return FigureOffer{std::move(spec), {}};
}

QJsonValue EvaluationsView::save() const {
    QJsonArray files;
    for (const Entry& entry : m_entries) {
        if (!entry.file.isEmpty())
            files << entry.file;
    }
    const Entry& entry = m_entries[m_shown];
    return QJsonObject{
        {QLatin1String(kEvaluationFiles), files},
        {QLatin1String(kEvaluationShown), entry.file.isEmpty() ? text(entry.evaluation->name) : entry.file}};
}

QStringList EvaluationsView::filesIn(const QJsonValue& kept) const {
    QStringList files;
    for (const QJsonValue& file : kept[QLatin1String(kEvaluationFiles)].toArray()) {
        if (QFileInfo(file.toString()).isFile())
            files << file.toString();
    }
    return files;
}

void EvaluationsView::restoreShown(const QJsonValue& kept) {
    const QString name = kept[QLatin1String(kEvaluationShown)].toString();
    const auto found = std::ranges::find(m_entries, name, &Entry::file);
    if (!name.isEmpty() && found != m_entries.end())
        choose(static_cast<std::size_t>(found - m_entries.begin()));
    else
        showBundled(name);
}

}  // namespace ui
