#include "ui/workbench/command_palette.h"

#include "ui/look/palette.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

constexpr int kNever = -1'000'000;
constexpr int kLetter = 2;
constexpr int kAdjacent = 6;   // a letter directly follows the one before
constexpr int kWordStart = 8;  // a letter begins a word
constexpr int kTextStart = 4;  // a letter begins the text, in addition to kWordStart
constexpr int kGap = 1;        // deduction for each letter of the text skipped within a typed word
constexpr int kLeastOfALetter = 3;

int worthOf(QStringView text, qsizetype at) {
    const bool startsWord = at == 0 || !text[at - 1].isLetterOrNumber();
    return kLetter + (startsWord ? kWordStart : 0) + (at == 0 ? kTextStart : 0);
}

/// Returns the best match of the letters of `word` in `text`, in their order. Dynamic programming: best[i][j] is the
/// highest score of the first i + 1 letters with letter i at place j.
std::optional<FuzzyMatch> matchWord(QStringView word, QStringView text) {
    const std::size_t letters = word.size(), places = text.size();
    if (letters > places)
        return std::nullopt;
    std::vector<std::vector<int>> best(letters, std::vector<int>(places, kNever));
    std::vector<std::vector<std::size_t>> from = std::vector(letters, std::vector<std::size_t>(places, 0));
    for (std::size_t i = 0; i < letters; ++i) {
        int reach = kNever;  // best score with the letter before at an earlier place, less the deduction for the gap
        std::size_t reachFrom = 0;
        for (std::size_t j = 0; j < places; ++j) {
            if (text[j].toCaseFolded() == word[i].toCaseFolded()) {
                const bool goesOn =
                    i > 0 && j > 0 && best[i - 1][j - 1] > kNever && best[i - 1][j - 1] + kAdjacent >= reach;
                const int before = i == 0 ? 0 : goesOn ? best[i - 1][j - 1] + kAdjacent : reach;
                if (before > kNever) {
                    best[i][j] = before + worthOf(text, j);
                    from[i][j] = goesOn ? j - 1 : reachFrom;
                }
            }
            reach = reach > kNever ? reach - kGap : kNever;
            if (i > 0 && best[i - 1][j] > reach) {
                reach = best[i - 1][j];
                reachFrom = j;
            }
        }
    }
    const auto end = std::max_element(best.back().begin(), best.back().end());
    // Letters scattered over a long text are no match.
    if (*end < kLeastOfALetter * static_cast<int>(letters))
        return std::nullopt;
    FuzzyMatch match{*end, {}};
    std::size_t place = end - best.back().begin();
    for (std::size_t i = letters; i-- > 0; place = from[i][place])
        match.positions.prepend(static_cast<int>(place));
    return match;
}

constexpr int kInTextAlone = 6;  // bonus for a match within the entry's text, without its group and `also`

constexpr int kRowsShown = 12;

/// Paints an entry: matching letters bold, group and shortcut faint.
class EntryPainter final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {0, option.fontMetrics.height() * 9 / 5};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Palette& colors = paletteOf(*option.widget);
        const bool marked = option.state.testFlag(QStyle::State_Selected);
        painter->save();
        if (marked)
            painter->fillRect(option.rect, colors.accent);
        const QColor faint = marked ? colors.onAccent : colors.inkFaint;
        const bool available = index.data(PaletteModel::available).toBool();
        const QColor ink = marked ? colors.onAccent : available ? colors.ink : colors.inkFaint;
        const int pad = option.fontMetrics.averageCharWidth() * 2;
        QRect room = option.rect.adjusted(pad, 0, -pad, 0);
        const QString keys = index.data(PaletteModel::keys).toString();
        painter->setFont(option.font);
        painter->setPen(faint);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, keys);
        if (!keys.isEmpty())
            room.setRight(room.right() - option.fontMetrics.horizontalAdvance(keys) - pad);
        const int left = paintText(*painter, option, index, room, ink);
        painter->setPen(faint);
        room.adjust(left + pad, 0, 0, 0);
        painter->drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data(PaletteModel::where).toString(), Qt::ElideRight, room.width()));
        painter->restore();
    }

private:
    /// Paints the text and returns its width.
    static int paintText(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                         const QRect& room, const QColor& ink) {
        const QString text = index.data().toString();
        const auto found = index.data(PaletteModel::positions).value<QList<int>>();
        QFont strong = option.font;
        strong.setWeight(QFont::Bold);
        painter.setPen(ink);
        double x = 0;
        for (qsizetype at = 0; at < text.size();) {
            const bool isFound = std::binary_search(found.begin(), found.end(), static_cast<int>(at));
            qsizetype end = at + 1;
            while (end < text.size() &&
                   std::binary_search(found.begin(), found.end(), static_cast<int>(end)) == isFound)
                ++end;
            const QString piece = text.mid(at, end - at);
            painter.setFont(isFound ? strong : option.font);
            painter.drawText(QRectF(room).adjusted(x, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, piece);
            x += QFontMetricsF(painter.font()).horizontalAdvance(piece);
            at = end;
        }
        painter.setFont(option.font);
        return static_cast<int>(x);
    }
};

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text) {
    FuzzyMatch whole;
    for (const QStringView word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const std::optional<FuzzyMatch> match = matchWord(word, text);
        if (!match)
            return std::nullopt;
        whole.score += match->score;
        whole.positions += match->positions;
    }
    std::sort(whole.positions.begin(), whole.positions.end());
    whole.positions.erase(std::unique(whole.positions.begin(), whole.positions.end()), whole.positions.end());
    return whole;
}

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
    beginResetModel();
    m_found.clear();
    m_entries = std::move(entries);
    endResetModel();
    find({});
}

void PaletteModel::find(const QString& typed) {
    beginResetModel();
    m_found.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const PaletteEntry& entry = m_entries[i];
        if (const auto match = fuzzyMatch(typed, entry.text)) {
            m_found.push_back({i, match->score + kInTextAlone, match->positions});
        } else if (const auto around = fuzzyMatch(typed, entry.text + u' ' + entry.where + u' ' + entry.also)) {
            QList<int> inText = around->positions;
            inText.removeIf([&entry](int at) { return at >= entry.text.size(); });
            m_found.push_back({i, around->score, inText});
        }
    }
    const auto rank = [this](const Found& found) {
        return std::pair(found.score, m_entries[found.entry].whyNot.isEmpty());
    };
    std::ranges::stable_sort(m_found, std::greater(), rank);
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_found.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    const PaletteEntry& entry = entryAt(index.row());
    switch (role) {
    case Qt::DisplayRole: return entry.text;
    case Qt::AccessibleTextRole: {
        QStringList said{entry.text, entry.where, entry.keys, entry.whyNot};
        said.removeAll(QString());
        return said.join(QStringLiteral(", "));
    }
    case Role::positions: return QVariant::fromValue(m_found[index.row()].positions);
    case Role::where:
        return entry.whyNot.isEmpty() ? entry.where : QStringLiteral("%1  ·  %2").arg(entry.where, entry.whyNot);
    case Role::keys: return entry.keys;
    case Role::available: return entry.whyNot.isEmpty();
    default: return {};
    }
}

CommandPalette::CommandPalette(QWidget& window)
    : Overlay(window), m_typed(new QLineEdit(this)), m_list(new QListView(this)), m_nothing(new QLabel(this)),
      m_model(new PaletteModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    m_typed->setPlaceholderText(tr("Find a command, a parameter or a preset"));
    m_typed->setAccessibleName(tr("Find a command, a parameter or a preset"));
    m_typed->setClearButtonEnabled(true);
    m_typed->setMinimumHeight(fontMetrics().height() * 2);
    m_typed->installEventFilter(this);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryPainter(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Results"));
    m_nothing->setText(tr("No command, parameter or preset matches. Type fewer letters to find more."));
    m_nothing->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    const int gap = fontMetrics().averageCharWidth();
    column->setContentsMargins(gap, gap, gap, gap);
    column->setSpacing(gap);
    column->addWidget(m_typed);
    column->addWidget(m_list, 1);
    column->addWidget(m_nothing, 1);
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::find);
    connect(m_list, &QListView::clicked, this, &CommandPalette::chooseMarked);
}

void CommandPalette::openWith(std::vector<PaletteEntry> entries) {
    m_model->setEntries(std::move(entries));
    m_typed->clear();
    find({});
    open();
}

QRect CommandPalette::placeIn(const QRect& area) const {
    const int em = fontMetrics().averageCharWidth(), line = fontMetrics().height();
    const int width = std::min(em * 100, area.width() - em * 4);
    const int height = std::min(line * 4 + line * 9 / 5 * kRowsShown, area.height() - line * 4);
    return {area.x() + (area.width() - width) / 2, area.y() + line * 3, width, height};
}

QWidget* CommandPalette::firstFocus() { return m_typed; }

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_typed || event->type() != QEvent::KeyPress)
        return Overlay::eventFilter(watched, event);
    const int row = m_list->currentIndex().row();
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: mark(row + 1); return true;
    case Qt::Key_Up: mark(row - 1); return true;
    case Qt::Key_PageDown: mark(row + kRowsShown); return true;
    case Qt::Key_PageUp: mark(row - kRowsShown); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: chooseMarked(); return true;
    default: return false;
    }
}

void CommandPalette::find(const QString& typed) {
    m_model->find(typed);
    m_list->setVisible(m_model->rowCount() > 0);
    m_nothing->setVisible(m_model->rowCount() == 0);
    mark(0);
}

void CommandPalette::mark(int row) {
    if (m_model->rowCount() > 0)
        m_list->setCurrentIndex(m_model->index(std::clamp(row, 0, m_model->rowCount() - 1), 0));
}

void CommandPalette::chooseMarked() {
    const QModelIndex marked = m_list->currentIndex();
    if (!marked.isValid())
        return;
    const std::function<void()> choose = m_model->entryAt(marked.row()).choose;
    dismiss();
    choose();
}

}  // namespace ui
