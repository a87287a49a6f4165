#pragma once

#include "ui/look/texture.h"
#include "ui/model/model_page.h"

#include <QString>

#include <cstdint>

namespace ui {

struct Palette;

/// "Training step of gpt-3 on 512 GPUs (tp 8 × pp 8 × dp 8)".
QString divisionTitle(const ModelQuestion& question);
/// "none", as the form shows it.
QString shardingWord(engine::Sharding sharding);

/// "20 GB": for ticks, without zeros that say nothing.
QString formatRound(std::int64_t bytes);

/// Returns the colour and texture of the n-th of things without a meaning of their own. Figures draw it alike as "series/n";
/// n from 0 to 5.
Fill seriesFill(std::size_t n, const Palette& colors);

}  // namespace ui
