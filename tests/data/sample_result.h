#pragma once

#include "engine/api/results.h"

namespace tests {

/// Returns a result in which all values differ, so that a test notices if two keys are exchanged.
inline engine::RunResult sampleResult() {
    engine::RunResult result;
    result.shape = {8192, 4256, 2128, 1, 1088, {69730304}, {{1000}, {2000}}};
    result.last.time = {{2000}, {1500}, {1400}, {300}, {1200}, {500}};
    result.last.dram = engine::DramResult{{1}, {2}, {3}, {4}, {5}, {6}, {21}};
    result.last.link = engine::LinkResult{{7}, {8}};
    result.last.tracker = engine::TrackerResult{9, 10, 11, 12, {13}};
    result.last.dma = engine::DmaResult{14, {15}, 16};
    result.last.memory = engine::CampingResult{1.25, 2.75};
    result.last.llc = engine::LlcResult{{17}, {18}, 17.0 / 35.0};
    result.isolated = engine::IsolatedTimes{{1450}, {400}, {380}, {310}};
    result.speedupOverSequential = 2160.0 / 2000.0;
    result.bounds = {{19}, {20}, {21}, {22}};
    result.network = engine::NetworkResult{56, 1, {28}, 2, 34, 35, {36}};
    result.invariants = {5, {"bounds: 1 < 2"}};
    result.notices = {{"detail.mode", "an approximation"}};
    result.events = 23;
    result.wallNs = 24;
    result.threads = 2;
    return result;
}

/// Adds all results of a companion; all values differ.
inline void addCompanion(engine::RunResult& result) {
    engine::CompanionResult companion;
    companion.operation = engine::CompanionOperation::allToAll;
    companion.by = engine::CollectiveCarrier::dma;
    companion.copies = 2;
    companion.bytes = {60};
    companion.own = {1900};
    companion.time = {1950};
    companion.ownWaits = engine::Duration{64};
    companion.waits = engine::Duration{65};
    companion.perKernel = {666};
    companion.ownAlone = {1800};
    companion.alone = {1700};
    companion.serial = {3600};
    companion.ownSlowdown = 1.0625;
    companion.slowdown = 1.125;
    companion.speedupOverSerial = 1.75;
    companion.idealSpeedup = 1.875;
    companion.fractionOfIdeal = 0.75;
    companion.whileBoth = engine::WhileBoth{{1901}, 1.0703125, 1.140625};
    companion.dramRead = {61};
    companion.dramWritten = {62};
    companion.sent = {63};
    result.companion = companion;
    result.last.companion =
        engine::CompanionPart{{1900}, {1950}, engine::Duration{64}, engine::Duration{65}, {61}, {62}, {63}, 0.96875};
}

/// Returns the sample result with the parts that only some runs have: a bank model, an all-to-all, stalled arrivals, an
/// attribution and a companion.
inline engine::RunResult fullResult() {
    engine::RunResult result = sampleResult();
    result.last.dramOutcome = engine::DramOutcome{0.71, 1.3, 0.9, 25, {26}, {27}};
    result.last.time.allToAll = {29};
    result.last.dram->a2aRead = {30};
    result.last.dram->a2aWrite = {31};
    result.last.link->allToAll = {32};
    result.isolated->allToAll = {33};
    result.last.tracker->arrivalStalls = 34;
    result.gemm =
        engine::GemmResult{256, 128, 7, 70, 71, 72, 0.75, 0.875, {64}, {73}, 0.625, engine::GemmBound::memory};
    result.gemm->decomposition = engine::Duration{74};
    result.gemm->contention = engine::Duration{75};
    result.access = engine::AccessResult{76, {77}, {78}, 0.5625};
    engine::AttributionResult attribution;
    attribution.causes.by = {{{300}, {301}, {302}, {303}, {304}, {305}, {306}}};
    attribution.byPhase[0].by = {{{310}, {311}, {312}, {313}, {314}, {315}, {316}}};
    attribution.byPhase[3].by = {{{320}, {321}, {322}, {323}, {324}, {325}, {326}}};
    attribution.byGpu = {attribution.byPhase[3], {}};
    result.attribution = attribution;
    addCompanion(result);
    return result;
}

inline bool sameResult(const engine::RunResult& a, const engine::RunResult& b) {
    return a.shape == b.shape && a.last == b.last && a.isolated == b.isolated &&
           a.speedupOverSequential == b.speedupOverSequential && a.bounds == b.bounds && a.network == b.network &&
           a.perGpu == b.perGpu && a.companion == b.companion && a.attribution == b.attribution &&
           a.invariants == b.invariants && a.notices == b.notices && a.events == b.events && a.wallNs == b.wallNs &&
           a.threads == b.threads;
}

}  // namespace tests
