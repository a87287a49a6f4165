#pragma once

namespace engine {
struct Experiment;
}

namespace data {

/// True where what follows the GEMM, or runs alone, is an all-to-all.
bool exchangesOutput(const engine::Experiment& experiment);

/// True where there is a reduce-scatter or an all-to-all, alone or after the GEMM.
bool scattersOutput(const engine::Experiment& experiment);

/// True where the collective's data do not come from the GEMM: it runs alone, before the GEMM or beside it.
bool startsWithData(const engine::Experiment& experiment);

}  // namespace data
