#pragma once

#include "ui/look/value_table.h"
#include "ui/measured/measured_set.h"

#include <QString>

#include <vector>

namespace ui {

/// The columns and rows of a table of the report.
struct MeasuredTable {
    std::vector<ValueColumn> columns;
    std::vector<ValueRow> rows;
};
MeasuredTable rankTable(const MeasuredSet& set);
MeasuredTable collectiveTable(const MeasuredSet& set);
MeasuredTable gemmTable(const MeasuredSet& set);
MeasuredTable unknownTable(const MeasuredSet& set);

/// Describes a span: name, class, time and what its operator says.
QString spanLine(const MeasuredSet& set, const data::MeasuredPlace& place);
/// Says what was read: "2 ranks, H100; 60 % of the communication is hidden behind compute", and first what one rank
/// alone cannot tell.
QString measuredHeadline(const MeasuredSet& set);
QString classWord(data::KernelClass kernelClass);

}  // namespace ui
