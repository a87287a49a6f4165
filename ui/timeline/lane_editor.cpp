#include "ui/timeline/lane_editor.h"

#include "ui/shared/view_state.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

template <class Value>
void toggle(const Value& value, std::set<Value>& values) {
    if (values.erase(value) == 0)
        values.insert(value);
}

}  // namespace

void LaneEditor::setArrangement(LaneArrangement arrangement) {
    if (arrangement == m_arrangement)
        return;
    m_arrangement = std::move(arrangement);
    Q_EMIT arrangementChanged();
}

template <class Edit>
void LaneEditor::change(const Edit& edit) {
    const std::optional<std::size_t> row = focusedRow();
    LaneArrangement next = m_arrangement;
    edit(next);
    setArrangement(std::move(next));
    // If the lane in focus is gone, the row that is now in its place gets the focus.
    if (row && m_focused && !m_rows.empty()) {
        const bool there =
            std::any_of(m_rows.begin(), m_rows.end(), [&](const Row& r) { return r.key() == *m_focused; });
        if (!there)
            focusRow(std::min(*row, m_rows.size() - 1));
    }
}

QString LaneEditor::hiddenReminder() const {
    const int count = m_model.hiddenRows(m_arrangement);
    return count == 0 ? QString() : count == 1 ? tr("1 lane hidden") : tr("%1 lanes hidden").arg(count);
}

std::optional<std::size_t> LaneEditor::focusedRow() const {
    if (m_rows.empty())
        return std::nullopt;
    if (!m_focused)
        return 0;
    // Two rows have the same key if a closed GPU shows its compute in small and the compute lane itself is pinned.
    for (const bool pinned : {m_focusedPinned, !m_focusedPinned}) {
        const auto exact = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            return row.key() == *m_focused && row.pinned == pinned;
        });
        if (exact != m_rows.end())
            return static_cast<std::size_t>(exact - m_rows.begin());
    }
    // If another run is shown or the GPU was closed, the GPU's first row has the focus.
    const auto near =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.gpu == m_focused->gpu; });
    return near != m_rows.end() ? static_cast<std::size_t>(near - m_rows.begin()) : 0;
}

std::optional<LaneKey> LaneEditor::focusedLane() const {
    const std::optional<std::size_t> row = focusedRow();
    return row ? std::optional(m_rows[*row].key()) : std::nullopt;
}

void LaneEditor::focusRow(std::size_t row) {
    m_focused = m_rows[row].key();
    m_focusedPinned = m_rows[row].pinned;
    if (m_model.index() != nullptr)
        m_viewState.setFocusedGpu(m_rows[row].gpu);
    Q_EMIT focusChanged();
}

void LaneEditor::moveFocus(int by) {
    if (m_rows.empty() || m_model.isBound())
        return;
    const auto last = static_cast<std::ptrdiff_t>(m_rows.size()) - 1;
    const auto row = static_cast<std::ptrdiff_t>(focusedRow().value_or(0)) + by;
    focusRow(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(row, 0, last)));
    revealRow(*focusedRow());
}

const Row* LaneEditor::focusedToArrange() const {
    const std::optional<std::size_t> row = focusedRow();
    return row && !m_model.isBound() ? &m_rows[*row] : nullptr;
}

void LaneEditor::pinFocused() {
    const Row* row = focusedToArrange();
    // A closed GPU's row for both collectives is not a lane.
    if (row == nullptr || row->kind == RowKind::collective)
        return;
    m_focused = row->key();
    m_focusedPinned = !m_arrangement.isPinned(*m_focused);
    change([key = *m_focused](LaneArrangement& next) { next.togglePinned(key); });
}

void LaneEditor::hideFocused() {
    const Row* row = focusedToArrange();
    if (row == nullptr || m_rows.size() <= 1)
        return;
    if (row->compact)
        return hideGpu(row->gpu);
    change([key = row->key()](LaneArrangement& next) {
        std::erase(next.pinned, key);
        next.hidden.insert(key);
    });
}

void LaneEditor::openFocused() {
    const Row* row = focusedToArrange();
    if (row != nullptr && row->openable && !row->compact)
        toggleOpen(*row);
    else if (row != nullptr)
        toggleGpu(row->gpu);
}

void LaneEditor::shiftFocused(int by) {
    const Row* row = focusedToArrange();
    if (row == nullptr)
        return;
    shift(Row(*row), by);
    revealRow(*focusedRow());
}

void LaneEditor::toggleOpen(const Row& row) {
    if (row.openable)
        change([key = row.key()](LaneArrangement& next) { toggle(key, next.opened); });
}

void LaneEditor::toggleGpu(std::uint32_t gpu) {
    change([gpu](LaneArrangement& next) { toggle(gpu, next.expanded); });
}

void LaneEditor::openAllGpus() {
    change([gpus = m_model.gpus()](LaneArrangement& next) {
        next.expanded.clear();
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
            next.expanded.insert(gpu);
    });
}

void LaneEditor::closeAllGpus() {
    change([](LaneArrangement& next) { next.expanded.clear(); });
}

void LaneEditor::hideGpu(std::uint32_t gpu) {
    change([gpu](LaneArrangement& next) { next.hiddenGpus.insert(gpu); });
}

bool LaneEditor::isLastGpu() const { return m_model.gpus() <= m_arrangement.hiddenGpus.size() + 1; }

void LaneEditor::showAll() {
    change([](LaneArrangement& next) { next.showAll(); });
}

void LaneEditor::shift(const Row& row, int by) {
    if (row.pinned && !row.compact)
        return shiftPinned(row.key(), by);
    std::set<RowKind> seen;
    for (const Row& other : m_rows) {
        if (other.gpu == row.gpu && !other.pinned)
            seen.insert(LaneArrangement::lanesOwner(other.kind));
    }
    change([&](LaneArrangement& next) {
        if (row.compact)
            next.moveGpu(row.gpu, by, m_model.gpus());
        else
            next.moveLane(row.kind, by, seen);
    });
}

void LaneEditor::shiftPinned(LaneKey key, int by) {
    const std::vector<LaneKey>& pinned = m_arrangement.pinned;
    const auto from = std::find(pinned.begin(), pinned.end(), key) - pinned.begin();
    const auto to = from + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(pinned.size()))
        return;
    change([&](LaneArrangement& next) {
        next.pinned.erase(next.pinned.begin() + from);
        next.pinned.insert(next.pinned.begin() + to, key);
    });
}

void LaneEditor::moveRow(std::size_t from, std::size_t to) {
    if (m_rows[from].pinned != m_rows[to].pinned)
        return;
    const Row moved = m_rows[from];
    const int direction = to > from ? 1 : -1;
    int places = 0;
    std::pair<std::uint32_t, RowKind> last{moved.gpu, LaneArrangement::lanesOwner(moved.kind)};
    for (std::size_t i = from; i != to;) {
        i = direction > 0 ? i + 1 : i - 1;
        const std::pair<std::uint32_t, RowKind> next{m_rows[i].gpu, LaneArrangement::lanesOwner(m_rows[i].kind)};
        const bool counts = moved.compact  ? next.first != last.first
                            : moved.pinned ? true
                                           : next.first == moved.gpu && next.second != last.second;
        places += counts ? direction : 0;
        last = next;
    }
    if (places != 0)
        shift(moved, places);
}

}  // namespace ui
