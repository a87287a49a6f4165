#pragma once

#include "data/sweep/sweep_document.h"
#include "engine/api/parameters.h"

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace ui {

enum class AxisKind : std::uint8_t { list, linear, logarithmic, zipped };

/// A parameter of an axis and its values as they are written: "1, 2, 4".
struct ColumnDraft {
    std::string path;
    QString values;  ///< of lists
    bool operator==(const ColumnDraft&) const = default;
};

/// An axis as it is being edited: every text word for word, whether it can be understood or not.
struct AxisDraft {
    AxisKind kind = AxisKind::list;
    std::vector<ColumnDraft> columns;  ///< one; of a zipped axis two or more
    QString from, to, count;           ///< of ranges
    bool operator==(const AxisDraft&) const = default;
};

/// What an axis says, as far as it can be understood.
struct AxisReading {
    data::SweepAxis axis;
    QString problem;  ///< what is wrong and what is allowed; empty when it is fine
};

AxisReading readAxis(const AxisDraft& draft);
AxisDraft draftOf(const data::SweepAxis& axis);

/// Something to begin with, around the value that the experiment has now and within what is allowed: by ratio for what
/// is tuned by ratio, all words of a choice, all presets of a machine or model.
AxisDraft defaultAxis(const engine::Parameter& parameter, const engine::ParameterValue& current);

/// The same values another way: a list of what a range says, a range from the first to the last of a list. Zipped
/// axes stay as they are.
AxisDraft withKind(const AxisDraft& draft, AxisKind kind);

/// Numbers can have a range; words and names are listed.
bool canHaveRange(const engine::Parameter& parameter);

}  // namespace ui
