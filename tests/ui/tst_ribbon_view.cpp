#include "tests/ui/sample_path.h"
#include "tests/ui/window_test.h"

#include "ui/look/cause_style.h"
#include "ui/shared/view_state.h"
#include "ui/why/ribbon_view.h"

#include <QSignalSpy>

#include <cmath>
#include <limits>

using engine::Cause;
using ui::RibbonView;

class TestRibbonView : public QObject {
    Q_OBJECT

    ui::ViewState m_state;
    std::unique_ptr<RibbonView> m_ribbon;

    static std::shared_ptr<const ui::ReasonChain> chainOf(std::shared_ptr<const data::ShownRun> run) {
        return std::make_shared<const ui::ReasonChain>(tests::flowOf(std::move(run)));
    }
    void show(std::shared_ptr<const ui::ReasonChain> chain) {
        m_state.setRunEnd(1'000'000);
        m_state.showAll();
        m_state.setCursor(std::nullopt);
        m_ribbon = std::make_unique<RibbonView>(m_state);
        connect(m_ribbon.get(), &RibbonView::cursorRequested, &m_state, [this](qint64 ps) { m_state.setCursor(ps); });
        m_ribbon->resize(1'100, m_ribbon->sizeHint().height());
        m_ribbon->setExtent(80, 1'000);
        m_ribbon->showRun(std::move(chain));
    }
    void press(int key) { QTest::keyClick(m_ribbon.get(), static_cast<Qt::Key>(key)); }
    QColor colorAt(const QImage& image, std::int64_t ps, double share) const {
        const double x = 80 + static_cast<double>(ps) / 1'000;
        return image.pixelColor(static_cast<int>(x * image.devicePixelRatio()),
                                static_cast<int>(image.height() * share));
    }

private Q_SLOTS:
    void init() { show(chainOf(tests::runOf(tests::chainTrace(), tests::chainPath()))); }
    void cleanup() { m_ribbon.reset(); }

    void theColourOverAMomentIsThatOfItsCause() {
        const QImage image = m_ribbon->grab().toImage();
        for (const auto theme : {ui::Theme::light, ui::Theme::dark}) {
            m_ribbon->setPalette(ui::widgetPalette(theme));
            const QImage drawn = m_ribbon->grab().toImage();
            const ui::Palette& colors = ui::paletteOf(theme);
            QCOMPARE(colorAt(drawn, 60'000, 0.15), ui::colourOf(Cause::memory, colors));
            QCOMPARE(colorAt(drawn, 130'000, 0.15), ui::colourOf(Cause::compute, colors));
            QCOMPARE(colorAt(drawn, 510'000, 0.15), ui::colourOf(Cause::link, colors));
        }
        QVERIFY(!image.isNull());
    }

    void aLegendNamesItsColoursTheLargestFirst() {
        const QStringList names = m_ribbon->legendNames();
        QVERIFY(names.size() > 1);
        const data::CauseIndex causes(tests::runOf(tests::chainTrace(), tests::chainPath())->run.result.path);
        const engine::CauseTimes times = causes.between({0, causes.end()});
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        for (const QString& name : names) {
            std::int64_t ps = 0;
            for (std::size_t i = 0; i < engine::kCauses; ++i)
                if (ui::textOf(static_cast<Cause>(i)) == name)
                    ps = times[static_cast<Cause>(i)].ps;
            QVERIFY2(ps > 0 && ps <= before, qPrintable(name));
            before = ps;
        }
        QSignalSpy asked(m_ribbon.get(), &RibbonView::legendRequested);
        QTest::mouseClick(m_ribbon.get(), Qt::LeftButton, {}, QPoint(300, m_ribbon->height() - 3));
        QCOMPARE(asked.size(), 1);
        QTest::mouseClick(m_ribbon.get(), Qt::LeftButton, {}, QPoint(300, 10));
        QCOMPARE(asked.size(), 1);
    }

    void aNarrowLegendNamesAsManyCausesAsFit() {
        const qsizetype all = m_ribbon->legendNames().size();
        m_ribbon->setExtent(80, 130);
        QVERIFY(m_ribbon->legendNames().size() < all);
        QVERIFY(!m_ribbon->legendNames().isEmpty());
    }

    void itFollowsTheZoom() {
        m_state.setRange({500'000, 650'000});
        const auto& stretches = m_ribbon->stretches();
        QCOMPARE(stretches.size(), 1u);
        QCOMPARE(stretches.front().cause, Cause::link);
        m_state.showAll();
        QVERIFY(m_ribbon->stretches().size() > 5);
    }

    void arrowsGoFromReasonToReasonAndEnterAsksForTheChain() {
        QSignalSpy asked(m_ribbon.get(), &RibbonView::chainRequested);
        m_state.setCursor(0);
        press(Qt::Key_Right);
        QCOMPARE(*m_state.cursor(), 20'000);
        press(Qt::Key_Right);
        QCOMPARE(*m_state.cursor(), 100'000);
        QCOMPARE(m_ribbon->marked()->start, 20'000);
        QVERIFY(m_ribbon->accessibleDescription().contains(QStringLiteral("the loads of workgroup 1")));
        press(Qt::Key_Left);
        QCOMPARE(*m_state.cursor(), 20'000);
        press(Qt::Key_Left);
        QCOMPARE(*m_state.cursor(), 20'000);  // no reason is earlier than the first
        press(Qt::Key_End);
        QCOMPARE(*m_state.cursor(), 1'000'000);
        press(Qt::Key_Right);
        QCOMPARE(*m_state.cursor(), 1'000'000);
        press(Qt::Key_Left);
        QCOMPARE(*m_state.cursor(), 900'000);
        press(Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().first().toLongLong(), 900'000);
    }

    void withoutACursorKeysBeginAtTheEndTheyComeFrom() {
        press(Qt::Key_Left);
        QCOMPARE(*m_state.cursor(), 900'000);
        m_state.setCursor(std::nullopt);
        press(Qt::Key_Right);
        QCOMPARE(*m_state.cursor(), 20'000);
    }

    void aClickAsksForTheChainOfItsMomentAndBesideTheRunForNone() {
        QSignalSpy asked(m_ribbon.get(), &RibbonView::chainRequested);
        QTest::mouseClick(m_ribbon.get(), Qt::LeftButton, {}, {580, 10});
        QCOMPARE(asked.size(), 1);
        QVERIFY(std::abs(asked.first().first().toLongLong() - 500'000) <= 2'000);
        QTest::mouseClick(m_ribbon.get(), Qt::LeftButton, {}, {20, 10});
        QTest::mouseClick(m_ribbon.get(), Qt::RightButton, {}, {580, 10});
        QCOMPARE(asked.size(), 1);
    }

    void itsNameAsksForTheLegendAndItsAccessibleTextSaysTheWhole() {
        QSignalSpy asked(m_ribbon.get(), &RibbonView::legendRequested);
        QTest::mouseClick(m_ribbon.get(), Qt::LeftButton, {}, {20, 10});
        QCOMPARE(asked.size(), 1);
        QVERIFY(m_ribbon->accessibleDescription().startsWith(QStringLiteral("compute 25.0")));
    }

    void whereThereIsNoPathItSaysWhyAndWhatToDo() {
        show(nullptr);
        QVERIFY(!m_ribbon->emptyReason().isEmpty());
        show(chainOf(tests::sampleBound()));
        QVERIFY(m_ribbon->emptyReason().contains(QStringLiteral("T3-MCA")));
        show(chainOf(tests::sampleRun()));
        QVERIFY(m_ribbon->emptyReason().contains(QStringLiteral("Run it again")));
        QSignalSpy asked(m_ribbon.get(), &RibbonView::chainRequested);
        press(Qt::Key_Left);
        press(Qt::Key_Return);
        QTest::mouseClick(m_ribbon.get(), Qt::LeftButton, {}, {580, 10});
        m_ribbon->grab();
        QCOMPARE(asked.size(), 0);
        QVERIFY(!m_state.cursor());
    }

    void neighbouringCausesDifferInBothThemes() {
        for (const auto theme : {ui::Theme::light, ui::Theme::dark}) {
            const ui::Palette& colors = ui::paletteOf(theme);
            for (std::size_t a = 0; a < engine::kCauses; ++a) {
                const QColor one = ui::colourOf(static_cast<Cause>(a), colors);
                for (std::size_t b = a + 1; b < engine::kCauses; ++b) {
                    const QColor other = ui::colourOf(static_cast<Cause>(b), colors);
                    const int apart = std::abs(one.red() - other.red()) + std::abs(one.green() - other.green()) +
                                      std::abs(one.blue() - other.blue());
                    QVERIFY2(apart > 60, qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
                }
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestRibbonView)
#include "tst_ribbon_view.moc"
