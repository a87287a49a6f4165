#include "data/document/value_places.h"
#include "tests/test_program.h"
#include "tests/ui/parameter.h"
#include "ui/editors/parameter_field.h"

#include <QTest>

#include <cmath>
#include <set>

using ui::SliderScale;
using ui::sliderScale;

namespace {

SliderScale atPreset(const engine::Parameter& entry) {
    return sliderScale(entry, entry.defaultValue, entry.defaultValue);
}

}  // namespace

class TestSliderScale : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPositionOfEverySliderIsAnAllowedValueAndRises() {
        for (const engine::Parameter& entry : engine::parameters()) {
            if (entry.kind != engine::ParameterKind::integer && entry.kind != engine::ParameterKind::real)
                continue;
            const SliderScale scale = atPreset(entry);
            double before = scale.valueAt(0);
            for (int position = 0; position <= SliderScale::kPositions; ++position) {
                const engine::ParameterValue value = scale.parameterValueAt(position);
                QVERIFY2(!engine::check(entry, value), entry.path.c_str());
                QVERIFY2(scale.valueAt(position) >= before, entry.path.c_str());
                before = scale.valueAt(position);
                engine::Problems problems;
                const auto read = engine::parseValue(entry, engine::formatValue(entry, value), problems);
                QVERIFY2(read && *read == value, entry.path.c_str());
            }
        }
    }

    void thePresetsValueHasItsPlace() {
        for (const engine::Parameter& entry : engine::parameters()) {
            if (entry.kind != engine::ParameterKind::integer && entry.kind != engine::ParameterKind::real)
                continue;
            const auto number = data::numberOf(entry.defaultValue);
            if (!number || *number <= 0)
                continue;
            const SliderScale scale = atPreset(entry);
            const double there = scale.valueAt(scale.positionOf(*number));
            QVERIFY2(std::abs(there - *number) <= 0.06 * *number + 1, entry.path.c_str());
        }
    }

    void bandwidthMovesByRatio() {
        // 150 GB/s with a factor of 16 to each side: 9.375 GB/s to 2.4 TB/s, with the preset in the middle.
        const SliderScale scale = atPreset(tests::parameter("link.bandwidth"));
        QVERIFY(scale.logarithmic);
        QCOMPARE(scale.valueAt(0), 9.375e9);
        QCOMPARE(scale.valueAt(SliderScale::kPositions), 2.4e12);
        QCOMPARE(scale.positionOf(150e9), SliderScale::kPositions / 2);
        // A quarter of the way is a factor of 4: 9.375 GB/s * 4 = 37.5 GB/s.
        QCOMPARE(scale.valueAt(SliderScale::kPositions / 4), 37.5e9);
    }

    void aValueBeyondTheReachWidensIt() {
        const engine::Parameter& bandwidth = tests::parameter("link.bandwidth");
        const SliderScale scale = sliderScale(bandwidth, bandwidth.defaultValue, std::int64_t{10'000'000'000'000});
        QCOMPARE(scale.valueAt(SliderScale::kPositions), 1e13);
        QCOMPARE(scale.valueAt(0), 9.375e9);
    }

    void aLatencyReachesZeroAtItsLeftEnd() {
        const SliderScale scale = atPreset(tests::parameter("link.latency"));
        QCOMPARE(scale.valueAt(0), 0.0);
        // A logarithmic scale from a sixteenth of 500 ns, 31.25 ns, to 8 us, with the preset in the middle.
        QVERIFY(scale.logarithmic);
        QVERIFY(scale.valueAt(1) >= 31'250);
        QCOMPARE(scale.positionOf(500'000), SliderScale::kPositions / 2);
        QCOMPARE(scale.valueAt(SliderScale::kPositions), 8e6);
        QCOMPARE(scale.positionOf(0), 0);
    }

    void powersOfTwoStayPowersOfTwo() {
        const SliderScale scale = atPreset(tests::parameter("detail.granule"));
        std::set<double> values;
        for (int position = 0; position <= SliderScale::kPositions; ++position)
            values.insert(scale.valueAt(position));
        QVERIFY(values.size() >= 8);
        for (const double value : values)
            QCOMPARE(std::exp2(std::round(std::log2(value))), value);
    }
};

RINGSIDE_CORE_TEST(TestSliderScale)
#include "tst_slider_scale.moc"
