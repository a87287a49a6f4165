#include "ui/sweep/sweep_editor.h"

#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "ui/look/flow_layout.h"
#include "ui/look/text.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_model.h"
#include "ui/sweep/axis_row.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {}  // namespace

SweepEditor::SweepEditor(SweepModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_rowsColumn(new QVBoxLayout), m_metrics(new QPushButton(this)),
      m_metricsMenu(new QMenu(m_metrics)) {
    setObjectName(QStringLiteral("sweepEditor"));
    auto* column = flushLayout<QVBoxLayout>(this, 6);
    m_rowsColumn->setSpacing(4);
    column->addLayout(m_rowsColumn);
    buildFoot();
    connect(&m_model, &SweepModel::changed, this, &SweepEditor::refresh);
    refresh();
}

void SweepEditor::buildFoot() {
    auto* foot = new QHBoxLayout;
    foot->setSpacing(fontMetrics().averageCharWidth() * 2);
    // In as many rows as the width takes: names are not cut.
    auto* policies = new QWidget(this);
    QSizePolicy flows(QSizePolicy::Expanding, QSizePolicy::Minimum);
    flows.setHeightForWidth(true);
    policies->setSizePolicy(flows);
    auto* flow = flushLayout<FlowLayout>(policies, fontMetrics().averageCharWidth() * 2);
    flow->addWidget(new QLabel(tr("Policies"), policies));
    for (const data::Preset& policy : data::policies()) {
        auto* box = new QCheckBox(text(policy.title), policies);
        box->setObjectName(QStringLiteral("policy:") + text(policy.name));
        box->setToolTip(text(policy.notes));
        connect(box, &QCheckBox::toggled, this, [this, name = policy.name](bool on) { togglePolicy(name, on); });
        m_policies[policy.name] = box;
        flow->addWidget(box);
    }
    foot->addWidget(policies, 1);
    m_metrics->setObjectName(QStringLiteral("metrics"));
    m_metrics->setAutoDefault(false);
    m_metrics->setToolTip(tr("Which numbers of each run table and chart show; the first one is drawn first"));
    m_metrics->setMenu(m_metricsMenu);
    connect(m_metricsMenu, &QMenu::aboutToShow, this, &SweepEditor::fillMetrics);
    m_metrics->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    foot->addWidget(m_metrics, 0, Qt::AlignTop);
    static_cast<QVBoxLayout*>(layout())->addLayout(foot);
}

void SweepEditor::commit() {
    for (AxisRow* row : m_rows)
        row->commit();
}

void SweepEditor::focusAxis(const std::string& path) {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        for (const ColumnDraft& column : m_model.axes()[i].columns) {
            if (column.path == path)
                m_rows[i]->takeFocus();
        }
    }
}

AxisRow* SweepEditor::newRow(std::size_t index) {
    auto* row = new AxisRow(m_model.axes()[index], this);
    const auto indexOf = [this, row] {
        return static_cast<std::size_t>(std::find(m_rows.begin(), m_rows.end(), row) - m_rows.begin());
    };
    connect(row, &AxisRow::edited, this, [this, indexOf](const AxisDraft& axis) { m_model.setAxis(indexOf(), axis); });
    connect(row, &AxisRow::editFinished, &m_model, &SweepModel::finishEdit);
    connect(row, &AxisRow::moveRequested, this, [this, indexOf](int by) { m_model.moveAxis(indexOf(), by); });
    connect(row, &AxisRow::zipRequested, this, [this, indexOf] { m_model.zipWithAbove(indexOf()); });
    connect(row, &AxisRow::unzipRequested, this, [this, indexOf] { m_model.unzip(indexOf()); });
    connect(row, &AxisRow::removeRequested, this, [this, indexOf] { m_model.removeAxis(indexOf()); });
    return row;
}

void SweepEditor::refresh() {
    const std::vector<AxisDraft>& axes = m_model.axes();
    const bool same = std::equal(m_rows.begin(), m_rows.end(), axes.begin(), axes.end(),
                                 [](const AxisRow* row, const AxisDraft& axis) { return row->fits(axis); });
    if (!same) {
        for (AxisRow* row : m_rows) {
            // One of them may be in the middle of telling about a click.
            row->disconnect(this);
            row->disconnect(&m_model);
            row->hide();
            m_rowsColumn->removeWidget(row);
            row->setParent(nullptr);
            row->deleteLater();
        }
        m_rows.clear();
        for (std::size_t i = 0; i < axes.size(); ++i) {
            m_rows.push_back(newRow(i));
            m_rowsColumn->addWidget(m_rows.back());
        }
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->showAxis(axes[i], m_model.countOf(i), m_model.problemOf(i));
        m_rows[i]->showPlace(i, m_rows.size());
    }
    for (const auto& [name, box] : m_policies) {
        const QSignalBlocker quiet(box);
        const std::vector<std::string>& chosen = m_model.policies();
        box->setChecked(std::find(chosen.begin(), chosen.end(), name) != chosen.end());
    }
    const std::vector<std::string>& metrics = m_model.metrics();
    const data::Metric* first = metrics.empty() ? nullptr : data::findMetric(metrics.front());
    m_metrics->setText(first == nullptr      ? tr("Metrics")
                       : metrics.size() == 1 ? text(first->label)
                                             : tr("%1 and %2 more").arg(text(first->label)).arg(metrics.size() - 1));
    m_metrics->setAccessibleName(tr("Metrics: %1").arg(m_metrics->text()));
}

void SweepEditor::togglePolicy(const std::string& policy, bool on) {
    // In the order of the table, which charts draw them in.
    std::vector<std::string> chosen;
    for (const data::Preset& preset : data::policies()) {
        const std::vector<std::string>& before = m_model.policies();
        const bool was = std::find(before.begin(), before.end(), preset.name) != before.end();
        if (preset.name == policy ? on : was)
            chosen.push_back(preset.name);
    }
    m_model.setPolicies(chosen);
}

void SweepEditor::toggleMetric(const std::string& path, bool on) {
    std::vector<std::string> metrics = m_model.metrics();
    std::erase(metrics, path);
    if (on)
        metrics.push_back(path);
    m_model.setMetrics(metrics);
}

void SweepEditor::fillMetrics() {
    m_metricsMenu->clear();
    const std::vector<std::string>& chosen = m_model.metrics();
    for (const data::Metric& metric : data::metrics()) {
        QAction* action = m_metricsMenu->addAction(text(metric.label));
        action->setCheckable(true);
        action->setToolTip(text(metric.meaning));
        action->setChecked(std::find(chosen.begin(), chosen.end(), metric.path) != chosen.end());
        connect(action, &QAction::toggled, this, [this, path = metric.path](bool on) { toggleMetric(path, on); });
    }
    m_metricsMenu->setToolTipsVisible(true);
}

}  // namespace ui
