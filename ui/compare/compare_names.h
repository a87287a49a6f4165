#pragma once

#include <QStringList>

#include <vector>

namespace engine {
struct Experiment;
}

namespace ui {

/// What tells these experiments from each other, each by its policy first: "T3-MCA", "T3-MCA on t3-2x-cu",
/// "T3-MCA, link bandwidth 75 GB/s". No two names are the same.
QStringList namesOf(const std::vector<const engine::Experiment*>& experiments);

/// "A" for the first.
QString letterOf(std::size_t index);

}  // namespace ui
