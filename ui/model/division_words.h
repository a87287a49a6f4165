#pragma once

#include "ui/look/texture.h"
#include "ui/model/model_page.h"

#include <QString>

#include <cstdint>

namespace ui {

struct Palette;

/// Returns "Training step of gpt-3 on 512 GPUs (tp 8 × pp 8 × dp 8)".
QString divisionTitle(const ModelQuestion& question);
/// Returns the name of a sharding as the form shows it: "none".
QString shardingWord(engine::Sharding sharding);

/// Formats a size for ticks, without trailing zeros: "20 GB".
QString formatRound(std::int64_t bytes);

/// Returns the fill of the n-th series without a meaning of its own; n is from 0 to 5. Figures use the same fill for
/// "series/n".
Fill seriesFill(std::size_t n, const Palette& colors);

}  // namespace ui
