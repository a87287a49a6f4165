#pragma once

#include "engine/api/parameters.h"

namespace ui {

/// Which value a slider stands for at each of its positions. By ratio where the parameter table says so, otherwise in
/// equal parts. Values are round numbers a person might have typed, and always allowed.
struct SliderScale {
    static constexpr int kPositions = 240;  ///< 0 to this, inclusive: about one for each pixel of a form's width

    double low = 0;
    double high = 1;
    bool logarithmic = false;
    bool whole = true;  ///< values are whole numbers
    bool powerOfTwo = false;
    bool zeroFirst = false;  ///< position 0 is 0, where a ratio would never reach it

    double valueAt(int position) const;
    /// The nearest position; the ends for values beyond them.
    int positionOf(double value) const;
    engine::ParameterValue parameterValueAt(int position) const;
};

/// A slider's reach: sixteen times to both sides of the preset's value (in equal parts: up to eight times), within
/// what is allowed, for the whole range of the table is far too coarse to be tuned with; and as far as `current`
/// where that lies beyond. A preset that is a word or 0 has no sides, there it is the whole range.
SliderScale sliderScale(const engine::Parameter& parameter, const engine::ParameterValue& preset,
                        const engine::ParameterValue& current);

}  // namespace ui
