#include "data/store/run_seal.h"

#include "data/document/text_hash.h"
#include "data/experiment/canonical_form.h"
#include "data/results/result_document.h"
#include "data/results/result_subject.h"
#include "data/store/kept_run.h"
#include "data/store/store_connection.h"

#include <zlib.h>

#include <bit>
#include <vector>

namespace data {
namespace {

struct Sealed {
    enum Column {
        kName,
        kHash,
        kVersion,
        kTotal,
        kSpeedup,
        kBase,
        kDifferences,
        kLayout,
        kResult,
        kDraft,
        kChecksum,
        kSubject
    };
};

constexpr const char* kSelectForSeal =
    "SELECT name, experiment_hash, engine_version, total_ps, speedup, base, differences, "
    "layout, result, draft, checksum, subject FROM run WHERE id = ?";

std::uint32_t crcOf(std::string_view bytes) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib takes bytes without a sign
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Computes a checksum of values in sequence, each with its type and length.
class Sum {
public:
    void take(std::string_view text) {
        take(std::int64_t{1}, text.size());
        if (!text.empty())  // a null pointer would make zlib begin a new checksum
            m_crc = crc32_z(m_crc, reinterpret_cast<const Bytef*>(text.data()), text.size());  // NOLINT: as above
    }
    void take(std::int64_t kind, std::uint64_t number) {
        for (const std::uint64_t value : {static_cast<std::uint64_t>(kind), number}) {
            for (unsigned i = 0; i < sizeof value; ++i)
                m_bytes[i] = static_cast<Bytef>(value >> 8 * i);
            m_crc = crc32_z(m_crc, m_bytes, sizeof m_bytes);
        }
    }
    std::int64_t value() const { return static_cast<std::int64_t>(m_crc); }

private:
    Bytef m_bytes[8] = {};
    unsigned long m_crc = 0;
};

std::int64_t checksum(const RunContent& content, std::uint32_t base, std::optional<std::uint32_t> layout) {
    constexpr std::int64_t kNothing = 0, kWhole = 2, kReal = 3;
    Sum sum;
    sum.take(content.name);
    sum.take(content.experimentHash);
    sum.take(content.engineVersion);
    sum.take(kWhole, static_cast<std::uint64_t>(content.totalPs));
    sum.take(content.speedup ? kReal : kNothing, std::bit_cast<std::uint64_t>(content.speedup.value_or(0)));
    sum.take(kWhole, base);
    sum.take(content.differences);
    sum.take(layout ? kWhole : kNothing, layout.value_or(0));
    sum.take(content.result);
    sum.take(content.draft);
    if (content.subject != name(ResultSubject::run))
        sum.take(content.subject);
    return sum.value();
}

/// Checks whether the experiments of rows have the hashes beside them.
class Proof {
public:
    explicit Proof(SQLite::Database& database)
        : m_database(database), m_select(database, "SELECT experiment_hash, base, differences FROM run WHERE id = ?") {}

    bool holds(std::int64_t id) {
        m_select.reset();
        m_select.bind(1, id);
        if (!m_select.executeStep())
            return false;
        try {
            CanonicalValues values = baseOf(m_select.getColumn(1).getInt64());
            forEachDifference(viewOf(m_select.getColumn(2)), [&](std::string_view path, std::string_view value) {
                values.insert_or_assign(std::string(path), std::string(value));
            });
            return sha256(canonicalForm(values)) == m_select.getColumn(0).getString();
        } catch (const DamagedDocument&) { return false; }
    }

private:
    const CanonicalValues& baseOf(std::int64_t id) {
        if (m_base != id) {
            m_values = readCanonicalForm(sharedDocument(m_database, "experiment_base", id).value_or(""));
            m_base = id;
        }
        return m_values;
    }

    SQLite::Database& m_database;
    SQLite::Statement m_select;
    std::optional<std::int64_t> m_base;
    CanonicalValues m_values;
};

}  // namespace

std::int64_t checksumOf(const RunContent& content) {
    return checksum(content, crcOf(content.base),
                    content.layout ? std::optional(crcOf(*content.layout)) : std::nullopt);
}

RunSeals::RunSeals(SQLite::Database& database)
    : m_select(database, kSelectForSeal), m_base(database, "SELECT document FROM experiment_base WHERE id = ?"),
      m_layout(database, "SELECT document FROM result_layout WHERE id = ?") {}

bool RunSeals::goTo(std::int64_t id) {
    // Selects by the row number: an index would return its own copies of the indexed columns instead of the row's.
    m_select.reset();
    m_select.bind(1, id);
    return m_select.executeStep();
}

bool RunSeals::isSound(std::int64_t id) {
    const bool sound = goTo(id) && !m_select.getColumn(Sealed::kChecksum).isNull() &&
                       checksumHere() == m_select.getColumn(Sealed::kChecksum).getInt64();
    m_select.reset();
    return sound;
}

std::optional<std::int64_t> RunSeals::checksumNow(std::int64_t id) {
    const auto found = goTo(id) ? checksumHere() : std::nullopt;
    m_select.reset();
    return found;
}

std::optional<std::int64_t> RunSeals::checksumHere() {
    const auto text = [&](int column) { return viewOf(m_select.getColumn(column)); };
    const auto base = shared(m_bases, m_base, m_select.getColumn(Sealed::kBase).getInt64());
    std::optional<std::uint32_t> layout;
    if (!m_select.getColumn(Sealed::kLayout).isNull()) {
        layout = shared(m_layouts, m_layout, m_select.getColumn(Sealed::kLayout).getInt64());
        if (!layout)
            return std::nullopt;
    }
    if (!base)
        return std::nullopt;
    RunContent content;
    content.name = text(Sealed::kName);
    content.experimentHash = text(Sealed::kHash);
    content.engineVersion = text(Sealed::kVersion);
    content.totalPs = m_select.getColumn(Sealed::kTotal).getInt64();
    if (!m_select.getColumn(Sealed::kSpeedup).isNull())
        content.speedup = m_select.getColumn(Sealed::kSpeedup).getDouble();
    content.differences = text(Sealed::kDifferences);
    content.result = text(Sealed::kResult);
    content.draft = text(Sealed::kDraft);
    content.subject = text(Sealed::kSubject);
    return checksum(content, *base, layout);
}

std::optional<std::uint32_t> RunSeals::shared(Shared& known, SQLite::Statement& select, std::int64_t id) {
    const auto [place, isNew] = known.try_emplace(id);
    if (isNew) {
        select.bind(1, id);
        if (select.executeStep())
            place->second = crcOf(viewOf(select.getColumn(0)));
        select.reset();
    }
    return place->second;
}

void sealRuns(SQLite::Database& database, ToSeal which) {
    std::vector<std::int64_t> ids;
    SQLite::Statement all(database, "SELECT id FROM run");
    while (all.executeStep())
        ids.push_back(all.getColumn(0).getInt64());
    RunSeals seals(database);
    Proof proof(database);
    SQLite::Statement update(database, "UPDATE run SET checksum = ? WHERE id = ?");
    for (const std::int64_t id : ids) {
        const auto checksum = which == ToSeal::all || proof.holds(id) ? seals.checksumNow(id) : std::nullopt;
        if (checksum)
            execute(update, *checksum, id);
    }
}

}  // namespace data
