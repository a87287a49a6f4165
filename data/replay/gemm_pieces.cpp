#include "data/replay/gemm_pieces.h"

#include <algorithm>

namespace data {
namespace {

/// Returns the workgroups of each wave of the own GEMM of a recorded GPU, by wave.
std::vector<std::uint32_t> waveSizesOf(const engine::Trace& trace, std::uint32_t recorded) {
    std::vector<std::uint32_t> sizes;
    for (const engine::Lane& lane : trace.lanes) {
        if (lane.gpu != recorded || lane.kind != engine::LaneKind::gemmWaves)
            continue;
        for (const engine::Span& wave : lane.spans) {
            sizes.resize(std::max<std::size_t>(sizes.size(), std::size_t{wave.first} + 1));
            sizes[wave.first] = wave.second;
        }
    }
    return sizes;
}

/// Returns the piece to which a wave belongs; null if there are no pieces.
const GemmPiece* pieceWithWave(const std::vector<GemmPiece>& pieces, std::uint32_t wave) {
    std::uint32_t end = 0;
    const auto piece = std::ranges::find_if(pieces, [&](const GemmPiece& one) { return wave < (end += one.waves); });
    return piece == pieces.end() ? nullptr : &*piece;
}

}  // namespace

std::vector<GemmPiece> gemmPiecesOf(const engine::Trace& trace, std::uint32_t recorded) {
    std::vector<GemmPiece> pieces;
    if (recorded >= trace.pieces.size() || trace.pieces[recorded].size() < 2)
        return pieces;
    const std::vector<std::uint32_t> waves = waveSizesOf(trace, recorded);
    std::uint32_t workgroup = 0;
    std::size_t wave = 0;
    for (const engine::PieceTimes& times : trace.pieces[recorded]) {
        GemmPiece piece{.number = static_cast<std::uint32_t>(pieces.size()),
                        .time = {times.launched.ps, times.landed.ps},
                        .firstWorkgroup = workgroup,
                        .endWorkgroup = workgroup + times.workgroups};
        for (; wave < waves.size() && workgroup < piece.endWorkgroup; ++wave, ++piece.waves)
            workgroup += waves[wave];
        workgroup = piece.endWorkgroup;
        pieces.push_back(piece);
    }
    return pieces;
}

const GemmPiece* pieceWith(const std::vector<GemmPiece>& pieces, std::uint32_t workgroup) {
    const auto piece =
        std::ranges::find_if(pieces, [workgroup](const GemmPiece& one) { return workgroup < one.endWorkgroup; });
    return piece == pieces.end() ? nullptr : &*piece;
}

const GemmPiece* pieceOf(const std::vector<GemmPiece>& pieces, const engine::Span& span) {
    if (span.kind == engine::SpanKind::gemmWave)
        return pieceWithWave(pieces, span.first);
    const bool isOwn = span.kind == engine::SpanKind::workgroup && engine::kernelOf(span) == engine::kOwnKernel;
    return isOwn ? pieceWith(pieces, span.second) : nullptr;
}

}  // namespace data
