#include "ui/workbench/shortcut_sheet.h"

#include "ui/look/palette.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/commands.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <utility>
#include <vector>

namespace ui {
namespace {

constexpr qsizetype kMostCaps = 3;  // keys of a command on the sheet; the palette and the dialog show all
constexpr int kGapChars = 4;        // gap between columns
constexpr int kKeyGapChars = 2;     // gap between the keys and the name of the command
constexpr int kLeastLines = 3;      // lines in each part of a group that is continued in the next column

struct Line {
    QString keys;   ///< as rich text
    QString plain;  ///< the keys as plain text, to measure their width
    QString what;
};

struct Block {
    QString title;
    std::vector<Line> lines;
};

using SheetColumn = std::vector<Block>;

int heightOf(const Block& block) { return static_cast<int>(block.lines.size()) + 1; }

/// Returns the height in lines; there is an empty line between two groups.
int heightOf(const SheetColumn& column) {
    int height = 0;
    for (const Block& block : column)
        height += heightOf(block) + (&block == &column.front() ? 0 : 1);
    return height;
}

/// Returns a key on a background, so that a comma or a dot is recognizable as a key.
QString keyCap(const QKeySequence& key, const Palette& colors) {
    return QStringLiteral("<span style='background:%1'>&nbsp;%2&nbsp;</span>")
        .arg(colors.line.name(), key.toString(QKeySequence::NativeText).toHtmlEscaped());
}

Line keyCaps(const Command& command, const Palette& colors) {
    QStringList caps, plain;
    for (const QKeySequence& key : command.action->shortcuts().mid(0, kMostCaps)) {
        caps << keyCap(key, colors);
        plain << QStringLiteral(" %1 ").arg(key.toString(QKeySequence::NativeText));
    }
    return {caps.join(QStringLiteral("&nbsp; ")), plain.join(QStringLiteral("  ")), {}};
}

/// Returns whether two commands belong to one series: their ids differ only in the last digit, as in
/// "select.bookmark-3".
bool continues(const Command& first, const Command& next) {
    const auto stem = [](const QString& id) { return QStringView(id).chopped(id.back().isDigit() ? 1 : 0); };
    return next.id.back().isDigit() && stem(first.id) == stem(next.id) && first.id != next.id;
}

/// Appends the command at `at`. A series of commands is one line, with its first and its last key; `at` is moved to its
/// last command.
void appendCommand(const Commands& commands, std::size_t& at, const Palette& colors, Block& block) {
    const Command& first = commands.all()[at];
    std::size_t last = at;
    while (last + 1 < commands.all().size() && continues(first, commands.all()[last + 1]))
        ++last;
    const Command& end = commands.all()[last];
    if (!first.action->shortcuts().isEmpty()) {
        const bool alone = last == at || end.action->shortcuts().isEmpty();
        const QString to = QStringLiteral(" … ");
        Line line = keyCaps(first, colors);
        line.what = alone ? first.plainText() : first.plainText() + to + end.id.back();
        if (!alone) {
            const Line lastCap = keyCaps(end, colors);
            line.keys += to + lastCap.keys;
            line.plain += to + lastCap.plain;
        }
        block.lines.push_back(std::move(line));
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
                block.lines.push_back({gesture.how.toHtmlEscaped(), gesture.how, gesture.what});
        }
        if (!block.lines.empty())
            blocks.push_back(std::move(block));
    }
    return blocks;
}

/// Returns columns of at most `most` lines, with the blocks in their order. A block that does not fit is continued in
/// the next column.
std::vector<SheetColumn> filled(const std::vector<Block>& blocks, int most) {
    std::vector<SheetColumn> columns(1);
    for (Block rest : blocks) {
        for (int part = 0; !rest.lines.empty(); ++part) {
            const int used = heightOf(columns.back());
            const int room = most - used - (used > 0 ? 2 : 1);  // lines that fit below the title
            const auto count = static_cast<int>(rest.lines.size());
            const bool divides = count > room;
            if (used > 0 && divides && std::min(room, count - room) < kLeastLines) {
                columns.emplace_back();
                continue;
            }
            const int taken = divides ? std::max(1, room) : count;
            columns.back().push_back({part == 0 ? rest.title : ShortcutSheet::tr("%1, continued").arg(rest.title),
                                      {rest.lines.begin(), rest.lines.begin() + taken}});
            rest.lines.erase(rest.lines.begin(), rest.lines.begin() + taken);
        }
    }
    return columns;
}

/// Returns at most `count` columns, as low as possible.
std::vector<SheetColumn> inColumns(const std::vector<Block>& blocks, int count) {
    int lines = 0;
    for (const Block& block : blocks)
        lines += heightOf(block) + 1;
    for (int most = std::max(kLeastLines + 2, lines / count);; ++most) {
        std::vector<SheetColumn> columns = filled(blocks, most);
        if (static_cast<int>(columns.size()) <= count)
            return columns;
    }
}

int widthOf(const SheetColumn& column, const QFontMetrics& metrics) {
    int keys = 0, what = 0;
    for (const Block& block : column) {
        for (const Line& line : block.lines) {
            keys = std::max(keys, metrics.horizontalAdvance(line.plain));
            what = std::max(what, metrics.horizontalAdvance(line.what));
        }
    }
    return keys + metrics.averageCharWidth() * kKeyGapChars + what;
}

int widthOf(const std::vector<SheetColumn>& columns, const QFontMetrics& metrics) {
    int width = -metrics.averageCharWidth() * kGapChars;
    for (const SheetColumn& column : columns)
        width += widthOf(column, metrics) + metrics.averageCharWidth() * kGapChars;
    return width;
}

QWidget* writeColumn(const SheetColumn& blocks) {
    auto* column = new QWidget;
    auto* grid = flushLayout<QGridLayout>(column);
    const int em = column->fontMetrics().averageCharWidth();
    grid->setHorizontalSpacing(em * kKeyGapChars);
    grid->setVerticalSpacing(column->fontMetrics().height() / 3);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const Block& block : blocks) {
        auto* title = new QLabel(QStringLiteral("<b>%1</b>").arg(block.title.toHtmlEscaped()));
        title->setTextFormat(Qt::RichText);
        title->setContentsMargins(0, row > 0 ? column->fontMetrics().height() : 0, 0, 0);
        grid->addWidget(title, row++, 0, 1, 2);
        for (const Line& line : block.lines) {
            auto* key = new QLabel(line.keys);
            key->setTextFormat(Qt::RichText);
            auto* what = new QLabel(line.what);
            what->setTextFormat(Qt::PlainText);
            grid->addWidget(key, row, 0, Qt::AlignLeft | Qt::AlignTop);
            grid->addWidget(what, row++, 1, Qt::AlignLeft | Qt::AlignTop);
        }
    }
    grid->setRowStretch(row, 1);
    return column;
}

QWidget* write(const std::vector<SheetColumn>& columns, const QFont& font) {
    auto* sheet = new QWidget;
    sheet->setFont(font);
    auto* row = flushLayout<QHBoxLayout>(sheet, QFontMetrics(font).averageCharWidth() * kGapChars);
    for (const SheetColumn& column : columns)
        row->addWidget(writeColumn(column), 0);
    row->addStretch(1);
    return sheet;
}

}  // namespace

ShortcutSheet::ShortcutSheet(const Commands& commands, QWidget& window)
    : Overlay(window), m_commands(commands), m_top(new QHBoxLayout), m_scroll(new QScrollArea(this)) {
    setNames(*this, QStringLiteral("shortcutSheet"), tr("Keyboard shortcuts"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::StrongFocus);
    m_scroll->setAccessibleName(tr("Keys and their commands"));
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
    title->setTextFormat(Qt::RichText);
    m_top->addWidget(title, 1);
    m_top->addWidget(rebind);
    m_top->addWidget(close);
    auto* column = new QVBoxLayout(this);
    const int gap = fontMetrics().averageCharWidth() * 3;
    column->setContentsMargins(gap, gap, gap, gap);
    column->setSpacing(gap);
    column->addLayout(m_top);
    column->addWidget(m_scroll, 1);
}

QRect ShortcutSheet::mostOf(const QRect& area) const {
    const int em = fontMetrics().averageCharWidth();
    const int side = std::min(em * 8, area.width() / 20), above = std::min(em * 8, area.height() / 20);
    return area.adjusted(side, above, -side, -above);
}

QSize ShortcutSheet::frame() const {
    const QMargins margins = layout()->contentsMargins();
    return {margins.left() + margins.right() + 2 * frameWidth(),
            margins.top() + margins.bottom() + 2 * frameWidth() + layout()->spacing() + m_top->sizeHint().height()};
}

// Uses the fewest columns that need no scrolling. If no number does, uses as many as fit side by side, and a scroll
// bar.
void ShortcutSheet::arrangeFor(const QRect& area) {
    const QSize room = mostOf(area).size() - frame();
    const std::vector<Block> blocks = blocksOf(m_commands, paletteOf(*this));
    const int bar = m_scroll->verticalScrollBar()->sizeHint().width();
    QWidget* sheet = write(inColumns(blocks, 1), font());
    for (int count = 2; sheet->sizeHint().height() > room.height(); ++count) {
        const std::vector<SheetColumn> more = inColumns(blocks, count);
        if (widthOf(more, fontMetrics()) + bar > room.width() || static_cast<int>(more.size()) < count)
            break;
        delete std::exchange(sheet, write(more, font()));
    }
    m_scroll->setWidget(sheet);
    m_sheet = sheet->sizeHint();
    if (m_sheet.height() > room.height())
        m_sheet.rwidth() += bar;
}

QRect ShortcutSheet::placeIn(const QRect& area) const {
    const QRect most = mostOf(area);
    QRect place({}, (m_sheet + frame()).boundedTo(most.size()));
    place.moveCenter(most.center());
    return place;
}

QWidget* ShortcutSheet::firstFocus() { return m_scroll; }

}  // namespace ui
