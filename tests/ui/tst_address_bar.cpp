#include "tests/ui/open_window.h"
#include "tests/ui/pointer.h"
#include "tests/ui/window_test.h"

#include "engine/api/parameters.h"
#include "ui/memory/address_bar.h"
#include "ui/memory/memory_feature.h"
#include "ui/memory/memory_view.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>

using engine::DetailLevel;
using ui::AddressBar;
using ui::AddressEdit;
using ui::AddressLetters;

namespace {

engine::Experiment mappedAt(DetailLevel level, const std::string& mapping = engine::kUsualMapping) {
    engine::Experiment experiment;
    engine::applyDetailLevel(experiment, level);
    experiment.memory.model = engine::DramModel::banks;
    experiment.address.mapping = mapping;
    return experiment;
}

/// A bar that makes the edits for which it asks, as the window does.
struct BarBench {
    explicit BarBench(engine::Experiment of = mappedAt(DetailLevel::standard)) : experiment(std::move(of)) {
        QObject::connect(&bar, &AddressBar::edited, [this](const AddressEdit& edit) {
            edits.push_back(edit);
            engine::findParameter(edit.path)->write(experiment, edit.value);
            bar.showExperiment(experiment, std::nullopt);
        });
        bar.resize(900, 90);
        bar.setLeft(120);
        bar.showExperiment(experiment, std::nullopt);
        bar.show();
        QApplication::processEvents();
    }
    /// Drags a letter over the place of another one, without letting it go.
    void drag(std::size_t from, std::size_t to) {
        QTest::mousePress(&bar, Qt::LeftButton, {}, bar.letterBox(from).center().toPoint());
        tests::moveTo(bar, bar.letterBox(to).center().toPoint());
    }
    void release() { QTest::mouseRelease(&bar, Qt::LeftButton, {}, bar.rect().center()); }

    engine::Experiment experiment;
    std::vector<AddressEdit> edits;
    AddressBar bar;
};

}  // namespace

class TestAddressBar : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLetterStandsForTheAddressBitThatItNames() {
        for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::standard, DetailLevel::fine}) {
            const engine::Experiment experiment = mappedAt(level);
            QCOMPARE(engine::validate(experiment), engine::Problems{});
            const AddressLetters letters = ui::addressLettersOf(experiment);
            const engine::DramPlaces places(experiment);
            for (std::size_t i = 0; i < letters.letters.size(); ++i) {
                if (letters.isInGranule(i))
                    continue;
                // The granule whose only address bit is that one lies elsewhere in the way that the letter says.
                const auto granule = static_cast<std::uint32_t>((std::uint64_t{1} << letters.bitOf(i)) /
                                                                static_cast<std::uint64_t>(letters.granuleBytes));
                const engine::DramPlace place = places.of(granule), first = places.of(0);
                QCOMPARE(place.channel != first.channel, letters.letters[i] == engine::kChannelLetter);
                QCOMPARE(place.bank != first.bank, letters.letters[i] == engine::kBankLetter);
                QCOMPARE(place.firstGroup != first.firstGroup, letters.letters[i] == engine::kGroupLetter);
                QCOMPARE(place.row, first.row);
            }
        }
    }

    void aMoveIsPossibleExactlyWhereTheValidationAllowsIt() {
        int refused = 0;
        for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::standard, DetailLevel::fine}) {
            const engine::Experiment experiment = mappedAt(level);
            const AddressLetters letters = ui::addressLettersOf(experiment);
            for (std::size_t from = 0; from < letters.letters.size(); ++from)
                for (std::size_t to = 0; to < letters.letters.size(); ++to) {
                    const QString why = ui::whyNotMovedTo(experiment, from, to);
                    QCOMPARE(ui::canMoveLetter(letters, from, to), why.isEmpty());
                    refused += why.isEmpty() ? 0 : 1;
                }
        }
        QVERIFY(refused > 0);
    }

    void aDragMovesOneLetterAndEndsOnce() {
        BarBench bench;
        QSignalSpy began(&bench.bar, &AddressBar::dragBegan), ended(&bench.bar, &AddressBar::dragEnded);
        const std::string before = bench.bar.letters().letters;
        bench.drag(0, 3);
        QCOMPARE(bench.bar.letters().letters, ui::withMovedLetter(before, 0, 3));
        QCOMPARE(bench.bar.selectedLetter(), std::optional<std::size_t>(3));
        tests::moveTo(bench.bar, bench.bar.letterBox(1).center().toPoint());  // the same letter, on its way back
        QCOMPARE(bench.bar.letters().letters, ui::withMovedLetter(before, 0, 1));
        QCOMPARE(began.count(), 1);
        QCOMPARE(ended.count(), 0);
        bench.release();
        QCOMPARE(ended.count(), 1);
        for (const AddressEdit& edit : bench.edits)
            QCOMPARE(edit.step, QStringLiteral("Move Bank Bit"));
        bench.drag(1, 0);
        bench.release();
        QCOMPARE(bench.experiment.address.mapping, std::string(engine::kUsualMapping));  // the usual order has its name
    }

    void aForbiddenPlaceChangesNothingAndSaysWhy() {
        BarBench bench;
        const std::size_t inside = bench.bar.letters().letters.size() - 1;
        QVERIFY(bench.bar.letters().isInGranule(inside));
        bench.drag(0, inside);
        QVERIFY(bench.edits.empty());
        QVERIFY2(bench.bar.words().contains(QStringLiteral("may only be C and G")), qPrintable(bench.bar.words()));
        bench.release();
        QVERIFY(!bench.bar.words().contains(QStringLiteral("may only be C and G")));
    }

    void arrowsSelectABitAndWithCtrlMoveIt() {
        BarBench bench;
        bench.bar.setFocus();
        const std::string before = bench.bar.letters().letters;
        QTest::keyClick(&bench.bar, Qt::Key_Right);
        QCOMPARE(bench.bar.selectedLetter(), std::optional<std::size_t>(0));
        QTest::keyClick(&bench.bar, Qt::Key_Left);
        QCOMPARE(bench.bar.selectedLetter(), std::optional<std::size_t>(0));
        QVERIFY(bench.bar.accessibleDescription().contains(
            QStringLiteral("bit %1, bank").arg(bench.bar.letters().bitOf(0))));
        QTest::keyClick(&bench.bar, Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(&bench.bar, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(bench.bar.letters().letters, ui::withMovedLetter(before, 0, 2));
        QCOMPARE(bench.bar.selectedLetter(), std::optional<std::size_t>(2));
        QTest::keyClick(&bench.bar, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(bench.bar.letters().letters, ui::withMovedLetter(before, 0, 1));
        QVERIFY(bench.edits.back().step == QStringLiteral("Move Bank Bit"));
    }

    void theWalkShowsWhereEachRequestLies() {
        BarBench bench(mappedAt(DetailLevel::fine));
        QVERIFY(bench.bar.squares() > 8);
        for (const engine::PlacedGranule& granule : bench.bar.walk().granules)
            QCOMPARE(granule.place, engine::dramPlaceOf(bench.experiment, granule.granule));
        const engine::PlacedGranule& third = bench.bar.walk().granules[2];
        tests::moveTo(bench.bar, bench.bar.squareBox(2).center().toPoint());
        QVERIFY2(bench.bar.words().contains(QStringLiteral("channel %1").arg(third.place.channel)) &&
                     bench.bar.words().contains(
                         QStringLiteral("bank %1, row %2").arg(third.place.bank).arg(third.place.row)),
                 qPrintable(bench.bar.words()));
    }

    void theWalkOfAStrideThatCampsLiesInOneChannel() {
        engine::Experiment experiment = mappedAt(DetailLevel::fine);
        experiment.workload.sublayer = engine::SubLayer::access;
        engine::applyPolicyPreset(experiment, engine::PolicyPreset::sequential);
        experiment.access.stride = engine::Bytes{64 * 1024};
        BarBench bench(experiment);
        QVERIFY2(bench.bar.words().endsWith(QStringLiteral("lie in 1 of 32 channels")), qPrintable(bench.bar.words()));
        experiment.address.hash = engine::ChannelHash::polynomial;
        BarBench hashed(experiment);
        QVERIFY2(!hashed.bar.words().contains(QStringLiteral(" 1 of 32")), qPrintable(hashed.bar.words()));
    }

    void withoutAMappingAButtonMakesOne() {
        BarBench bench(mappedAt(DetailLevel::standard, engine::kSpreadMapping));
        QVERIFY(bench.bar.letters().letters.empty());
        QVERIFY(bench.bar.squares() > 0);
        auto* button = bench.bar.findChild<QPushButton*>(QStringLiteral("editAsMapping"));
        QVERIFY(button->isVisible() && button->isEnabled());
        button->click();
        QCOMPARE(bench.experiment.address.mapping, std::string(engine::kUsualMapping));
        QVERIFY(!button->isVisible());
        QVERIFY(bench.bar.findChild<QComboBox*>(QStringLiteral("addressHash"))->isVisible());
    }

    void aMachineThatCanHaveNoMappingSaysWhy() {
        engine::Experiment experiment = mappedAt(DetailLevel::standard, engine::kSpreadMapping);
        experiment.dram.bankGroups = 3;
        QCOMPARE(engine::validate(experiment), engine::Problems{});
        BarBench bench(experiment);
        auto* button = bench.bar.findChild<QPushButton*>(QStringLiteral("editAsMapping"));
        QVERIFY(!button->isEnabled());
        QVERIFY2(button->toolTip().contains(QStringLiteral("power of two")), qPrintable(button->toolTip()));
    }

    void theBarSaysIfTheRunHasAnotherMapping() {
        BarBench bench;
        QVERIFY(!bench.bar.words().contains(QStringLiteral("The run below")));
        engine::AddressConfig ran = bench.experiment.address;
        ran.hash = engine::ChannelHash::bitwise;
        bench.bar.showExperiment(bench.experiment, ran);
        QVERIFY2(bench.bar.words().endsWith(QStringLiteral("The run below has usual, address.hash=xor")),
                 qPrintable(bench.bar.words()));
        bench.bar.showExperiment(bench.experiment, bench.experiment.address);
        QVERIFY(!bench.bar.words().contains(QStringLiteral("The run below")));
    }

    void noTwoCellsMeetAtAnyWidth() {
        for (const DetailLevel level : {DetailLevel::interactive, DetailLevel::fine})
            for (const int width : {520, 700, 1280, 3840}) {
                BarBench bench(mappedAt(level));
                bench.bar.resize(width, 90);
                QApplication::processEvents();
                const auto* hash = bench.bar.findChild<QComboBox*>(QStringLiteral("addressHash"));
                for (std::size_t i = 0; i + 1 < bench.bar.letters().letters.size(); ++i)
                    QVERIFY(bench.bar.letterBox(i).right() <= bench.bar.letterBox(i + 1).left() + 0.01);
                QVERIFY(bench.bar.letterBox(0).width() >= 10);
                QVERIFY(bench.bar.letterBox(bench.bar.letters().letters.size() - 1).right() < hash->x());
                QVERIFY(bench.bar.squareBox(bench.bar.squares() - 1).right() <= hash->x());
            }
    }

    void anEditInTheWindowIsOneUndoStep() {
        ui::RingsideWindowConfig config = tests::interactiveConfig();
        config.draft.explicitValues["address.mapping"] = std::string(engine::kUsualMapping);
        const auto window = tests::openWindow(std::move(config));
        window->showAlone(QStringLiteral("memory"));
        QApplication::processEvents();
        AddressBar& bar = window->memory().addressBar();
        QVERIFY(bar.isVisible());
        const std::string before = bar.letters().letters;
        QVERIFY(!before.empty());
        QTest::mousePress(&bar, Qt::LeftButton, {}, bar.letterBox(0).center().toPoint());
        QVERIFY(window->experiment().isDragged());
        for (const std::size_t to : {1u, 2u, 4u})
            tests::moveTo(bar, bar.letterBox(to).center().toPoint());
        QTest::mouseRelease(&bar, Qt::LeftButton, {}, bar.letterBox(4).center().toPoint());
        QVERIFY(!window->experiment().isDragged());
        QCOMPARE(window->experiment().expansion().experiment.address.mapping, ui::withMovedLetter(before, 0, 4));
        QCOMPARE(window->experiment().undoStack().undoText(), QStringLiteral("Move Bank Bit"));
        QVERIFY2(bar.words().contains(QStringLiteral("The run below has usual")), qPrintable(bar.words()));
        window->experiment().undoStack().undo();
        QCOMPARE(bar.letters().letters, before);
        QVERIFY(!window->experiment().undoStack().canUndo());
    }
};

RINGSIDE_WINDOW_TEST(TestAddressBar)
#include "tst_address_bar.moc"
