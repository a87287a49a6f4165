#include "data/laboratory/laboratory.h"

// A source of its own, without the store: the web engine has it, too.

namespace data {

engine::Experiment asRun(const LaboratoryRun& run) {
    engine::Experiment experiment = run.experiment;
    if (run.result.gemm && run.result.gemm->tilesTried != 0) {
        experiment.tiles.choice = engine::TileChoice::fixed;
        experiment.gemm.tileM = run.result.gemm->tileM;
        experiment.gemm.tileN = run.result.gemm->tileN;
    }
    return experiment;
}

}  // namespace data
