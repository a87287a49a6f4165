#include "app/ringside_cli_companion.h"

#include "data/document/parameter_words.h"
#include "data/document/value_places.h"
#include "data/results/companion_slowdown.h"
#include "engine/api/companion_gemm.h"
#include "engine/api/parameters.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

namespace cli {
namespace {

using data::BesideTime;
using engine::CompanionResult;
using engine::Duration;

constexpr const char* kAbsent = "-";

bool isGemm(const engine::CompanionConfig& companion) {
    return companion.operation == engine::CompanionOperation::gemm;
}

bool isPass(engine::CompanionOperation operation) { return operation == engine::CompanionOperation::inMemory; }

/// "the all-gather", "the GEMM", "the 3 GEMMs"; the short name of the companion in a sentence.
std::string shortName(const CompanionResult& companion) {
    if (isPass(companion.operation))
        return "the pass inside memory";
    if (companion.operation != engine::CompanionOperation::gemm)
        return "the " + data::wordAt("companion.operation", companion.operation);
    return companion.copies > 1 ? "the " + std::to_string(companion.copies) + " GEMMs beside it" : "the GEMM beside it";
}

std::string durationText(Duration time) {
    const TimeScale scale = TimeScale::forLongest(time);
    return scale.text(time) + " " + std::string(scale.unit);
}

std::string factorText(double factor) { return fixedText(factor, 1) + " times"; }

/// "takes 11.5 % longer than alone", "waits 3.20 ms for a CU, then takes as long as alone", "takes 2.7 times as long as
/// alone".
std::string lossText(const BesideTime& time, bool several) {
    std::string takes = several ? "take " : "takes ";
    if (time.waits.ps > 0)
        takes = std::string(several ? "wait " : "waits ") + durationText(time.waits) + " for a CU, then " + takes;
    const double slowdown = *time.slowdown;
    if (data::isToldAsFactor(slowdown))
        return takes + factorText(slowdown) + " as long as alone";
    const std::string percent = fixedText(100 * std::abs(slowdown - 1), 1);
    if (percent == "0.0")
        return takes + "as long as alone";
    return takes + percent + (slowdown > 1 ? " % longer than alone" : " % less time than alone");
}

void writeLosses(const CompanionResult& companion, std::ostream& out) {
    if (const BesideTime own = data::ownBeside(companion); own.slowdown)
        out << "the own work " << lossText(own, false) << "\n";
    if (const BesideTime other = data::companionBeside(companion); other.slowdown)
        out << shortName(companion) << " " << lossText(other, companion.copies > 1) << "\n";
    if (companion.speedupOverSerial && companion.serial) {
        out << "speed-up over serial execution  " << fixedText(*companion.speedupOverSerial, 3);
        if (companion.idealSpeedup && companion.fractionOfIdeal)
            out << " of at most " << fixedText(*companion.idealSpeedup, 3) << ": "
                << shareText(*companion.fractionOfIdeal) << " of the ideal gain";
        out << "\n";
    }
    if (companion.whileBoth) {
        out << "while both ran, for " << durationText(companion.whileBoth->time) << ", the own kernel took "
            << fixedText(companion.whileBoth->ownSlowdown, 3) << " times as long as alone, the other "
            << fixedText(companion.whileBoth->slowdown, 3) << " times\n";
    }
}

std::string carrierPhrase(const engine::Experiment& experiment) {
    std::string text;
    const engine::CompanionConfig& companion = experiment.companion;
    if (isPass(companion.operation))
        return " in pieces of " + bytesText(experiment.pass.piece);
    if (!isGemm(companion) && companion.by == engine::CollectiveCarrier::dma)
        return ", carried by DMA engines";
    if (!isGemm(companion))
        text = ", a kernel of " + std::to_string(companion.workgroups) + " workgroups";
    text += ", dispatched " + data::wordAt("dispatch.rule", engine::dispatchRuleOf(experiment));
    const std::int64_t reserved = engine::reservedCus(experiment);
    return reserved > 0 ? text + " " + std::to_string(reserved) : text;
}

std::string cell(const std::optional<double>& value, std::string (*text)(double)) {
    return value ? text(*value) : kAbsent;
}

std::string ratioText(double ratio) { return fixedText(ratio, 3); }

}  // namespace

std::string companionPhrase(const engine::Experiment& experiment) {
    const engine::CompanionConfig& companion = experiment.companion;
    if (isPass(companion.operation))
        return "a pass inside memory over " + bytesText(companion.bytes);
    if (!isGemm(companion)) {
        const std::string& operation = data::wordAt("companion.operation", companion.operation);
        return (operation.front() == 'a' ? "an " : "a ") + operation + " of " + bytesText(companion.bytes);
    }
    const engine::GemmSize size = engine::companionGemmOf(experiment);
    const std::string sides = sidesText(size.m, size.n, size.k / size.partsOfK);
    const std::string copies = std::to_string(companion.copies);
    if (size.partsOfK > 1)
        return (companion.copies > 1 ? copies + " kernels of " : "a kernel of ") + gemmsText(size.partsOfK, sides);
    return companion.copies > 1 ? copies + " GEMMs " + sides : "a GEMM " + sides;
}

std::string ownPhrase(const engine::Experiment& experiment, const engine::Shape& shape) {
    if (experiment.workload.sublayer == engine::SubLayer::gemm)
        return gemmsText(shape.batch, sidesText(shape.m, shape.n, shape.k));
    return data::caseName(experiment) + " " + std::string(engine::name(experiment.policy.preset));
}

std::string longerText(double slowdown) {
    if (data::isToldAsFactor(slowdown))
        return factorText(slowdown);
    const std::string text = fixedText(100 * (slowdown - 1), 1);
    return (text == "-0.0" ? "0.0" : text) + " %";
}

std::string shareText(double fraction) { return data::percentText(fraction); }

void writeCompanion(const data::LaboratoryRun& run, std::ostream& out) {
    if (!run.result.companion)
        return;
    const CompanionResult& companion = *run.result.companion;
    const TimeScale scale =
        TimeScale::forLongest(std::max({companion.own, companion.time, companion.serial.value_or(Duration{})}));
    out << "\nbeside it  " << companionPhrase(run.experiment) << carrierPhrase(run.experiment) << "\n";
    const std::string unit(scale.unit);
    Table table({{"kernels side by side", Align::left},
                 {"ends", Align::right, unit},
                 {"waits for a CU", Align::right, unit},
                 {"alone", Align::right, unit},
                 {"longer"}});
    const auto row = [&](const char* name, Duration end, const BesideTime& time, const std::optional<Duration>& alone) {
        table.addRow({name, scale.text(end), scale.text(time.waits), alone ? scale.text(*alone) : kAbsent,
                      cell(time.slowdown, longerText)});
    };
    row("own work", companion.own, data::ownBeside(companion), companion.ownAlone);
    row("companion", companion.time, data::companionBeside(companion), companion.alone);
    if (companion.serial)
        table.addRow({"one after the other", scale.text(*companion.serial), "", "", ""});
    if (companion.copies > 1)
        table.addRow({"for each kernel", scale.text(companion.perKernel), "", "", ""});
    out << "\n";
    table.write(out);
    writeLosses(companion, out);
    if (isPass(companion.operation)) {
        out << "companion: works on " << bytesText(companion.bytes) << " that no bus carries\n";
        return;
    }
    out << "companion: read " << bytesText(companion.dramRead) << ", wrote " << bytesText(companion.dramWritten)
        << ", sent " << bytesText(companion.sent) << "\n";
}

void writeCompanions(const std::vector<data::LaboratoryRun>& runs, const TimeScale& scale, std::ostream& out) {
    const auto has = [](const data::LaboratoryRun& run) { return run.result.companion.has_value(); };
    const auto first = std::find_if(runs.begin(), runs.end(), has);
    if (first == runs.end())
        return;
    const std::string unit(scale.unit);
    Table table({{"policy", Align::left},
                 {"own ends", Align::right, unit},
                 {"companion ends", Align::right, unit},
                 {"companion waits", Align::right, unit},
                 {"own slower"},
                 {"companion slower"},
                 {"speed-up over serial"},
                 {"of ideal"}});
    for (const data::LaboratoryRun& run : runs) {
        std::vector<std::string> row{std::string(engine::name(run.experiment.policy.preset))};
        if (!has(run)) {
            row.resize(8, kAbsent);
        } else {
            const CompanionResult& companion = *run.result.companion;
            row.insert(row.end(),
                       {scale.text(companion.own), scale.text(companion.time),
                        scale.text(data::companionBeside(companion).waits),
                        cell(data::ownBeside(companion).slowdown, longerText),
                        cell(data::companionBeside(companion).slowdown, longerText),
                        cell(companion.speedupOverSerial, ratioText), cell(companion.fractionOfIdeal, shareText)});
        }
        table.addRow(std::move(row));
    }
    out << "\nbeside it  " << companionPhrase(first->experiment)
        << "; once it has a CU slower than alone, and both faster than one after the other\n";
    table.write(out);
}

}  // namespace cli
