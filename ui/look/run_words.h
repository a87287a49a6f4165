#pragma once

#include "data/replay/flow.h"
#include "data/replay/gemm_pieces.h"
#include "data/replay/last_wave.h"

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

/// Returns the name of the collective in a trace's reduce-scatter lanes: "reduce-scatter" or "all-to-all".
QString scatterWord(const engine::Experiment& experiment);

/// The times of a bound's parts as text, shown after the names of the parts; all empty if only the formula is shown.
struct BoundTimeTexts {
    QString gemm, scatter, gather;
};

/// Returns the formula of the perfect-overlap bound, "max(GEMM, reduce-scatter) + all-gather", or with `times`
/// "max(GEMM 1.559 ms, reduce-scatter 450 µs) + all-gather 415 µs". An all-gather that feeds the GEMM is hidden behind
/// it.
QString boundFormula(const engine::Experiment& experiment, const BoundTimeTexts& times = {});

/// Returns the name of a span within its GPU, counted from 1: "tracked tile 312", "DMA transfer of block 17", "wave 3".
QString spanName(const data::Flow& flow, data::SpanRef ref);

/// Returns the name of a span together with its GPU and chunk: "GPU 2: tracked tile 312, chunk 5".
QString spanTitle(const data::Flow& flow, data::SpanRef ref);

/// Returns the chunk that a span belongs to, as its GPU numbers it, or kNone if it belongs to none.
std::uint32_t chunkOf(const data::Flow& flow, data::SpanRef ref);

/// Returns the tile that a span belongs to, as its GPU numbers it, or kNone if it belongs to none.
std::uint32_t tileOf(const data::Flow& flow, data::SpanRef ref);

/// Returns the name of a wave of a GPU's own GEMM: "wave 2 of 3: 108 workgroups".
QString waveName(const data::TraceIndex::Gpu& gpu, const engine::Span& wave);

/// Returns whether a span is the last wave of its GPU's own GEMM.
bool isLastWave(const data::TraceIndex::Gpu& gpu, const engine::Span& span);

/// Returns "36 of 108 slots stay empty in the last wave". Precondition: at least one slot is empty.
QString emptySlotsText(const data::LastWave& last);

/// Returns "piece 2 of 8" for a wave or a workgroup of one of these pieces; empty for any other span.
QString pieceText(const std::vector<data::GemmPiece>& pieces, const engine::Span& span);

/// Returns "136 workgroups, 3 waves".
QString pieceSizeText(const data::GemmPiece& piece);

/// Returns the number of a wave, counted from 1, however the trace numbers it.
std::uint32_t waveNumber(const data::Flow& flow, data::SpanRef ref);

}  // namespace ui
