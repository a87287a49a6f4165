#include "ui/model/model_view.h"

#include "engine/api/parameters.h"
#include "ui/look/flow_layout.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/model/advice_page.h"
#include "ui/model/divisions_page.h"
#include "ui/model/memory_page.h"
#include "ui/model/messages_page.h"
#include "ui/model/model_parts.h"
#include "ui/model/operators_page.h"
#include "ui/model/step_page.h"
#include "ui/workbench/commands.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFocusEvent>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace ui {
namespace {

using engine::ModelPhase;

constexpr std::array kPhases{ModelPhase::training, ModelPhase::prompt, ModelPhase::generation};
constexpr std::array kPageNames{"graph", "step", "operators", "memory", "messages", "divisions", "advice"};

}  // namespace

ModelView::ModelView(ModelSessionConfig config, QWidget* parent)
    : QWidget(parent), m_stack(new QStackedWidget(this)), m_times(std::move(config)), m_graph(new GraphPage(m_times)),
      m_step(new StepPage(m_times)), m_operators(new OperatorsPage(m_times)), m_memory(new MemoryPage),
      m_messages(new MessagesPage), m_divisions(new DivisionsPage), m_advice(new AdvicePage) {
    setObjectName(QStringLiteral("modelView"));
    auto* column = flushLayout<QVBoxLayout>(this, 0);
    column->addWidget(buildHead());
    column->addWidget(m_stack, 1);
    const auto name = [](std::size_t page) { return QString::fromLatin1(kPageNames[page]); };
    addPage(name(0), tr("Graph"), tr("The operators of a layer, and where the time goes under each policy"), m_graph);
    addPage(name(1), tr("Step"), tr("When every pass and message of a step runs, on all stages"), m_step);
    addPage(name(2), tr("Operators"), tr("The operators under the machine's roofline, and the time by class"),
            m_operators);
    addPage(name(3), tr("Memory"), tr("What one GPU of each stage holds, and whether it fits"), m_memory);
    addPage(name(4), tr("Messages"), tr("The messages of one GPU in one step, by size, count and bytes"), m_messages);
    addPage(name(5), tr("Divisions"), tr("The ways to divide the model over GPUs, best first"), m_divisions);
    addPage(name(6), tr("Advice"), tr("The sizes that do not suit a GPU, what they cost, and what to change"),
            m_advice);
    // Tab goes from the pages' names to the phase, then to the page itself.
    QWidget::setTabOrder(m_buttons->buttons().back(), m_phases);
    for (const Page& each : m_pages)
        m_stack->addWidget(each.page);
    connect(m_graph, &GraphPage::openRequested, this, &ModelView::openRequested);
    connect(m_graph, &GraphPage::notOpened, this, &ModelView::notOpened);
    connect(m_step, &StepPage::openRequested, this, &ModelView::openRequested);
    connect(m_step, &StepPage::notOpened, this, &ModelView::notOpened);
    connect(m_step, &StepPage::divisionRequested, this, &ModelView::divisionRequested);
    connect(m_divisions, &DivisionsPage::applyRequested, this, &ModelView::applyRequested);
    connect(m_advice, &AdvicePage::changeRequested, this, &ModelView::changeRequested);
    choose(0);
    onEvents(*this, {QEvent::PaletteChange, QEvent::FontChange}, [this] { styleSwitch(); });
    styleSwitch();
}

QWidget* ModelView::buildHead() {
    auto* head = new QWidget(this);
    const int em = fontMetrics().averageCharWidth();
    m_switch = new QWidget(head);
    setNames(*m_switch, QStringLiteral("modelPages"), tr("Pages of the model"));
    newLayout<QHBoxLayout>(m_switch, {1, 0, 0, 0}, 0);  // room for the first border: each overlaps its left neighbour
    m_buttons = new QButtonGroup(this);
    connect(m_buttons, &QButtonGroup::idClicked, this, [this](int index) {
        choose(index);
        // A click moves the focus to the page; keys that move along the buttons leave the focus there.
        if (!m_buttons->button(index)->hasFocus())
            currentPage().picture()->setFocus();
    });
    auto* chooser = new QWidget(head);
    auto* label = new QLabel(tr("&Phase"), chooser);
    m_phases = new QComboBox(chooser);
    label->setBuddy(m_phases);
    setNames(*m_phases, QStringLiteral("modelPhase"), plain(label->text()));
    for (const ModelPhase phase : kPhases)
        m_phases->addItem(phaseTitle(phase));
    connect(m_phases, &QComboBox::currentIndexChanged, this,
            [this](int index) { setPhase(kPhases[static_cast<std::size_t>(std::max(0, index))]); });
    addWidgets(*newLayout<QHBoxLayout>(chooser, {}, em), {label, m_phases});
    // The phase goes to a second row where the names of the pages leave no room for it, as beside a lesson.
    addWidgets(*newLayout<FlowLayout>(head, {em, em, em, em / 2}, 2 * em), {m_switch, chooser});
    return head;
}

void ModelView::addPage(const QString& name, const QString& title, const QString& hint, ModelPage* page) {
    auto* button = new QToolButton(m_switch);
    button->setText(title);
    button->setToolTip(hint);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    setNames(*button, QStringLiteral("modelPage:") + name, tr("%1: %2").arg(title, hint));
    m_buttons->addButton(button, static_cast<int>(m_pages.size()));
    m_switch->layout()->addWidget(button);
    m_pages.push_back({name, page});
    connect(page, &ModelPage::answered, this, [this, page] {
        if (page == &currentPage())
            Q_EMIT modelShown();
    });
}

QStringList ModelView::pageNames() {
    QStringList names;
    for (const char* name : kPageNames)
        names << QString::fromLatin1(name);
    return names;
}

void ModelView::showTasks(std::shared_ptr<const OpenedTasks> tasks) {
    showPage(QStringLiteral("step"));
    m_step->showTasks(std::move(tasks));
}

QString ModelView::page() const { return m_pages[m_current].name; }

bool ModelView::showPage(const QString& name) {
    const auto index = pageNames().indexOf(name);
    if (index < 0)
        return false;
    choose(static_cast<int>(index));
    return true;
}

void ModelView::choose(int index) {
    m_current = static_cast<std::size_t>(index);
    m_buttons->button(index)->setChecked(true);
    m_stack->setCurrentIndex(index);
}

// Used instead of a focus proxy, with which Tab would skip the names of the pages.
void ModelView::focusInEvent(QFocusEvent* event) { currentPage().picture()->setFocus(event->reason()); }

void ModelView::ask() {
    if (!m_experiment)
        return;
    for (const Page& each : m_pages)
        each.page->ask({*m_experiment, m_phase, m_problem});
}

void ModelView::setExperiment(const engine::Experiment& experiment, const QString& problem) {
    m_experiment = modelOf(experiment);
    m_problem = problem;
    ask();
}

void ModelView::setPhase(ModelPhase phase) {
    if (phase == m_phase)
        return;
    m_phase = phase;
    const QSignalBlocker blocker(m_phases);
    m_phases->setCurrentIndex(static_cast<int>(std::find(kPhases.begin(), kPhases.end(), phase) - kPhases.begin()));
    ask();
}

QJsonValue ModelView::save() const {
    QJsonObject kept{{QStringLiteral("phase"), text(engine::name(m_phase))}, {QStringLiteral("page"), page()}};
    for (const Page& each : m_pages)
        each.page->save(kept);
    return kept;
}

bool ModelView::restore(const QJsonValue& kept) {
    const auto phase = engine::modelPhaseNamed(kept[QStringLiteral("phase")].toString().toStdString());
    if (!phase || !GraphPage::policyOf(kept.toObject()))
        return false;
    setPhase(*phase);
    for (const Page& each : m_pages)
        each.page->restore(kept.toObject());
    showPage(kept[QStringLiteral("page")].toString());  // does nothing for old sessions, which name no page
    return true;
}

void ModelView::styleSwitch() {
    const QString sheet = switchSheet(paletteOf(*this), font());
    if (m_switch->styleSheet() != sheet)
        m_switch->setStyleSheet(sheet);
}

}  // namespace ui
