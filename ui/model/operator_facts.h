#pragma once

#include "data/model/class_times.h"
#include "ui/look/texture.h"
#include "ui/look/value_table.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace ui {

struct Palette;

/// Everything that the page Operators shows: one row for each operator of the graph.
struct OperatorFacts {
    std::shared_ptr<const data::ModelRun> run;
    std::size_t policy = 0;                   ///< index into run->policies
    std::vector<data::OperatorPoint> points;  ///< sorted by their time in the phase, the longest first
    std::vector<data::ClassTime> classes;     ///< the classes that have operators
    engine::Roofline roof;

    const data::PolicyModelTime& times() const { return run->policies[policy]; }
    const engine::Operator& at(std::size_t row) const { return run->graph.operators[points[row].index]; }
    /// Returns whether the roofline plot shows the operator (data::isPlotted).
    bool isPlotted(std::size_t row) const;
    /// Returns the row of an operator by its id.
    std::optional<std::size_t> rowOf(const std::string& id) const;
};

OperatorFacts operatorFactsOf(std::shared_ptr<const data::ModelRun> run, std::size_t policy);

QString titleOf(engine::OperatorClass operatorClass);
/// Returns a short label for a mark: "fc-2", "fc-2 backward", "fc-2 weights".
QString labelOf(const engine::Operator& op);
QString formatFlops(double flops);             ///< "4.295 GFLOP"
QString formatRate(double rate);               ///< "241.6 TFLOP/s"
QString formatIntensity(double flopsPerByte);  ///< "341.3 FLOP/B"

/// Returns "Training step of bert-large on 1 GPU under t3-mca: 134 ms; GEMM 57.3 %, …".
QString headlineOf(const OperatorFacts& facts);
/// Describes time, share, work and operators of a class in one sentence.
QString spokenOf(const data::ClassTime& time);
/// Returns class and pass, time x count, flops and bytes, flops per byte and rate, and share of the roof, one in each
/// line. A collective has only class, pass, time and bytes; an operator without a mark has no rate.
QStringList linesOf(const OperatorFacts& facts, std::size_t row);
/// Returns title, id, these lines and the formula as rich text; without a row, an explanation of the picture.
QString detailsHtml(const OperatorFacts& facts, std::optional<std::size_t> row, const Palette& colors);
/// Describe the slope and the flat part of the roof: "DRAM 1 TB/s × 0.75" and "peak 114.7 TFLOP/s × 0.88".
QString slopeText(const OperatorFacts& facts);
QString flatText(const OperatorFacts& facts);

std::vector<ValueColumn> operatorColumns(const OperatorFacts& facts);
ValueRow operatorRow(const OperatorFacts& facts, std::size_t row);

}  // namespace ui
