#pragma once

#include <string_view>

namespace engine {
struct Experiment;
}

namespace ui {

/// False for a parameter that the experiment does not read because of another one: the columns of a torus where there is
/// no torus. The form leaves such a field out while it is as the presets say.
bool isUsed(const engine::Experiment& experiment, std::string_view path);

}  // namespace ui
