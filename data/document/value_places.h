#pragma once

#include "engine/api/parameters.h"

#include <cstdint>
#include <optional>
#include <string>

namespace data {

/// To so many significant digits.
double roundedTo(double value, int digits);

/// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `step`, which is above 0, or a hair less.
double niceStep(double step);

/// Returns the smallest whole one of them, `least` or more, that goes into `span` at most `most` times; at least once.
std::int64_t wholeNiceStep(std::int64_t span, std::int64_t most, std::int64_t least = 1);

/// With so many decimals, whatever the locale: "1.33", "-4.2".
std::string fixedNumber(double value, int decimals);

/// A parameter's value as a number; nothing for a word.
std::optional<double> numberOf(const engine::ParameterValue& value);

/// The values of a parameter between two ends, by ratios where the parameter goes by ratios and neither end is 0.
class ValuePlaces {
public:
    /// `tolerance`: of a value where it goes by ratios, else of the whole way. Both ends are numbers that differ.
    ValuePlaces(const engine::Parameter& parameter, const engine::ParameterValue& from,
                const engine::ParameterValue& to, double tolerance);

    bool byRatio() const { return m_byRatio; }
    /// 0 at `from`, 1 at `to`.
    double shareOf(const engine::ParameterValue& value) const;
    /// A short number near the middle; nothing when the two are as near as wanted or have nothing between them.
    std::optional<engine::ParameterValue> between(const engine::ParameterValue& a,
                                                  const engine::ParameterValue& b) const;
    /// How many halvings lead from the whole way to the tolerance.
    int halvings() const;

private:
    double coordinate(double value) const;
    double valueAt(double coordinate) const;

    const engine::Parameter& m_parameter;
    bool m_byRatio;
    double m_from, m_to;  ///< as coordinates
    double m_tolerance;   ///< of coordinates
};

}  // namespace data
