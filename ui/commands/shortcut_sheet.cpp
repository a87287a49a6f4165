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
constexpr int kColumnChars = 36;    // what keys and words need at least
constexpr int kGapChars = 4;

struct Block {
    QString title;
    std::vector<std::pair<QString, QString>> lines;  ///< keys as rich text, what they do
    int height() const { return static_cast<int>(lines.size()) + 2; }
};

/// Each key on a ground of its own, so that a comma or a dot is seen as one.
QString keyCap(const QKeySequence& key, const Palette& colors) {
    return QStringLiteral("<span style='background:%1'>&nbsp;%2&nbsp;</span>")
        .arg(colors.line.name(), key.toString(QKeySequence::NativeText).toHtmlEscaped());
}

QString keyCaps(const Command& command, const Palette& colors) {
    QStringList caps;
    for (const QKeySequence& key : command.action->shortcuts().mid(0, kMostCaps))
        caps << keyCap(key, colors);
    return caps.join(QStringLiteral("&nbsp; "));
}

/// "select.bookmark-3" is one of a series, as are its neighbours that differ by the number alone.
bool continues(const Command& first, const Command& next) {
    const auto stem = [](const QString& id) { return QStringView(id).chopped(id.back().isDigit() ? 1 : 0); };
    return next.id.back().isDigit() && stem(first.id) == stem(next.id) && first.id != next.id;
}

/// A series is one line: from its first key to its last.
void appendCommand(const Commands& commands, std::size_t& at, const Palette& colors, Block& block) {
    const Command& first = commands.all()[at];
    std::size_t last = at;
    while (last + 1 < commands.all().size() && continues(first, commands.all()[last + 1]))
        ++last;
    const Command& end = commands.all()[last];
    if (!first.action->shortcuts().isEmpty()) {
        const bool alone = last == at || end.action->shortcuts().isEmpty();
        const QString caps = keyCaps(first, colors);
        block.lines.emplace_back(alone ? caps : caps + QStringLiteral(" … ") + keyCaps(end, colors),
                                 alone ? first.plainText() : first.plainText() + QStringLiteral(" … ") + end.id.back());
    }
    at = last;
}

std::vector<Block> blocksOf(const Commands& commands, const Palette& colors) {
    std::vector<Block> blocks;
    for (std::size_t group = 0; group < kCommandGroups; ++group) {
        Block block{plain(titleOf(static_cast<CommandGroup>(group))), {}};
        for (std::size_t i = 0; i < commands.all().size(); ++i) {
            if (commands.all()[i].group == static_cast<CommandGroup>(group))
                appendCommand(commands, i, colors, block);
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
    row->setSpacing(em * kGapChars);
    for (const std::vector<Block>& column :
         inColumns(std::move(blocks), std::max(1, (width + em * kGapChars) / (em * (kColumnChars + kGapChars)))))
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
