#pragma once

#include "ui/model/model_page.h"

#include <QString>

#include <cstdint>

namespace ui {

/// Returns "Training step of gpt-3 on 512 GPUs (tp 8 × pp 8 × dp 8)".
QString divisionTitle(const ModelQuestion& question);
/// Returns the name of a sharding as the form shows it: "none".
QString shardingWord(engine::Sharding sharding);

}  // namespace ui
