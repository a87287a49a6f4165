#pragma once

#include "data/replay/ring_state.h"

#include <QString>

namespace engine {
struct Experiment;
}

namespace ui {

/// The words for tile states in one run. The same state means another thing where nothing is summed (all-gather,
/// all-to-all) and where the data are there from the start.
class TileWords {
public:
    TileWords() = default;  ///< of a GEMM whose stores are updates
    explicit TileWords(const engine::Experiment& experiment);

    /// "in flight".
    QString nameOf(data::TileState state) const;
    /// What it means, in half a sentence.
    QString meaningOf(data::TileState state) const;

private:
    bool m_reduces = true;         // contributions are summed
    bool m_updates = true;         // each contribution is an update in memory
    bool m_dataFromStart = false;  // the collective's data do not come from a GEMM
};

}  // namespace ui
