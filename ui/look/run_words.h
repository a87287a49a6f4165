#pragma once

#include "data/replay/flow.h"
#include "data/replay/last_wave.h"

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

/// What a trace's reduce-scatter lanes hold: "reduce-scatter" or "all-to-all".
QString scatterWord(const engine::Experiment& experiment);

/// The times of a bound's parts in words, behind the names of its parts; all empty where only the formula is told.
struct BoundTimeTexts {
    QString gemm, scatter, gather;
};

/// What the bound of perfect overlap adds up: "max(GEMM, reduce-scatter) + all-gather", with `times` "max(GEMM 1.559 ms,
/// reduce-scatter 450 µs) + all-gather 415 µs". An all-gather that feeds the GEMM is hidden behind it.
QString boundFormula(const engine::Experiment& experiment, const BoundTimeTexts& times = {});

/// "tracked tile 312", "DMA transfer of block 17", "wave 3": a span within its GPU, numbered as people count.
QString spanName(const data::Flow& flow, data::SpanRef ref);

/// The same with where it happened: "GPU 2: tracked tile 312, chunk 5".
QString spanTitle(const data::Flow& flow, data::SpanRef ref);

/// The chunk that a span is about, as its GPU numbers it; kNone where it is about none.
std::uint32_t chunkOf(const data::Flow& flow, data::SpanRef ref);

/// The tile likewise.
std::uint32_t tileOf(const data::Flow& flow, data::SpanRef ref);

/// "wave 2 of 3: 108 workgroups", of a GPU's own GEMM.
QString waveName(const data::TraceIndex::Gpu& gpu, const engine::Span& wave);

/// Whether it is the last wave of its GPU's own GEMM.
bool isLastWave(const data::TraceIndex::Gpu& gpu, const engine::Span& span);

/// "36 of 108 slots stay empty in the last wave". Precondition: some do.
QString emptySlotsText(const data::LastWave& last);

/// The first wave has number 1, whatever the trace calls it.
std::uint32_t waveNumber(const data::Flow& flow, data::SpanRef ref);

}  // namespace ui
