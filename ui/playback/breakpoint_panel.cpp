#include "ui/playback/breakpoint_panel.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/shared/breakpoint_list.h"
#include "ui/shared/player.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QScreen>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kAny = -1;

/// The unit of the number that the user types.
struct Unit {
    QString text;
    double size = 1;  ///< in picoseconds or bytes; 1 for a count
    int decimals = 0;
};

Unit unitOf(BreakCondition condition) {
    switch (condition) {
    case BreakCondition::time:
    case BreakCondition::linkIdle: return {QStringLiteral("\u00a0µs"), 1e6, 3};
    case BreakCondition::computeQueue:
    case BreakCondition::communicationQueue: return {QStringLiteral("\u00a0KB"), 1e3, 1};
    default: return {};
    }
}

}  // namespace

BreakpointPanel::BreakpointPanel(BreakpointList& breakpoints, Player& player, QWidget* parent)
    : QWidget(parent, Qt::Popup), m_breakpoints(breakpoints), m_player(player), m_list(new QListWidget(this)),
      m_empty(new QLabel(tr("Playback stops when a breakpoint is met."), this)), m_condition(new QComboBox(this)),
      m_number(new QDoubleSpinBox(this)), m_gpu(new QComboBox(this)), m_remove(new QPushButton(tr("Remove"), this)),
      m_previous(new QPushButton(tr("Previous Hit"), this)), m_next(new QPushButton(tr("Next Hit"), this)) {
    setObjectName(QStringLiteral("breakpoints"));
    const int em = fontMetrics().averageCharWidth();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(em * 2, em * 3 / 2, em * 2, em * 3 / 2);
    column->setSpacing(em);
    column->addWidget(makeList(), 1);
    column->addWidget(makeEditor());
    column->addWidget(makeButtons());
    setGpus(1);
    showUnit();
    showList();
    connect(&m_breakpoints, &BreakpointList::changed, this, &BreakpointPanel::showList);
}

QWidget* BreakpointPanel::makeList() {
    const int em = fontMetrics().averageCharWidth();
    m_list->setAccessibleName(tr("Breakpoints"));
    m_list->setMinimumSize(em * 62, fontMetrics().lineSpacing() * 7);
    connect(m_list, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
        if (!m_filling)
            m_breakpoints.setEnabled(static_cast<std::size_t>(m_list->row(item)), item->checkState() == Qt::Checked);
    });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) { m_remove->setEnabled(row >= 0); });
    auto* remove = new QAction(tr("Remove"), m_list);
    remove->setShortcuts({QKeySequence(Qt::Key_Delete), QKeySequence(Qt::Key_Backspace)});
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(remove);
    connect(remove, &QAction::triggered, this, &BreakpointPanel::removeCurrent);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setEnabled(false);
    auto* place = new QVBoxLayout(m_list);
    place->addWidget(m_empty);
    return m_list;
}

QWidget* BreakpointPanel::makeEditor() {
    auto* editor = new QWidget(this);
    const std::pair<BreakCondition, QString> conditions[] = {
        {BreakCondition::chunkComplete, tr("chunk is complete")},
        {BreakCondition::entryFull, tr("tracker entry reaches its threshold")},
        {BreakCondition::trackerEntries, tr("tracker entries, at least")},
        {BreakCondition::waveEnd, tr("wave ends")},
        {BreakCondition::pieceEnd, tr("piece of the GEMM ends")},
        {BreakCondition::linkIdle, tr("link idle for")},
        {BreakCondition::computeQueue, tr("compute queue over")},
        {BreakCondition::communicationQueue, tr("communication queue over")},
        {BreakCondition::dmaQueue, tr("waiting DMA commands, more than")},
        {BreakCondition::time, tr("time")},
    };
    for (const auto& [condition, text] : conditions)
        m_condition->addItem(text, static_cast<int>(condition));
    m_condition->setAccessibleName(tr("Condition"));
    m_number->setAccessibleName(tr("Number"));
    m_number->findChild<QLineEdit*>()->setAccessibleName(m_number->accessibleName());
    m_number->setMinimumWidth(fontMetrics().averageCharWidth() * 16);
    m_gpu->setAccessibleName(tr("GPU"));
    auto* add = new QPushButton(tr("Add"), editor);
    auto* row = flushLayout<QHBoxLayout>(editor);
    row->addWidget(m_condition, 1);
    row->addWidget(m_number);
    row->addWidget(m_gpu);
    row->addWidget(add);
    connect(m_condition, &QComboBox::currentIndexChanged, this, &BreakpointPanel::showUnit);
    connect(add, &QPushButton::clicked, this, &BreakpointPanel::addEdited);
    return editor;
}

QWidget* BreakpointPanel::makeButtons() {
    auto* buttons = new QWidget(this);
    auto* row = flushLayout<QHBoxLayout>(buttons);
    row->addWidget(m_remove);
    row->addStretch(1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    m_previous->setToolTip(tr("Moves the cursor back to the previous time at which a breakpoint is met"));
    m_next->setToolTip(tr("Moves the cursor to the next time at which a breakpoint is met"));
    connect(m_remove, &QPushButton::clicked, this, &BreakpointPanel::removeCurrent);
    connect(m_previous, &QPushButton::clicked, &m_player, &Player::runToPrevious);
    connect(m_next, &QPushButton::clicked, &m_player, &Player::runToNext);
    return buttons;
}

void BreakpointPanel::setGpus(std::uint32_t gpus) {
    if (m_gpu->count() == static_cast<int>(gpus) + 1)
        return;
    m_gpu->clear();
    m_gpu->addItem(tr("any GPU"));
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        m_gpu->addItem(tr("GPU %1").arg(gpu));
}

void BreakpointPanel::popUpAt(const QWidget& anchor) {
    adjustSize();
    QPoint corner = anchor.mapToGlobal(QPoint(anchor.width() - width(), anchor.height()));
    if (const QScreen* screen = anchor.screen()) {
        const QRect room = screen->availableGeometry();
        corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
        if (corner.y() + height() > room.bottom())
            corner.setY(std::max(room.top(), anchor.mapToGlobal(QPoint()).y() - height()));
    }
    move(corner);
    show();
    m_condition->setFocus();
}

// Paints a border, because the edge of a dark panel on a dark window would not be visible.
void BreakpointPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(paletteOf(*this).inkFaint);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

BreakCondition BreakpointPanel::condition() const {
    return static_cast<BreakCondition>(m_condition->currentData().toInt());
}

void BreakpointPanel::showUnit() {
    const BreakCondition chosen = condition();
    const Unit unit = unitOf(chosen);
    m_number->setDecimals(unit.decimals);
    m_number->setSuffix(unit.text);
    m_number->setRange(allowsAny(chosen)                   ? kAny
                       : chosen == BreakCondition::waveEnd ? 1
                                                           : 0,
                       static_cast<double>(mostOf(chosen)) / unit.size);
    m_number->setSpecialValueText(allowsAny(chosen) ? tr("any") : QString());
    m_number->setValue(allowsAny(chosen) ? kAny : chosen == BreakCondition::dmaQueue ? 0 : 1);
    m_gpu->setEnabled(concernsGpu(chosen));
}

void BreakpointPanel::addEdited() {
    m_number->interpretText();
    Breakpoint breakpoint;
    breakpoint.condition = condition();
    if (m_number->value() > kAny)
        breakpoint.number = std::llround(m_number->value() * unitOf(breakpoint.condition).size);
    if (concernsGpu(breakpoint.condition) && m_gpu->currentIndex() > 0)
        breakpoint.gpu = static_cast<std::uint32_t>(m_gpu->currentIndex() - 1);
    m_breakpoints.add(breakpoint);
}

void BreakpointPanel::removeCurrent() {
    if (m_list->currentRow() >= 0)
        m_breakpoints.remove(static_cast<std::size_t>(m_list->currentRow()));
}

void BreakpointPanel::showList() {
    const int row = m_list->currentRow();
    m_filling = true;
    m_list->clear();
    for (std::size_t i = 0; i < m_breakpoints.all().size(); ++i) {
        const Breakpoint& breakpoint = m_breakpoints.all()[i];
        QString text = breakpoint.text();
        if (const auto count = m_breakpoints.countOf(i))
            text += QStringLiteral("  ·  ") + (*count == 0   ? tr("never met in this run")
                                               : *count == 1 ? tr("met once")
                                                             : tr("met %1 times").arg(*count));
        auto* item = new QListWidgetItem(text, m_list);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(breakpoint.enabled ? Qt::Checked : Qt::Unchecked);
    }
    m_filling = false;
    m_list->setCurrentRow(std::min(row, m_list->count() - 1));
    const bool any = m_list->count() > 0;
    m_empty->setVisible(!any);
    m_remove->setEnabled(m_list->currentRow() >= 0);
    m_previous->setEnabled(any);
    m_next->setEnabled(any);
}

}  // namespace ui
