#pragma once

#include "data/run_catalogue.h"
#include "ui/shared/catalogue_session.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ui {

/// Which runs are seen, in which order: a snapshot, what a person has changed since it was read, a filter and a column
/// to sort by. A hundred thousand rows are arranged within a few hundredths of a second.
/// Promise: rows that compare equal keep the snapshot's order, newest first, whichever way they are sorted; rows
/// without a value come last both ways.
class RunList {
public:
    /// Answers the snapshot it takes the place of. Changes that the new one knows of are no longer held beside it.
    std::shared_ptr<const CatalogueSnapshot> setSnapshot(std::shared_ptr<const CatalogueSnapshot> snapshot);
    const std::shared_ptr<const CatalogueSnapshot>& snapshot() const { return m_snapshot; }
    /// Nothing: every run.
    void setFilter(std::optional<data::RunFilter> filter);
    const std::optional<data::RunFilter>& filter() const { return m_filter; }
    void sortBy(const std::string& path, bool descending);
    const std::string& sortedBy() const { return m_sortedBy; }
    bool isDescending() const { return m_descending; }

    std::size_t size() const { return m_shown.size(); }
    const data::CatalogueRow& row(std::size_t position) const;
    /// Position of a run among those that are seen.
    std::optional<std::size_t> positionOf(std::int64_t id) const;
    /// In the snapshot's order, also those that the filter leaves out.
    std::vector<const data::CatalogueRow*> find(const std::vector<std::int64_t>& ids) const;
    /// Of a path in the rows' values.
    std::optional<std::size_t> valueIndex(const std::string& path) const;

    /// What was changed here and is under way: seen at once, until a snapshot comes that knows of change `number`.
    void overlay(const data::CatalogueRow& changed, std::uint64_t number);
    void hide(const std::vector<std::int64_t>& ids, std::uint64_t number);
    void unhide(const std::vector<std::int64_t>& ids);
    /// The change came to nothing.
    void drop(std::uint64_t number);

private:
    struct Overlay {
        data::CatalogueRow row;
        std::uint64_t number = 0;
    };

    void sort();
    void arrange();
    const data::CatalogueRow& current(std::size_t at) const;

    std::shared_ptr<const CatalogueSnapshot> m_snapshot;
    std::optional<data::RunFilter> m_filter;
    std::string m_sortedBy = "created";  ///< as snapshots come
    bool m_descending = true;
    std::vector<std::uint32_t> m_sorted;  ///< positions in the snapshot, all of them
    std::vector<std::uint32_t> m_shown;   ///< those that the filter lets through
    std::unordered_map<std::int64_t, Overlay> m_overlays;
    std::unordered_map<std::int64_t, std::uint64_t> m_hidden;
};

}  // namespace ui
