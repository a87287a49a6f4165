#include "ui/charts/chart_view.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/sweep_axes.h"
#include "ui/look/flow_layout.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_state.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

std::size_t chosen(const QComboBox& box) { return static_cast<std::size_t>(box.currentData().toULongLong()); }

void add(QComboBox& box, const QString& text, std::size_t value) {
    box.addItem(text, QVariant::fromValue(static_cast<qulonglong>(value)));
}

void select(QComboBox& box, std::size_t value) {
    box.setCurrentIndex(box.findData(QVariant::fromValue(static_cast<qulonglong>(value))));
}

bool drawsLines(ChartKind kind) {
    return kind == ChartKind::lines || kind == ChartKind::groupedLines || kind == ChartKind::smallMultiples;
}

}  // namespace

ChartBar::ChartBar(SweepState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("chart-bar"));
    auto* layout = new FlowLayout(this);
    const int margin = fontMetrics().height() / 2;
    layout->setContentsMargins(margin, margin / 2, margin, margin / 2);
    layout->setSpacing(fontMetrics().height());
    m_kind = addChooser(tr("Chart"));
    m_metric = addChooser(tr("Metric"));
    m_against = addChooser(tr("Against"));
    m_across = addChooser(tr("X axis"));
    m_second = addChooser(tr("Colour"));
    m_panels = addChooser(tr("Panels"));
    m_policy = addChooser(tr("Policy"));
    for (std::size_t axis = 0; axis < data::kMostAxes; ++axis)
        m_held.push_back(addChooser(QString()));
    m_scale = addChooser(tr("Scale"));
    add(*m_scale.box, tr("automatic"), static_cast<std::size_t>(ValueScale::automatic));
    add(*m_scale.box, tr("linear"), static_cast<std::size_t>(ValueScale::linear));
    add(*m_scale.box, tr("logarithmic"), static_cast<std::size_t>(ValueScale::logarithmic));
    m_published = new QCheckBox(tr("Published"), this);
    m_published->setToolTip(tr("Draws the published geometric means of these policies as dashed lines"));
    layout->addWidget(m_published);

    const auto on = [this](const Chooser& chooser, auto action) {
        connect(chooser.box, &QComboBox::activated, this, [this, action, box = chooser.box] {
            action(chosen(*box));
            refresh();
            Q_EMIT settingsChanged();
        });
    };
    on(m_kind, [this](std::size_t value) { m_settings.kind = static_cast<ChartKind>(value); });
    on(m_metric, [this](std::size_t value) { m_state.setMetric(value); });
    on(m_against, [this](std::size_t value) { m_settings.against = value; });
    on(m_across, [this](std::size_t value) { chooseRole(&ChartSettings::across, value); });
    on(m_second, [this](std::size_t value) { chooseRole(&ChartSettings::second, value); });
    on(m_panels, [this](std::size_t value) { chooseRole(&ChartSettings::panels, value); });
    on(m_policy, [this](std::size_t value) {
        m_settings.policy = value > 0 ? std::optional(value - 1) : std::nullopt;  // the first entry is "all"
    });
    on(m_scale, [this](std::size_t value) { m_settings.scale = static_cast<ValueScale>(value); });
    for (std::size_t i = 0; i < m_held.size(); ++i) {
        on(m_held[i], [this, i](std::size_t value) {
            m_settings.held.resize(data::kMostAxes);
            m_settings.held[m_heldAxis[i]] = value;
        });
    }
    connect(m_published, &QCheckBox::toggled, this, [this](bool published) {
        if (m_settings.published == published)
            return;
        m_settings.published = published;
        Q_EMIT settingsChanged();
    });
    connect(&m_state, &SweepState::tableChanged, this, &ChartBar::refresh);
    connect(&m_state, &SweepState::metricChanged, this, &ChartBar::refresh);
    refresh();
}

ChartBar::Chooser ChartBar::addChooser(const QString& name) {
    Chooser chooser;
    chooser.holder = new QWidget(this);
    auto* row = flushLayout<QHBoxLayout>(chooser.holder);
    chooser.label = new QLabel(name, chooser.holder);
    chooser.box = new QComboBox(chooser.holder);
    chooser.box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    chooser.box->setAccessibleName(name.isEmpty() ? tr("Value of another axis") : name);
    chooser.label->setBuddy(chooser.box);
    row->addWidget(chooser.label);
    row->addWidget(chooser.box);
    layout()->addWidget(chooser.holder);
    return chooser;
}

void ChartBar::setSettings(const ChartSettings& settings) {
    m_settings = settings;
    refresh();
}

// If another role has the chosen axis, the two roles swap their axes.
void ChartBar::chooseRole(std::optional<std::size_t> ChartSettings::*role, std::size_t axis) {
    const ChartPlan plan = planChart(m_settings, *m_state.table(), m_state.metric());
    m_settings.across = plan.across ? plan.across : m_settings.across;
    m_settings.second = plan.second ? plan.second : m_settings.second;
    m_settings.panels = plan.panels ? plan.panels : m_settings.panels;
    const std::optional<std::size_t> before = m_settings.*role;
    for (const auto other : {&ChartSettings::across, &ChartSettings::second, &ChartSettings::panels}) {
        if (m_settings.*other == axis)
            m_settings.*other = before;
    }
    m_settings.*role = axis;
}

void ChartBar::refresh() {
    const auto& table = m_state.table();
    setVisible(table != nullptr && !table->rows.empty() && !table->metrics.empty());
    if (!table || table->rows.empty() || table->metrics.empty())
        return;
    const ChartPlan plan = planChart(m_settings, *table, m_state.metric());
    fillKinds(plan);
    fillMetrics(plan);
    fillRoles(plan);
    fillPolicies(plan);
    fillHeld(plan);
    select(*m_scale.box, static_cast<std::size_t>(m_settings.scale));
    const std::size_t metric = std::min(m_state.metric(), table->metrics.size() - 1);
    m_published->setVisible(drawsLines(plan.kind) && !publishedMarks(*table, plan, metric).empty());
    m_published->setChecked(m_settings.published);
}

void ChartBar::fillKinds(const ChartPlan& plan) {
    m_kind.box->clear();
    for (const ChartKind kind : kChartKinds) {
        if (isPossible(kind, *m_state.table()))
            add(*m_kind.box, nameOf(kind), static_cast<std::size_t>(kind));
    }
    select(*m_kind.box, static_cast<std::size_t>(plan.kind));
}

void ChartBar::fillMetrics(const ChartPlan& plan) {
    m_metric.box->clear();
    m_against.box->clear();
    for (std::size_t metric = 0; metric < m_state.table()->metrics.size(); ++metric) {
        add(*m_metric.box, metricTitle(m_state.table()->metrics[metric]), metric);
        if (metric != m_state.metric())
            add(*m_against.box, metricTitle(m_state.table()->metrics[metric]), metric);
    }
    const std::vector<data::SweepAxis>& axes = m_state.table()->sweep.axes;
    std::size_t behind = m_state.table()->metrics.size();
    for (const CostColumn& cost : costColumns(m_state.table()->sweep))
        add(*m_against.box, columnTitle(axes[cost.axis].columns[cost.column]), behind++);
    select(*m_metric.box, m_state.metric());
    select(*m_against.box, plan.against.value_or(0));
    m_metric.holder->setVisible(plan.kind != ChartKind::parallel || m_metric.box->count() > 1);
    m_against.holder->setVisible(plan.kind == ChartKind::pareto);
}

void ChartBar::fillRoles(const ChartPlan& plan) {
    const std::vector<data::SweepAxis>& axes = m_state.table()->sweep.axes;
    m_second.label->setText(plan.kind == ChartKind::heatMap ? tr("Y axis") : tr("Colour"));
    for (const auto& [chooser, role] :
         {std::pair{m_across, plan.across}, {m_second, plan.second}, {m_panels, plan.panels}}) {
        chooser.box->clear();
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            add(*chooser.box, axisTitle(axes[axis]), axis);
        chooser.holder->setVisible(role.has_value() && axes.size() > 1);
        if (role)
            select(*chooser.box, *role);
    }
}

void ChartBar::fillPolicies(const ChartPlan& plan) {
    const std::vector<std::string>& policies = m_state.table()->sweep.policies;
    m_policy.box->clear();
    add(*m_policy.box, tr("all, side by side"), 0);
    for (std::size_t policy = 0; policy < policies.size(); ++policy)
        add(*m_policy.box, titleOfPolicy(policies[policy]), policy + 1);
    select(*m_policy.box, plan.policies.size() == 1 && policies.size() > 1 ? plan.policies.front() + 1 : 0);
    m_policy.holder->setVisible(hasPolicyPanels(plan.kind) && policies.size() > 1);
}

void ChartBar::fillHeld(const ChartPlan& plan) {
    m_heldAxis = plan.heldAxes;
    for (std::size_t i = 0; i < m_held.size(); ++i) {
        m_held[i].holder->setVisible(i < plan.heldAxes.size());
        if (i >= plan.heldAxes.size())
            continue;
        const data::SweepAxis& axis = m_state.table()->sweep.axes[plan.heldAxes[i]];
        m_held[i].label->setText(axisTitle(axis));
        m_held[i].box->setAccessibleName(axisTitle(axis));
        m_held[i].box->clear();
        for (std::size_t value = 0; value < axis.size(); ++value)
            add(*m_held[i].box, axisValueText(axis, value), value);
        select(*m_held[i].box, plan.held[plan.heldAxes[i]]);
    }
}

ChartView::ChartView(SweepState& state, QWidget* parent)
    : QWidget(parent), m_bar(new ChartBar(state, this)), m_canvas(new ChartCanvas(state, this)) {
    setObjectName(QStringLiteral("charts"));
    auto* layout = flushLayout<QVBoxLayout>(this);
    layout->addWidget(m_bar);
    layout->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    connect(m_bar, &ChartBar::settingsChanged, this, [this] {
        m_canvas->setSettings(m_bar->settings());
        Q_EMIT settingsChanged();
    });
}

const ChartSettings& ChartView::settings() const { return m_bar->settings(); }

void ChartView::setSettings(const ChartSettings& settings) {
    m_bar->setSettings(settings);
    m_canvas->setSettings(settings);
}

}  // namespace ui
