#pragma once

#include "engine/api/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace data {

class Store;

/// No value, a number in base units, or text.
using CatalogueValue = std::variant<std::monostate, double, std::string>;

/// One kept run with the requested columns.
struct CatalogueRow {
    std::int64_t id = 0;
    std::string name;  ///< "t-nlg/fc-2/tp8 t3-mca"
    std::string policy, engineVersion;
    std::int64_t createdUnixMs = 0;
    std::int64_t totalPs = 0;
    std::optional<double> speedup;
    std::string note;
    std::vector<std::string> tags;
    std::vector<CatalogueValue> values;  ///< one for each column of the query
    engine::Notices notices{};           ///< if the query asks for them
    std::int64_t sweep = 0;              ///< StoredSweep::key of the newest sweep that has this run as a point; 0: no
                                         ///< sweep has it
};

struct CatalogueQuery {
    std::vector<std::string> columns;    ///< paths of parameters or of metrics
    std::optional<std::string> sweep{};  ///< runs of this sweep only
    bool trash = false;                  ///< true: the runs in the trash instead of the others
    bool models = false;                 ///< also points of whole models, which are not runs
    bool notices = false;                ///< also the notices of the runs
};

/// Lists and changes the runs of a store. Points of whole models belong to their sweeps and are listed only if the
/// query asks for them. Uses the store's connection and thread; throws StoreError. Reads a hundred thousand rows in
/// half a second.
class RunCatalogue {
public:
    explicit RunCatalogue(Store& store) : m_store(store) {}

    /// Returns the runs, newest first. Damaged runs are left out; Store::takeDamaged lists them.
    std::vector<CatalogueRow> rows(const CatalogueQuery& query) const;
    std::size_t count() const;
    std::size_t trashCount() const;

    void setNote(std::int64_t id, const std::string& note);
    /// Sets the tags of runs: single words, which are kept sorted, each once.
    void setTags(std::span<const std::int64_t> ids, const std::vector<std::string>& tags);
    std::vector<std::string> tagsInUse() const;
    /// Moves runs to the trash; `restore` brings them back unchanged.
    void trash(std::span<const std::int64_t> ids);
    void restore(std::span<const std::int64_t> ids);
    void emptyTrash();

private:
    Store& m_store;
};

/// A filter, parsed from a line of conditions that must all hold: words that occur anywhere in name, note or tags;
/// tags, `tag:paper`; and comparisons of a parameter or a metric, with or without units: `link.bandwidth>=100GB/s`,
/// `policy=t3-mca`, `speedup_over_sequential<1`. Quotes keep blanks in a word. If a run has no value for a path, every
/// comparison with it is false, even `!=`.
class RunFilter {
public:
    enum class Relation { equal, unequal, less, lessOrEqual, greater, greaterOrEqual };

    /// Parses a filter. For an invalid text returns an empty optional and sets `problem`, which says what is allowed.
    static std::optional<RunFilter> parse(std::string_view text, std::string& problem);

    /// Returns the paths that comparisons need: they must be among the columns of the query.
    const std::vector<std::string>& paths() const { return m_paths; }
    /// Returns whether a row passes the filter. `columns` are the columns with which `row` was read.
    bool accepts(const CatalogueRow& row, std::span<const std::string> columns) const;

private:
    struct Comparison {
        std::size_t path;
        Relation relation;
        CatalogueValue value;
    };
    void add(const std::string& path, Relation relation, CatalogueValue value);

    std::vector<std::string> m_words, m_tags, m_paths;
    std::vector<Comparison> m_comparisons;
};

}  // namespace data
