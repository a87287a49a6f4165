#include "ui/find/span_query_text.h"

#include "ui/look/format.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <cmath>
#include <limits>

namespace ui {
namespace {

using engine::SpanKind;

QString queryTr(const char* text) { return QCoreApplication::translate("SpanQuery", text); }

constexpr std::uint32_t bit(SpanKind kind) { return 1u << static_cast<unsigned>(kind); }

struct KindWord {
    const char* word;
    std::uint32_t kinds;
};

// The words for kinds of spans: those of rows and documents, and short forms. They belong to the query language and are
// not translated.
constexpr std::array kKindWords{
    KindWord{"wave", bit(SpanKind::gemmWave) | bit(SpanKind::companionWave)},
    KindWord{"workgroup", bit(SpanKind::workgroup) | bit(SpanKind::collectiveWorkgroup)},
    KindWord{"wg", bit(SpanKind::workgroup) | bit(SpanKind::collectiveWorkgroup)},
    KindWord{"load", bit(SpanKind::load)},
    KindWord{"store", bit(SpanKind::store)},
    KindWord{"tracked", bit(SpanKind::trackedTile)},
    KindWord{"trigger", bit(SpanKind::trigger)},
    KindWord{"dma", bit(SpanKind::dmaTransfer) | bit(SpanKind::companionTransfer) | bit(SpanKind::copy)},
    KindWord{"copy", bit(SpanKind::copy)},
    KindWord{"transfer", bit(SpanKind::dmaTransfer) | bit(SpanKind::companionTransfer)},
    KindWord{"packet", bit(SpanKind::linkPacket) | bit(SpanKind::companionPacket)},
    KindWord{"link", bit(SpanKind::linkPacket) | bit(SpanKind::companionPacket)},
    KindWord{"read", bit(SpanKind::dramRead)},
    KindWord{"write", bit(SpanKind::dramWrite)},
    KindWord{"update", bit(SpanKind::dramUpdate)},
    KindWord{"pass", bit(SpanKind::dramPass)},
    KindWord{"landed", bit(SpanKind::storeLanded) | bit(SpanKind::arrivalLanded) | bit(SpanKind::sumLanded)},
    KindWord{"dram",
             bit(SpanKind::dramRead) | bit(SpanKind::dramWrite) | bit(SpanKind::dramUpdate) | bit(SpanKind::dramPass)},
    KindWord{"reduce-scatter", bit(SpanKind::reduceScatterStep)},
    KindWord{"rs", bit(SpanKind::reduceScatterStep)},
    KindWord{"all-gather", bit(SpanKind::allGatherStep)},
    KindWord{"ag", bit(SpanKind::allGatherStep)},
    KindWord{"companion", bit(SpanKind::companionStep) | bit(SpanKind::companionTransfer) |
                              bit(SpanKind::companionPacket) | bit(SpanKind::companionWave) | bit(SpanKind::dramPass)},
};

std::uint32_t kindsOf(const QString& word) {
    for (const KindWord& known : kKindWords) {
        const QLatin1String name(known.word);
        const bool plural = word.size() == name.size() + 1 && word.endsWith(u's') && word.startsWith(name);
        if (word == name || plural)
            return known.kinds;
    }
    return 0;
}

std::optional<std::int64_t> psOf(const QString& number, const QString& unit) {
    const double ps = number.toDouble() * psPerUnit(unit);
    return ps < 9e18 ? std::optional(static_cast<std::int64_t>(std::llround(ps))) : std::nullopt;
}

SpanQueryReading refused(const QString& part) {
    return {std::nullopt,
            queryTr("“%1” is not a search term; allowed: tile 312, chunk 5, block 17, wave 3, gpu 2, trigger, dma, "
                    "packet, store, tracked, > 2 us, …")
                .arg(part)};
}

std::optional<std::uint32_t> data::SpanQuery::*numberNamed(const QString& word) {
    if (word == QLatin1String("tile"))
        return &data::SpanQuery::tile;
    if (word == QLatin1String("chunk"))
        return &data::SpanQuery::chunk;
    if (word == QLatin1String("block"))
        return &data::SpanQuery::block;
    if (word == QLatin1String("gpu"))
        return &data::SpanQuery::gpu;
    return word == QLatin1String("wave") ? &data::SpanQuery::wave : nullptr;
}

}  // namespace

QString spanQueryHelp() {
    return queryTr(
        "Search terms, alone or combined: tile 312, chunk 5, block 17, wave 3, gpu 2; trigger, dma, packet, "
        "workgroup, load, store, tracked, landed, read, write, update, reduce-scatter, all-gather, companion; > 2 us, < 500 ns.");
}

SpanQueryReading readSpanQuery(const QString& text) {
    static const QRegularExpression kToken(
        QStringLiteral("([<>])=?\\s*(\\d{1,12}(?:\\.\\d{1,12})?)\\s*(ps|ns|us|µs|μs|ms|s)\\b"
                       "|(tile|chunk|block|gpu|wave)\\s*#?(\\d{1,9})\\b"
                       "|([a-z][a-z-]*)|([^\\s,;]+)"),
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    data::SpanQuery query;
    auto tokens = kToken.globalMatch(text);
    bool any = false;
    while (tokens.hasNext()) {
        const QRegularExpressionMatch token = tokens.next();
        any = true;
        if (!token.captured(1).isEmpty()) {
            const auto ps = psOf(token.captured(2), token.captured(3).toLower());
            if (!ps)
                return refused(token.captured());
            (token.captured(1) == QLatin1String(">") ? query.longerPs : query.shorterPs) = ps;
        } else if (!token.captured(4).isEmpty()) {
            query.*numberNamed(token.captured(4).toLower()) = token.captured(5).toUInt();
        } else if (const std::uint32_t kinds = kindsOf(token.captured(6).toLower()); kinds != 0) {
            query.kinds |= kinds;
        } else {
            return refused(token.captured());
        }
    }
    return any ? SpanQueryReading{query, {}} : SpanQueryReading{};
}

}  // namespace ui
