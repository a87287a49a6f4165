#pragma once

#include "data/measured/kernel_classes.h"
#include "data/measured/kineto_records.h"

namespace data {

/// Joins the spans of a trace to their launch calls and operators, gives each its step and its class, and sorts them by
/// start. The operator of a kernel is, in this order: that of its External id; that of its launch call's External id; the
/// innermost one that encloses its launch call on the same thread. Kernels of a graph have none: all of them share its
/// launch call.
MeasuredTrace joinedTrace(KinetoRecords records, const KernelClasses& classes);

}  // namespace data
