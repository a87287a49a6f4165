#pragma once

#include "engine/api/parameters.h"

#include <cstdint>
#include <optional>
#include <string>

namespace data {

/// Rounds `value` to `digits` significant digits.
double roundedTo(double value, int digits);

/// Returns the smallest of 1, 2 and 5 times a power of ten that is at least `step`, within a relative rounding
/// tolerance of 1e-9. Precondition: `step` is above 0.
double niceStep(double step);

/// Returns the smallest of 1, 2 and 5 times `least` times a power of ten that fits into `span` at most `most` times. A
/// `most` below 1 counts as 1.
std::int64_t wholeNiceStep(std::int64_t span, std::int64_t most, std::int64_t least = 1);

/// Returns the value with `decimals` decimals, whatever the locale: "1.33", "-4.2".
std::string fixedNumber(double value, int decimals);

/// Returns the value as fixedNumber does, with its sign; a value that rounds to zero has none: "+3.9", "-4.2", "0.0".
std::string signedNumber(double value, int decimals);

/// Returns a whole number in groups of three digits: "10,000".
std::string groupedNumber(std::int64_t value);

/// Returns a fraction as a percentage: "25.1 %". A share that rounds to zero has no sign.
std::string percentText(double fraction, int decimals = 1);

/// Returns a parameter's value as a number, or an empty optional for a word.
std::optional<double> numberOf(const engine::ParameterValue& value);

/// The values of a parameter between two ends. The scale is logarithmic where the parameter's is and both ends are
/// above 0, otherwise linear.
class ValuePlaces {
public:
    /// `tolerance` is relative to the value on a logarithmic scale, and relative to the distance between the ends on a
    /// linear one. Precondition: the ends are two different numbers.
    ValuePlaces(const engine::Parameter& parameter, const engine::ParameterValue& from,
                const engine::ParameterValue& to, double tolerance);

    bool byRatio() const { return m_byRatio; }
    /// Returns the position of a value: 0 at `from`, 1 at `to`.
    double shareOf(const engine::ParameterValue& value) const;
    /// Returns a number with few digits near the middle of `a` and `b`. Returns an empty optional if they are within
    /// the tolerance or no allowed value lies between them.
    std::optional<engine::ParameterValue> between(const engine::ParameterValue& a,
                                                  const engine::ParameterValue& b) const;
    /// Returns how many halvings lead from the whole distance to the tolerance.
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
