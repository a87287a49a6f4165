#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace data {

class Store;

/// Nothing, a number in base units, or text.
using CatalogueValue = std::variant<std::monostate, double, std::string>;

/// One kept run with the columns that were asked for.
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
    std::int64_t sweep = 0;              ///< StoredSweep::key of the newest sweep that has it as a point; 0: of none
};

struct CatalogueQuery {
    std::vector<std::string> columns;    ///< paths of parameters or of metrics
    std::optional<std::string> sweep{};  ///< runs of this sweep only
    bool trash = false;                  ///< what was removed and can still come back, instead of what is there
    bool models = false;                 ///< also points of whole models, which are no runs
};

/// The runs of a store as people look through them. Points of whole models belong to their sweeps and are in no list of
/// runs. Uses the store's connection and thread; what it throws is
/// StoreError. A hundred thousand rows are read in half a second.
class RunCatalogue {
public:
    explicit RunCatalogue(Store& store) : m_store(store) {}

    /// Newest first. What is damaged is left out; Store::takeDamaged says which.
    std::vector<CatalogueRow> rows(const CatalogueQuery& query) const;
    std::size_t count() const;
    std::size_t trashCount() const;

    void setNote(std::int64_t id, const std::string& note);
    /// Tags are single words; kept sorted, each once.
    void setTags(std::span<const std::int64_t> ids, const std::vector<std::string>& tags);
    std::vector<std::string> tagsInUse() const;
    /// Out of sight, not gone: `restore` brings them back as they were.
    void trash(std::span<const std::int64_t> ids);
    void restore(std::span<const std::int64_t> ids);
    void emptyTrash();

private:
    Store& m_store;
};

/// What a line of search words asks for: words found anywhere in name, note or tags; `tag:paper`; comparisons of a
/// parameter or a metric, units allowed: `link.bandwidth>=100GB/s`, `policy=t3-mca`, `speedup_over_sequential<1`.
/// All must hold. Quotes keep blanks together. What a run has no value of is neither more nor less, nor unlike.
class RunFilter {
public:
    enum class Relation { equal, unequal, less, lessOrEqual, greater, greaterOrEqual };

    /// Nothing, with `problem` saying what is wrong and what is allowed, for text that makes no sense.
    static std::optional<RunFilter> parse(std::string_view text, std::string& problem);

    /// The paths that comparisons need: to be among the columns of the query.
    const std::vector<std::string>& paths() const { return m_paths; }
    /// `columns` are those that `row` was read with.
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
