#pragma once

#include "engine/api/experiment.h"

#include <string>

// Who reads a parameter, for ParameterReading in the rows of the parameter table. Only the table's own source files use
// this header; all others ask isRead and isReadByRun (parameters.h).

namespace engine::reading {

// For ParameterReading::byRun.
bool never(const Experiment& experiment);
bool hasGemm(const Experiment& experiment);  ///< of its own
bool isSubLayer(const Experiment& experiment);
bool communicates(const Experiment& experiment);
bool hasTwoStreams(const Experiment& experiment);  ///< memory has requests of the communication stream, too
bool tracks(const Experiment& experiment);
bool updates(const Experiment& experiment);
bool updatesBanks(const Experiment& experiment);
bool hasBanks(const Experiment& experiment);
bool hasBanksOrMapping(const Experiment& experiment);
bool hasBanksWithoutMapping(const Experiment& experiment);
bool mapsBanks(const Experiment& experiment);  ///< an address mapping, and banks whose times depend on it
bool hasKernelCompanion(const Experiment& experiment);
bool hasCollectiveKernels(const Experiment& experiment);
bool takesTurns(const Experiment& experiment);
bool isMca(const Experiment& experiment);
bool joinsNodes(const Experiment& experiment);
bool sumsInSwitch(const Experiment& experiment);
bool copies(const Experiment& experiment);       ///< tracker-triggered commands, or copies by DMA
bool mayCopy(const Experiment& experiment);      ///< collective.by has a choice
bool addsOrSends(const Experiment& experiment);  ///< a collective kernel of the own work, if only for its sums
bool takesPieces(const Experiment& experiment);  ///< a collective kernel handles what arrives
bool waitsForSignals(const Experiment& experiment);

// For ParameterReading::atAll.
bool isTwoNodes(const Experiment& experiment);

// For ParameterReading::whyNot. They return an empty text if the parameter is read.
/// `takenByCompanion`: a companion GEMM beside a collective alone takes the parameter as its own.
std::string whyNoAccess(const Experiment& experiment);
std::string whyNoMatrix(const Experiment& experiment, bool takenByCompanion);
std::string whyNoTile(const Experiment& experiment);
std::string whyNoOwnGemm(const Experiment& experiment);
std::string whyNoPadding(const Experiment& experiment);
std::string whyNoSharedLoads(const Experiment& experiment);
std::string whyNoMatrixClock(const Experiment& experiment);
std::string whyNoLocalMemory(const Experiment& experiment);
std::string whyNoCompanion(const Experiment& experiment);
std::string whyNoCompanionGemm(const Experiment& experiment);
std::string whyNoCompanionCollective(const Experiment& experiment);
std::string whyNoCompanionBytes(const Experiment& experiment);
std::string whyNoPass(const Experiment& experiment);
std::string whyNoCompanionKernel(const Experiment& experiment);
std::string whyNoCompanionDma(const Experiment& experiment);
std::string whyNoDispatch(const Experiment& experiment);
std::string whyNoReservedCus(const Experiment& experiment);
std::string whyNoPieces(const Experiment& experiment);
std::string whyNoSignals(const Experiment& experiment);
std::string whyNoCopies(const Experiment& experiment);
std::string whyNoCarrier(const Experiment& experiment);
std::string whyNoBankHash(const Experiment& experiment);
std::string whyNoSumsInSwitch(const Experiment& experiment);

}  // namespace engine::reading
