#pragma once

#include "engine/api/units.h"

#include <QObject>
#include <QTest>

#include <string>

// QCOMPARE finds these functions by argument-dependent lookup and prints both values with their unit.
namespace engine {

inline char* toString(const Duration& value) { return qstrdup((std::to_string(value.ps) + " ps").c_str()); }
inline char* toString(const TimePoint& value) { return qstrdup(("at " + std::to_string(value.ps) + " ps").c_str()); }
inline char* toString(const Bytes& value) { return qstrdup((std::to_string(value.count) + " B").c_str()); }

}  // namespace engine
