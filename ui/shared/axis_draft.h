#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/parameters.h"

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace ui {

enum class AxisKind : std::uint8_t { list, linear, logarithmic, zipped };

/// A parameter of an axis and its values as typed: "1, 2, 4".
struct ColumnDraft {
    std::string path;
    QString values;  ///< for lists
    bool operator==(const ColumnDraft&) const = default;
};

/// An axis as it is being edited. Every text is kept exactly as typed, even if it cannot be parsed.
struct AxisDraft {
    AxisKind kind = AxisKind::list;
    std::vector<ColumnDraft> columns;  ///< one; two or more for a zipped axis
    QString from, to, count;           ///< for ranges
    bool operator==(const AxisDraft&) const = default;
};

/// The result of parsing an axis.
struct AxisReading {
    data::SweepAxis axis;
    QString problem;  ///< what is wrong and what is allowed; empty if the axis is valid
};

AxisReading readAxis(const AxisDraft& draft);
AxisDraft draftOf(const data::SweepAxis& axis);

/// Returns a first proposal for an axis, around the current value of the parameter and within the allowed values: a
/// geometric range for a parameter that is tuned by ratio, all words of a choice, all presets of a machine or model.
AxisDraft defaultAxis(const engine::Parameter& parameter, const engine::ParameterValue& current);

/// Returns the draft with its values written in another way: a range as the list of its values, or a list as the range
/// from its first to its last value. Zipped axes stay unchanged.
AxisDraft withKind(const AxisDraft& draft, AxisKind kind);

/// Returns whether the values can be a range: true for numbers, false for words and names.
bool canHaveRange(const engine::Parameter& parameter);

}  // namespace ui
