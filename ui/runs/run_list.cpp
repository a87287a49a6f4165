#include "ui/runs/run_list.h"

#include "ui/runs/run_columns.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace ui {
namespace {

/// What a row is sorted by: numbers before words before nothing.
struct SortKey {
    enum class Kind : std::uint8_t { number, word, nothing };
    Kind kind = Kind::nothing;
    double number = 0;
    std::string_view word;
};

using KeyOf = std::function<SortKey(const data::CatalogueRow&)>;

SortKey wordKey(std::string_view word) { return word.empty() ? SortKey{} : SortKey{SortKey::Kind::word, 0, word}; }

SortKey valueKey(const data::CatalogueValue& value) {
    if (const auto* number = std::get_if<double>(&value))
        return {SortKey::Kind::number, *number, {}};
    if (const auto* word = std::get_if<std::string>(&value))
        return wordKey(*word);
    return {};
}

KeyOf keyOf(const std::string& path, std::optional<std::size_t> value) {
    if (path == run_column::name)
        return [](const data::CatalogueRow& row) { return wordKey(row.name); };
    if (path == run_column::when)
        return [](const data::CatalogueRow& row) {
            return SortKey{SortKey::Kind::number, static_cast<double>(row.createdUnixMs), {}};
        };
    if (path == run_column::note)
        return [](const data::CatalogueRow& row) { return wordKey(row.note); };
    if (path == run_column::engine)
        return [](const data::CatalogueRow& row) { return wordKey(row.engineVersion); };
    if (path == run_column::tags)
        return [](const data::CatalogueRow& row) { return row.tags.empty() ? SortKey{} : wordKey(row.tags.front()); };
    if (value)
        return [at = *value](const data::CatalogueRow& row) { return valueKey(row.values[at]); };
    return {};
}

bool isBefore(const SortKey& a, const SortKey& b, bool descending) {
    if (a.kind != b.kind)
        return a.kind < b.kind;
    if (a.kind == SortKey::Kind::number)
        return descending ? b.number < a.number : a.number < b.number;
    return descending ? b.word < a.word : a.word < b.word;
}

template <class Map>
void eraseUpTo(Map& map, std::uint64_t number, auto numberOf) {
    std::erase_if(map, [&](const auto& entry) { return numberOf(entry.second) <= number; });
}

}  // namespace

std::shared_ptr<const CatalogueSnapshot> RunList::setSnapshot(std::shared_ptr<const CatalogueSnapshot> snapshot) {
    std::swap(m_snapshot, snapshot);
    if (m_snapshot) {
        eraseUpTo(m_overlays, m_snapshot->changes, [](const Overlay& overlay) { return overlay.number; });
        eraseUpTo(m_hidden, m_snapshot->changes, [](std::uint64_t number) { return number; });
    }
    sort();
    return snapshot;
}

void RunList::setFilter(std::optional<data::RunFilter> filter) {
    m_filter = std::move(filter);
    arrange();
}

void RunList::sortBy(const std::string& path, bool descending) {
    if (path == m_sortedBy && descending == m_descending)
        return;
    m_sortedBy = path;
    m_descending = descending;
    sort();
}

const data::CatalogueRow& RunList::current(std::size_t at) const {
    const data::CatalogueRow& row = m_snapshot->rows[at];
    if (m_overlays.empty())
        return row;
    const auto changed = m_overlays.find(row.id);
    return changed == m_overlays.end() ? row : changed->second.row;
}

const data::CatalogueRow& RunList::row(std::size_t position) const { return current(m_lines[position].at); }

const SweepLine* RunList::sweepAt(std::size_t position) const {
    const Line& line = m_lines[position];
    return line.sweep < 0 || line.member ? nullptr : &m_sweeps[static_cast<std::size_t>(line.sweep)];
}

const SweepLine* RunList::sweepOver(std::size_t position) const {
    const Line& line = m_lines[position];
    return line.member ? &m_sweeps[static_cast<std::size_t>(line.sweep)] : nullptr;
}

std::string RunList::sharedCase(const SweepLine& sweep) const {
    const std::string& first = current(sweep.members.front()).name;
    const std::string named = first.substr(0, first.find(' ') + 1);
    const bool isShared = std::all_of(sweep.members.begin(), sweep.members.end(),
                                      [&](std::uint32_t at) { return current(at).name.starts_with(named); });
    return isShared ? named : std::string();
}

std::vector<const data::CatalogueRow*> RunList::runsAt(std::size_t position) const {
    const SweepLine* sweep = sweepAt(position);
    if (sweep == nullptr)
        return {&row(position)};
    std::vector<const data::CatalogueRow*> runs;
    for (const std::uint32_t at : sweep->members)
        runs.push_back(&current(at));
    return runs;
}

std::int64_t RunList::idAt(std::size_t position) const {
    const SweepLine* sweep = sweepAt(position);
    return sweep == nullptr ? row(position).id : -sweep->sweep->key;
}

std::optional<std::size_t> RunList::positionOf(std::int64_t id) const {
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const SweepLine* sweep = sweepAt(i);
        if (sweep == nullptr ? m_snapshot->rows[m_lines[i].at].id == id : -sweep->sweep->key == id)
            return i;
        const bool folded = sweep != nullptr && !sweep->open;
        if (folded && std::any_of(sweep->members.begin(), sweep->members.end(),
                                  [&](std::uint32_t at) { return m_snapshot->rows[at].id == id; }))
            return i;
    }
    return std::nullopt;
}

void RunList::setOpen(std::int64_t sweep, bool open) {
    if (open)
        m_open.insert(sweep);
    else
        m_open.erase(sweep);
    arrange();
}

std::vector<const data::CatalogueRow*> RunList::find(const std::vector<std::int64_t>& ids) const {
    const std::unordered_set<std::int64_t> wanted(ids.begin(), ids.end());
    std::vector<const data::CatalogueRow*> rows;
    for (std::size_t at = 0; m_snapshot && at < m_snapshot->rows.size() && rows.size() < wanted.size(); ++at) {
        if (wanted.contains(m_snapshot->rows[at].id))
            rows.push_back(&current(at));
    }
    return rows;
}

std::optional<std::size_t> RunList::valueIndex(const std::string& path) const {
    if (!m_snapshot)
        return std::nullopt;
    const std::vector<std::string>& columns = m_snapshot->query.columns;
    const auto at = std::find(columns.begin(), columns.end(), path);
    return at == columns.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - columns.begin()));
}

void RunList::overlay(const data::CatalogueRow& changed, std::uint64_t number) {
    m_overlays[changed.id] = {changed, number};
}

void RunList::hide(const std::vector<std::int64_t>& ids, std::uint64_t number) {
    for (const std::int64_t id : ids)
        m_hidden[id] = number;
    arrange();
}

void RunList::unhide(const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids)
        m_hidden.erase(id);
    arrange();
}

void RunList::drop(std::uint64_t number) {
    std::erase_if(m_overlays, [number](const auto& entry) { return entry.second.number == number; });
    std::erase_if(m_hidden, [number](const auto& entry) { return entry.second == number; });
    arrange();
}

void RunList::sort() {
    const std::size_t count = m_snapshot ? m_snapshot->rows.size() : 0;
    m_sorted.resize(count);
    std::iota(m_sorted.begin(), m_sorted.end(), 0u);
    if (const KeyOf key = keyOf(m_sortedBy, valueIndex(m_sortedBy)); key && count > 0) {
        // Keys side by side: looking them up in the rows for each comparison takes three times as long.
        std::vector<SortKey> keys(count);
        for (std::size_t at = 0; at < count; ++at)
            keys[at] = key(current(at));
        std::stable_sort(m_sorted.begin(), m_sorted.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return isBefore(keys[a], keys[b], m_descending); });
    }
    arrange();
}

bool RunList::isShown(std::uint32_t at) const {
    const data::CatalogueRow& row = current(at);
    if (!m_hidden.empty() && m_hidden.contains(row.id))
        return false;
    return !m_filter || m_filter->accepts(row, m_snapshot->query.columns);
}

void RunList::arrange() {
    std::vector<std::uint32_t> shown;
    shown.reserve(m_sorted.size());
    std::copy_if(m_sorted.begin(), m_sorted.end(), std::back_inserter(shown),
                 [this](std::uint32_t at) { return isShown(at); });
    m_runs = shown.size();
    group(shown);
}

// A sweep stands where the first of its runs would stand. One that has a single run here is that run.
void RunList::group(const std::vector<std::uint32_t>& shown) {
    m_sweeps.clear();
    m_lines.clear();
    m_lines.reserve(shown.size());
    std::unordered_map<std::int64_t, std::int32_t> places;
    if (m_snapshot && !m_snapshot->query.sweep && !m_snapshot->query.trash) {
        for (const data::StoredSweep& sweep : m_snapshot->sweeps) {
            places.emplace(sweep.key, static_cast<std::int32_t>(m_sweeps.size()));
            m_sweeps.push_back({&sweep, m_open.contains(sweep.key), {}, {}});
        }
    }
    const auto placeOf = [&](std::uint32_t at) {
        const std::int64_t key = m_snapshot->rows[at].sweep;
        const auto place = key == 0 ? places.end() : places.find(key);
        return place == places.end() ? -1 : place->second;
    };
    for (const std::uint32_t at : shown) {
        if (const std::int32_t place = placeOf(at); place >= 0)
            m_sweeps[static_cast<std::size_t>(place)].members.push_back(at);
    }
    for (SweepLine& sweep : m_sweeps) {
        if (!sweep.members.empty())
            sweep.shared = sharedCase(sweep);
    }
    for (const std::uint32_t at : shown) {
        const std::int32_t place = placeOf(at);
        const SweepLine* sweep = place < 0 ? nullptr : &m_sweeps[static_cast<std::size_t>(place)];
        if (sweep == nullptr || sweep->members.size() < 2) {
            m_lines.push_back({at, -1, false});
        } else if (sweep->members.front() == at) {
            m_lines.push_back({at, place, false});
            for (std::size_t i = 0; sweep->open && i < sweep->members.size(); ++i)
                m_lines.push_back({sweep->members[i], place, true});
        }
    }
}

}  // namespace ui
