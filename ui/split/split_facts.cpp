#include "ui/split/split_facts.h"

#include "data/replay/shown_run.h"
#include "engine/api/run_parts.h"
#include "ui/look/format.h"
#include "ui/look/tile_style.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui {
namespace {

QString splitTr(const char* text) { return QCoreApplication::translate("Split", text); }

SplitKind kindOf(const engine::Experiment& experiment, const engine::RunParts& parts) {
    if (experiment.workload.sublayer == engine::SubLayer::gemm)
        return SplitKind::whole;
    if (!parts.gemm || parts.sideBySide)
        return SplitKind::collective;
    if (parts.consumes)
        return SplitKind::gathered;
    return parts.allToAll ? SplitKind::exchanged : SplitKind::alongK;
}

QString sizeText(std::int64_t rows, std::int64_t columns) {
    return splitTr("%1 × %2").arg(formatCount(rows), formatCount(columns));
}

QString rangeText(const SideSlice& slice) {
    return splitTr("%1 to %2").arg(formatCount(slice.first), formatCount(slice.end - 1));
}

QString collectiveText(const SplitFacts& facts, std::uint32_t gpu) {
    const QString where = facts.beside
                              ? splitTr("The collective runs beside a GEMM of other data, which is not shown.")
                              : splitTr("The run is a collective alone, without a GEMM whose matrices could be cut.");
    if (facts.plan.reduces())
        return where + QLatin1Char(' ') +
               splitTr("GPU %1 has one of %2 partial sums of every chunk from the start.").arg(gpu).arg(facts.gpus);
    return where + QLatin1Char(' ') + splitTr("Nothing is summed: each GPU has its share from the start.");
}

}  // namespace

data::ChunkSums SplitFacts::sums(const data::GpuState& state, std::uint32_t gpu, std::uint32_t chunk) const {
    return data::sumsOf(plan, state, gpu, chunk, grid.chunkFirstTile[chunk], grid.chunkFirstTile[chunk + 1]);
}

SplitFacts splitFactsOf(const data::ShownRun& run) {
    const engine::Experiment experiment = data::asRun(run.run);
    const engine::RunParts parts = engine::runPartsOf(experiment);
    const engine::Trace& trace = *run.run.result.trace;
    const engine::Shape& shape = run.run.result.shape;
    SplitFacts facts;
    facts.kind = kindOf(experiment, parts);
    facts.gpus = trace.gpus;
    facts.beside = parts.sideBySide;
    facts.grid = data::outputGridOf(trace.output, experiment.gemm);
    facts.plan = data::SumPlan(experiment, trace.gpus);
    if (facts.kind == SplitKind::collective)
        return facts;
    const bool alongK = facts.kind == SplitKind::alongK || facts.kind == SplitKind::exchanged;
    facts.m = shape.m;
    facts.n = facts.kind == SplitKind::gathered ? shape.n * facts.gpus : shape.n;
    facts.k = alongK ? shape.k * facts.gpus : shape.k;
    facts.batch = shape.batch;
    return facts;
}

SideSlice sliceOf(std::int64_t side, std::uint32_t gpus, std::uint32_t gpu) {
    const std::int64_t count = std::max(1u, gpus);
    return {side * gpu / count, side * (gpu + 1) / count};
}

QString splitText(const SplitFacts& facts, std::uint32_t gpu) {
    const QString a = sizeText(facts.m, facts.k);
    const QString b = sizeText(facts.k, facts.n);
    const QString k = rangeText(sliceOf(facts.k, facts.gpus, gpu));
    switch (facts.kind) {
    case SplitKind::alongK:
        return splitTr("GPU %1 holds columns %2 of A (%3) and the same rows of B (%4): its output is one of %5 partial "
                       "sums of the whole C.")
            .arg(QString::number(gpu), k, a, b, QString::number(facts.gpus));
    case SplitKind::exchanged:
        return splitTr("GPU %1 multiplies columns %2 of A (%3) by the same rows of B (%4). An all-to-all sums nothing: "
                       "the chunks of its output go to other GPUs.")
            .arg(QString::number(gpu), k, a, b);
    case SplitKind::gathered:
        return splitTr("GPU %1 starts with rows %2 of A (%3) and holds columns %4 of B (%5). The all-gather brings the "
                       "other rows of A: K is not cut, and nothing is summed.")
            .arg(QString::number(gpu), rangeText(sliceOf(facts.m, facts.gpus, gpu)), a,
                 rangeText(sliceOf(facts.n, facts.gpus, gpu)), b);
    case SplitKind::whole:
        return splitTr("GPU %1 has a GEMM of its own, A (%2) times B (%3): nothing is cut, and no collective follows.")
            .arg(QString::number(gpu), a, b);
    case SplitKind::collective: break;
    }
    return collectiveText(facts, gpu);
}

QString shortSumsText(const data::ChunkSums& sums) {
    return sums.least == sums.most ? QString::number(sums.least)
                                   : QStringLiteral("%1–%2").arg(sums.least).arg(sums.most);
}

QString sumsText(const data::ChunkSums& sums, std::uint32_t parts) {
    return sums.least == sums.most ? splitTr("%1 of %2").arg(sums.least).arg(parts)
                                   : splitTr("%1 to %2 of %3").arg(sums.least).arg(sums.most).arg(parts);
}

QString chunkText(const SplitFacts& facts, std::uint32_t gpu, std::uint32_t chunk, const data::ChunkSums& sums,
                  const TileWords& words) {
    const std::uint32_t parts = facts.plan.parts();
    QStringList lines;
    if (sums.whole == sums.tiles)
        lines << splitTr("all %1 tiles are %2").arg(formatCount(sums.tiles), words.nameOf(data::TileState::reduced));
    else if (facts.plan.reduces())
        lines << splitTr("%1 partial sums in each tile").arg(sumsText(sums, parts));
    else
        lines << splitTr("%1 of %2 tiles are here").arg(sums.in[0] + sums.sent + sums.whole).arg(sums.tiles);
    if (sums.whole != sums.tiles) {
        if (facts.plan.reduces())
            lines << splitTr("its own partial sum in %1 of %2 tiles")
                         .arg(sums.in[0] + sums.sent + sums.whole)
                         .arg(sums.tiles);
        if (sums.sent > 0)
            lines << splitTr("%1 tiles sent on").arg(formatCount(sums.sent));
        if (sums.whole > 0)
            lines << splitTr("%1 %2").arg(formatCount(sums.whole)).arg(words.nameOf(data::TileState::reduced));
    }
    QString text = splitTr("GPU %1, chunk %2: %3.").arg(gpu).arg(chunk).arg(lines.join(QStringLiteral(", ")));
    const std::uint32_t keeper = facts.plan.keeperOf(chunk);
    if (facts.plan.reduces() && keeper < facts.gpus)
        text += QLatin1Char(' ') +
                (keeper == gpu ? splitTr("This GPU keeps the sum.") : splitTr("GPU %1 keeps the sum.").arg(keeper));
    return text;
}

QString gpuText(const SplitFacts& facts, std::uint32_t gpu, const std::vector<data::ChunkSums>& sums) {
    std::uint32_t tiles = 0, own = 0, sent = 0, whole = 0, wholeChunks = 0;
    for (const data::ChunkSums& chunk : sums) {
        tiles += chunk.tiles;
        own += chunk.in[0] + chunk.sent + chunk.whole;
        sent += chunk.sent;
        whole += chunk.whole;
        wholeChunks += chunk.tiles > 0 && chunk.whole == chunk.tiles ? 1 : 0;
    }
    QStringList lines{facts.plan.reduces() ? splitTr("its own partial sum is in %1 of %2 tiles").arg(own).arg(tiles)
                                           : splitTr("%1 of %2 tiles are here").arg(own).arg(tiles)};
    if (sent > 0)
        lines << splitTr("%1 tiles have been sent on").arg(formatCount(sent));
    if (facts.kind != SplitKind::whole)
        lines << splitTr("%1 of %2 chunks are complete").arg(wholeChunks).arg(sums.size());
    return splitTr("GPU %1: %2.").arg(gpu).arg(lines.join(QStringLiteral(", ")));
}

QString sumFormula(std::uint32_t gpus) {
    const auto term = [](std::uint32_t gpu) {
        QString digits;
        for (const QChar digit : QString::number(gpu))
            digits += QChar(0x2080 + digit.digitValue());
        return QStringLiteral("A%1B%1").arg(digits);
    };
    QStringList terms{term(0), term(1)};
    if (gpus > 3)
        terms << QStringLiteral("…");
    if (gpus > 2)
        terms << term(gpus - 1);
    return QStringLiteral("C = ") + terms.join(QStringLiteral(" + "));
}

QString matrixText(const SplitFacts& facts, char matrix) {
    const bool alongK = facts.kind == SplitKind::alongK || facts.kind == SplitKind::exchanged;
    const bool gathered = facts.kind == SplitKind::gathered;
    const auto cut = [&](const QString& what, std::int64_t side) {
        return splitTr(", %1 × %2 %3").arg(facts.gpus).arg(formatCount(side / facts.gpus)).arg(what);
    };
    switch (matrix) {
    case 'A':
        return splitTr("A  %1  (M × K)").arg(sizeText(facts.m, facts.k)) + (alongK ? cut(splitTr("columns"), facts.k)
                                                                            : gathered ? cut(splitTr("rows"), facts.m)
                                                                                       : QString());
    case 'B':
        return splitTr("B  %1  (K × N)").arg(sizeText(facts.k, facts.n)) + (alongK ? cut(splitTr("rows"), facts.k)
                                                                            : gathered
                                                                                ? cut(splitTr("columns"), facts.n)
                                                                                : QString());
    default:
        return splitTr("C  %1  (M × N)").arg(sizeText(facts.m, facts.n)) +
               (alongK     ? splitTr(", %1 chunks").arg(facts.chunks())
                : gathered ? cut(splitTr("columns"), facts.n)
                           : QString());
    }
}

}  // namespace ui
