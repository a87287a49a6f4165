#include "data/model/mx_format.h"
#include "engine/api/weight_copies.h"
#include "tests/test_program.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace data;

namespace {

using Numbers = std::array<float, kMxBlock>;

constexpr MxFormat kMx9 = kMxFormats[0], kMx4 = kMxFormats[2];

Numbers ones() {
    Numbers numbers;
    numbers.fill(1);
    return numbers;
}

int mostOf(const MxFormat& format) { return (1 << (format.mantissaBits - 1)) - 1; }

/// Draws numbers of random exponents over the whole range of a float, subnormal ones included, or about one magnitude,
/// and some zeros.
Numbers drawn(std::mt19937& random) {
    const bool wide = random() % 2 == 0;
    Numbers numbers;
    for (float& number : numbers) {
        const int exponent = wide ? static_cast<int>(random() % 276) - 149 : static_cast<int>(random() % 6);
        const double mantissa = 1 + static_cast<double>(random() % (1u << 23)) / (1u << 23);
        number =
            random() % 8 == 0 ? 0 : static_cast<float>(std::ldexp(random() % 2 == 0 ? mantissa : -mantissa, exponent));
    }
    return numbers;
}

}  // namespace

class TestMxFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksHaveTheirBitsAndTheEnginesCopiesTheSame() {
        QCOMPARE(bitsOfBlock(kMxFormats[0]), std::size_t{144});
        QCOMPARE(bitsOfBlock(kMxFormats[1]), std::size_t{96});
        QCOMPARE(bitsOfBlock(kMxFormats[2]), std::size_t{64});
        for (const MxFormat& format : kMxFormats) {
            const auto* known = std::ranges::find(engine::kWeightFormats, format.word, &engine::WeightFormat::word);
            QVERIFY(known != engine::kWeightFormats.end());
            QCOMPARE(static_cast<std::size_t>(known->bits) * kMxBlock, bitsOfBlock(format));
        }
    }

    void anErrorIsAtMostHalfAStepAndBelowOneWhereTheMantissaIsClipped() {
        std::mt19937 random(7);
        int clipped = 0;
        for (int i = 0; i < 20'000; ++i) {
            const Numbers numbers = drawn(random);
            const MxFormat& format = kMxFormats.at(static_cast<std::size_t>(i) % kMxFormats.size());
            const auto block = quantised(numbers, format);
            QVERIFY(block);
            const Numbers again = numbersOf(*block, format);
            for (std::size_t k = 0; k < kMxBlock; ++k) {
                const double step = stepAt(*block, k, format);
                const double error = std::abs(static_cast<double>(again[k]) - static_cast<double>(numbers[k]));
                const bool atEnd = std::abs(block->mantissas[k]) == mostOf(format);
                clipped += atEnd && error > step / 2 ? 1 : 0;
                QVERIFY(std::abs(block->mantissas[k]) <= mostOf(format));
                QVERIFY(atEnd ? error < step : error <= step / 2);
            }
        }
        QVERIFY(clipped > 0);
    }

    void theExponentIsTheLargestAndAPairBelowItIsShifted() {
        Numbers numbers = ones();
        numbers[4] = -6;  // exponent 2
        numbers[6] = 3;   // exponent 1
        numbers[7] = 3.75;
        const auto block = quantised(numbers, kMx9);
        QVERIFY(block);
        QCOMPARE(block->exponent, 2);
        for (std::size_t pair = 0; pair < block->shifts.size(); ++pair)
            QCOMPARE(block->shifts[pair], pair != 2);
        QCOMPARE(stepAt(*block, 4, kMx9), 1.0F / 16);
        QCOMPARE(stepAt(*block, 5, kMx9), 1.0F / 16);  // its neighbour has the exponent of the block
        QCOMPARE(stepAt(*block, 6, kMx9), 1.0F / 32);
        QCOMPARE(int{block->mantissas[4]}, -96);
        QCOMPARE(int{block->mantissas[6]}, 96);
        QVERIFY(numbersOf(*block, kMx9) == numbers);
    }

    void aMantissaBeyondItsBitsIsClipped() {
        Numbers numbers = ones();
        numbers[0] = 1.74F;  // in steps of a half
        numbers[1] = 1.76F;  // would be 4 steps, and 3 bits end at 3
        numbers[2] = -1.99F;
        const auto block = quantised(numbers, kMx4);
        QVERIFY(block);
        QCOMPARE(int{block->mantissas[0]}, 3);
        QCOMPARE(int{block->mantissas[1]}, 3);
        QCOMPARE(int{block->mantissas[2]}, -3);
        QCOMPARE(numbersOf(*block, kMx4)[2], -1.5F);
    }

    void halvesAreRoundedAwayFromZero() {
        Numbers numbers = ones();
        numbers[0] = 1.25F;  // 2.5 steps of a half
        numbers[1] = -1.25F;
        const auto block = quantised(numbers, kMx4);
        QCOMPARE(int{block->mantissas[0]}, 3);
        QCOMPARE(int{block->mantissas[1]}, -3);
    }

    void zerosStayZero() {
        Numbers numbers{};
        for (const MxFormat& format : kMxFormats)
            QVERIFY(numbersOf(*quantised(numbers, format), format) == numbers);
        numbers[3] = std::numeric_limits<float>::max();
        numbers[9] = -0.0F;
        for (const MxFormat& format : kMxFormats) {
            const Numbers again = numbersOf(*quantised(numbers, format), format);
            for (std::size_t i = 0; i < kMxBlock; ++i)
                QVERIFY(i == 3 ? again[i] > 0 && std::isfinite(again[i]) : again[i] == 0);
        }
    }

    void numbersThatAreNotFiniteAreRefused() {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity()}) {
            for (const std::size_t at : {std::size_t{0}, kMxBlock - 1}) {
                Numbers numbers = ones();
                numbers.at(at) = bad;
                QVERIFY(!quantised(numbers, kMx9));
                numbers.at(at) = std::numeric_limits<float>::max();
                QVERIFY(quantised(numbers, kMx9));
            }
        }
    }
};

RINGSIDE_TEST(TestMxFormat)
#include "tst_mx_format.moc"
