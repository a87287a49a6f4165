#include "ui/sweep/axis_row.h"

#include "ui/look/palette.h"
#include "ui/look/text.h"
#include "ui/look/tinted_icon.h"
#include "ui/look/undo_keys.h"
#include "ui/look/widget_events.h"
#include "ui/look/widget_parts.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace ui {
namespace {

constexpr int kTypingPauseMs = 250;
enum Column { kName, kKindOf, kValues, kSize, kMore, kRemove };

const engine::Parameter& parameterOf(const ColumnDraft& column) { return *engine::findParameter(column.path); }

QString placeOf(const engine::Parameter& parameter) {
    const std::string_view name = engine::name(parameter.group);
    const QString group = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    const QString label = text(parameter.label);
    return group == label ? label : QStringLiteral("%1: %2").arg(group, label);
}

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
    makeFlat(*m_remove, tr("No longer vary %1").arg(name));
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
    list->setToolTip(tr("Separated by commas; allowed: %1").arg(text(engine::describeAllowed(parameter))));
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
    line->addWidget(new QLabel(tr("in"), range));
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
    m_zip->setToolTip(tr("Their lists go along step by step, instead of every value with every other"));
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
    // Only now: a field that is hidden while it has the focus tells that it was edited to the end.
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

}  // namespace ui
