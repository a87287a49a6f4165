#include "ui/commands/shortcut_sheet.h"

#include "ui/shared/commands.h"
#include "ui/shared/palette.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr qsizetype kMostCaps = 3;  // the palette and the dialog have all

struct Block {
    QString title;
    std::vector<std::pair<QString, QString>> lines;  ///< keys as rich text, what they do
    int height() const { return static_cast<int>(lines.size()) + 2; }
};

/// Each key on a ground of its own, so that a comma or a dot is seen as one.
QString keyCaps(const Command& command, const Palette& colors) {
    QStringList caps;
    for (const QKeySequence& key : command.action->shortcuts()) {
        caps << QStringLiteral("<span style='background:%1'>&nbsp;%2&nbsp;</span>")
                    .arg(colors.line.name(), key.toString(QKeySequence::NativeText).toHtmlEscaped());
    }
    return caps.mid(0, kMostCaps).join(QStringLiteral("&nbsp; "));
}

std::vector<Block> blocksOf(const Commands& commands, const Palette& colors) {
    std::vector<Block> blocks;
    for (std::size_t group = 0; group < kCommandGroups; ++group) {
        Block block{plain(titleOf(static_cast<CommandGroup>(group))), {}};
        for (const Command& command : commands.all()) {
            if (command.group == static_cast<CommandGroup>(group) && !command.action->shortcuts().isEmpty())
                block.lines.emplace_back(keyCaps(command, colors), command.plainText());
        }
        for (const Gesture& gesture : commands.gestures()) {
            if (gesture.group == static_cast<CommandGroup>(group))
                block.lines.emplace_back(gesture.how.toHtmlEscaped(), gesture.what);
        }
        if (!block.lines.empty())
            blocks.push_back(std::move(block));
    }
    return blocks;
}

/// Columns of about the same height, blocks in their order.
std::vector<std::vector<Block>> inColumns(std::vector<Block> blocks, int count) {
    int left = 0;
    for (const Block& block : blocks)
        left += block.height();
    std::vector<std::vector<Block>> columns(1);
    int height = 0;
    for (Block& block : blocks) {
        const int columnsLeft = count - static_cast<int>(columns.size()) + 1;
        const bool isFull =
            height > 0 && columnsLeft > 1 && height + block.height() / 2 > (height + left) / columnsLeft;
        if (isFull) {
            columns.emplace_back();
            height = 0;
        }
        height += block.height();
        left -= block.height();
        columns.back().push_back(std::move(block));
    }
    return columns;
}

QWidget* writeColumn(const std::vector<Block>& blocks) {
    auto* column = new QWidget;
    auto* grid = new QGridLayout(column);
    const int em = column->fontMetrics().averageCharWidth();
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(em * 2);
    grid->setVerticalSpacing(column->fontMetrics().height() / 3);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const Block& block : blocks) {
        auto* title = new QLabel(QStringLiteral("<b>%1</b>").arg(block.title));
        title->setContentsMargins(0, row > 0 ? column->fontMetrics().height() : 0, 0, 0);
        grid->addWidget(title, row++, 0, 1, 2);
        for (const auto& [keys, text] : block.lines) {
            auto* key = new QLabel(keys);
            key->setTextFormat(Qt::RichText);
            auto* what = new QLabel(text);
            what->setTextFormat(Qt::PlainText);
            grid->addWidget(key, row, 0, Qt::AlignLeft | Qt::AlignTop);
            grid->addWidget(what, row++, 1, Qt::AlignLeft | Qt::AlignTop);
        }
    }
    grid->setRowStretch(row, 1);
    return column;
}

}  // namespace

ShortcutSheet::ShortcutSheet(const Commands& commands, QWidget& window)
    : Overlay(window), m_commands(commands), m_scroll(new QScrollArea(this)) {
    setObjectName(QStringLiteral("shortcutSheet"));
    setAccessibleName(tr("Keyboard shortcuts"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_scroll->setAccessibleName(tr("Keys and what they do"));
    auto* rebind = new QPushButton(tr("Change &Keys…"), this);
    auto* close = new QPushButton(tr("Close"), this);
    for (QPushButton* button : {rebind, close})
        button->setAutoDefault(false);
    connect(rebind, &QPushButton::clicked, this, [this] {
        dismiss();
        Q_EMIT rebindRequested();
    });
    connect(close, &QPushButton::clicked, this, &ShortcutSheet::dismiss);
    auto* title = new QLabel(QStringLiteral("<big><b>%1</b></big>").arg(tr("Keyboard")), this);
    auto* top = new QHBoxLayout;
    top->addWidget(title, 1);
    top->addWidget(rebind);
    top->addWidget(close);
    auto* column = new QVBoxLayout(this);
    const int gap = fontMetrics().averageCharWidth() * 3;
    column->setContentsMargins(gap, gap, gap, gap);
    column->setSpacing(gap);
    column->addLayout(top);
    column->addWidget(m_scroll, 1);
}

void ShortcutSheet::openNow() {
    m_scroll->setWidget(write());
    m_sheetHeight = m_scroll->widget()->sizeHint().height();
    open();
}

QWidget* ShortcutSheet::write() const {
    const int em = fontMetrics().averageCharWidth();
    const int width = placeIn(parentWidget()->rect()).width() - em * 10;
    std::vector<Block> blocks = blocksOf(m_commands, paletteOf(*this));
    auto* sheet = new QWidget;
    sheet->setFont(font());
    auto* row = new QHBoxLayout(sheet);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(em * 6);
    for (const std::vector<Block>& column : inColumns(std::move(blocks), std::max(1, width / (em * 52))))
        row->addWidget(writeColumn(column), 1);
    return sheet;
}

QRect ShortcutSheet::placeIn(const QRect& area) const {
    const int em = fontMetrics().averageCharWidth();
    const int side = std::min(em * 8, area.width() / 20), above = std::min(em * 8, area.height() / 20);
    const QRect most = area.adjusted(side, above, -side, -above);
    const int around = em * 9 + fontMetrics().height() * 3;  // margins, title and buttons
    return {most.topLeft(), QSize(most.width(), std::min(most.height(), m_sheetHeight + around))};
}

QWidget* ShortcutSheet::firstFocus() { return m_scroll; }

}  // namespace ui
