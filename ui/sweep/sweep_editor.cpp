#include "ui/sweep/sweep_editor.h"

#include "data/presets/presets.h"
#include "data/results/metrics.h"
#include "ui/look/flow_layout.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/sweep_model.h"
#include "ui/sweep/sweep_words.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

constexpr int kTypingPauseMs = 250;
enum Column { kName, kKindOf, kValues, kSize, kMore, kRemove };

const engine::Parameter& parameterOf(const ColumnDraft& column) { return *engine::findParameter(column.path); }

}  // namespace

AxisRow::AxisRow(const AxisDraft& axis, QWidget* parent)
    : QFrame(parent), m_draft(axis),
      m_hasRange(axis.columns.size() == 1 && canHaveRange(parameterOf(axis.columns.front()))),
      m_kind(new QComboBox(this)), m_size(new QLabel(this)),
      m_problem(newWrappedLabel(this, QStringLiteral("problem"))), m_more(new QToolButton(this)),
      m_remove(new QToolButton(this)), m_pause(pauseTimer(this, kTypingPauseMs, [this] { commit(); })) {
    setObjectName(QStringLiteral("axis:") + text(axis.columns.front().path));
    auto* grid = flushLayout<QGridLayout>(this);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(kValues, 1);
    grid->setColumnMinimumWidth(kName, fontMetrics().averageCharWidth() * 26);
    grid->setColumnMinimumWidth(kSize, fontMetrics().horizontalAdvance(tr("%1 values").arg(QStringLiteral("000"))));
    m_range = buildRange();
    for (std::size_t i = 0; i < axis.columns.size(); ++i)
        buildColumn(i);
    const QString name = text(parameterOf(axis.columns.front()).label);
    m_kind->setAccessibleName(tr("How the values of %1 are given").arg(name));
    m_kind->setFixedWidth(fontMetrics().averageCharWidth() * 15);
    m_size->setObjectName(QStringLiteral("size"));
    m_problem->hide();
    makeFlat(*m_remove, tr("Stop varying %1").arg(name));
    m_remove->setObjectName(QStringLiteral("remove"));
    m_remove->setFocusPolicy(Qt::StrongFocus);
    connect(m_remove, &QToolButton::clicked, this, &AxisRow::removeRequested);
    buildMenu();
    grid->addWidget(m_kind, 0, kKindOf);
    grid->addWidget(m_size, 0, kSize);
    grid->addWidget(m_more, 0, kMore);
    grid->addWidget(m_remove, 0, kRemove);
    grid->addWidget(m_problem, static_cast<int>(axis.columns.size()) + 1, kValues, 1, kRemove - kValues + 1);
    connect(m_kind, &QComboBox::activated, this, [this] {
        commit();
        Q_EMIT edited(withKind(m_draft, static_cast<AxisKind>(m_kind->currentData().toInt())));
        Q_EMIT editFinished();
    });
    followColours(*this, [this] { applyColors(); });
}

void AxisRow::buildColumn(std::size_t index) {
    const engine::Parameter& parameter = parameterOf(m_draft.columns[index]);
    auto* name = new QLabel(placeOf(parameter), this);
    name->setToolTip(QStringLiteral("<p>%1</p><p><code>%2</code></p>")
                         .arg(text(parameter.meaning).toHtmlEscaped(), text(parameter.path)));
    auto* list = newEdit(tr("Values of %1").arg(text(parameter.label)));
    list->setObjectName(QStringLiteral("values"));
    list->setToolTip(tr("Values separated by commas; allowed: %1").arg(text(engine::describeAllowed(parameter))));
    name->setBuddy(list);
    m_lists.push_back(list);
    auto* grid = static_cast<QGridLayout*>(layout());
    const int row = static_cast<int>(index);
    grid->addWidget(name, row, kName);
    grid->addWidget(list, row, kValues);
    if (index == 0)
        grid->addWidget(m_range, row, kValues, Qt::AlignLeft);
}

QWidget* AxisRow::buildRange() {
    auto* range = new QWidget(this);
    auto* line = flushLayout<QHBoxLayout>(range, 6);
    const engine::Parameter& parameter = parameterOf(m_draft.columns.front());
    const QString label = text(parameter.label), allowed = text(engine::describeAllowed(parameter));
    m_from = newEdit(tr("%1 from").arg(label));
    m_to = newEdit(tr("%1 to").arg(label));
    m_count = newEdit(tr("Number of values of %1").arg(label));
    m_from->setObjectName(QStringLiteral("from"));
    m_to->setObjectName(QStringLiteral("to"));
    m_count->setObjectName(QStringLiteral("count"));
    for (QLineEdit* edit : {m_from, m_to}) {
        edit->setToolTip(tr("Allowed: %1").arg(allowed));
        edit->setFixedWidth(fontMetrics().averageCharWidth() * 13);
    }
    m_count->setFixedWidth(fontMetrics().averageCharWidth() * 7);
    line->addWidget(new QLabel(tr("from"), range));
    line->addWidget(m_from);
    line->addWidget(new QLabel(tr("to"), range));
    line->addWidget(m_to);
    line->addWidget(new QLabel(tr("count"), range));
    line->addWidget(m_count);
    return range;
}

QLineEdit* AxisRow::newEdit(const QString& name) {
    auto* edit = new QLineEdit(this);
    edit->setAccessibleName(name);
    leaveUndoToTheWindow(*edit);
    connect(edit, &QLineEdit::textEdited, this, [this] { m_pause->start(); });
    connect(edit, &QLineEdit::editingFinished, this, [this] {
        commit();
        Q_EMIT editFinished();
    });
    return edit;
}

void AxisRow::buildMenu() {
    makeFlat(*m_more, tr("Move, zip or unzip this axis"));
    m_more->setObjectName(QStringLiteral("more"));
    m_more->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_more);
    m_up = menu->addAction(tr("Move &Up"), this, [this] { Q_EMIT moveRequested(-1); });
    m_down = menu->addAction(tr("Move &Down"), this, [this] { Q_EMIT moveRequested(1); });
    menu->addSeparator();
    m_zip = menu->addAction(tr("&Zip with the Axis Above"), this, &AxisRow::zipRequested);
    m_zip->setToolTip(tr("Varies both axes in step: the first values together, then the second ones"));
    m_unzip = menu->addAction(tr("Un&zip"), this, &AxisRow::unzipRequested);
    menu->setToolTipsVisible(true);
    connect(m_more, &QToolButton::clicked, menu,
            [this, menu] { menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height()))); });
}

bool AxisRow::fits(const AxisDraft& axis) const {
    return std::equal(axis.columns.begin(), axis.columns.end(), m_draft.columns.begin(), m_draft.columns.end(),
                      [](const ColumnDraft& a, const ColumnDraft& b) { return a.path == b.path; });
}

void AxisRow::showAxis(const AxisDraft& axis, std::size_t count, const QString& problem) {
    const auto show = [](QLineEdit& edit, const QString& text) {
        if (edit.text() != text)
            edit.setText(text);
    };
    m_pause->stop();
    m_draft = axis;
    m_kind->clear();
    if (axis.kind == AxisKind::zipped)
        m_kind->addItem(tr("Zipped lists"), static_cast<int>(AxisKind::zipped));
    else
        m_kind->addItem(tr("List"), static_cast<int>(AxisKind::list));
    if (m_hasRange) {
        m_kind->addItem(tr("Range"), static_cast<int>(AxisKind::linear));
        m_kind->addItem(tr("Log range"), static_cast<int>(AxisKind::logarithmic));
    }
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(axis.kind)));
    m_kind->setEnabled(m_kind->count() > 1);
    const bool isRange = axis.kind == AxisKind::linear || axis.kind == AxisKind::logarithmic;
    for (std::size_t i = 0; i < m_lists.size(); ++i)
        show(*m_lists[i], axis.columns[i].values);
    show(*m_from, axis.from);
    show(*m_to, axis.to);
    show(*m_count, axis.count);
    // The texts are set before, because a field that is hidden while it has the focus emits editingFinished.
    m_range->setVisible(isRange);
    for (QLineEdit* list : m_lists)
        list->setVisible(!isRange);
    m_size->setText(!problem.isEmpty() ? QString() : count == 1 ? tr("1 value") : tr("%1 values").arg(count));
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    applyColors();
}

void AxisRow::showPlace(std::size_t index, std::size_t of) {
    m_up->setEnabled(index > 0);
    m_down->setEnabled(index + 1 < of);
    m_zip->setEnabled(index > 0);
    m_unzip->setEnabled(m_draft.kind == AxisKind::zipped);
}

void AxisRow::commit() {
    m_pause->stop();
    AxisDraft typed = m_draft;
    typed.from = m_from->text();
    typed.to = m_to->text();
    typed.count = m_count->text();
    for (std::size_t i = 0; i < m_lists.size(); ++i)
        typed.columns[i].values = m_lists[i]->text();
    if (typed != m_draft)
        Q_EMIT edited(typed);
}

void AxisRow::takeFocus() {
    QLineEdit* first = m_range->isHidden() ? m_lists.front() : m_from;
    first->setFocus(Qt::ShortcutFocusReason);
    first->selectAll();
}

void AxisRow::applyColors() {
    const Palette& colors = paletteOf(*this);
    setInk(*m_problem, colors.error);
    setInk(*m_size, colors.inkSoft);
    m_more->setIcon(tintedIcon(QStringLiteral("more"), colors.inkSoft));
    m_remove->setIcon(tintedIcon(QStringLiteral("close"), colors.inkSoft));
}

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
    // The check boxes wrap into several rows where the width is small, so that no name is cut off.
    auto* policies = new QWidget(this);
    m_policyRow = policies;
    QSizePolicy flows(QSizePolicy::Expanding, QSizePolicy::Minimum);
    flows.setHeightForWidth(true);
    flows.setRetainSizeWhenHidden(true);  // the button of the metrics keeps its place
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
    m_metrics->setToolTip(tr("Chooses the metrics that table and chart show; the chart begins with the first one"));
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
            // A row may be emitting a signal at this moment, so it is disconnected now and deleted later.
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
    m_policyRow->setVisible(data::isTimed(m_model.of()));
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
    // The order is that of data::policies(), in which charts draw the policies.
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
    for (const data::Metric* metric : data::metricsOf(m_model.of())) {
        QAction* action = m_metricsMenu->addAction(text(metric->label));
        action->setCheckable(true);
        action->setToolTip(text(metric->meaning));
        action->setChecked(std::find(chosen.begin(), chosen.end(), metric->path) != chosen.end());
        connect(action, &QAction::toggled, this, [this, path = metric->path](bool on) { toggleMetric(path, on); });
    }
    m_metricsMenu->setToolTipsVisible(true);
}

}  // namespace ui
