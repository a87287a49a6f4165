#include "data/page/page_html.h"
#include "data/page/page_words.h"
#include "data/results/headline_numbers.h"
#include "tests/ui/window_test.h"
#include "ui/look/cause_style.h"
#include "ui/look/headlines.h"
#include "ui/look/kernel_style.h"
#include "ui/look/palette.h"

#include <QtTest>

#include <QRegularExpression>

#include <map>

using ui::Role;
using ui::Theme;

namespace {

/// Returns the variables of a block of the style sheet, by name.
std::map<QString, QColor> pageVariables(const QString& block) {
    static const QRegularExpression kVariable(QStringLiteral("--([a-z0-9-]+): *(#[0-9a-f]{3,6})"));
    std::map<QString, QColor> variables;
    for (auto match = kVariable.globalMatch(block); match.hasNext();) {
        const QRegularExpressionMatch one = match.next();
        variables[one.captured(1)] = QColor(one.captured(2));
    }
    return variables;
}

std::map<QString, QColor> pageColours(Theme theme) {
    const QString style = QString::fromUtf8(data::kPageStyle);
    std::map<QString, QColor> light = pageVariables(style.section(QStringLiteral("@media"), 0, 0));
    if (theme == Theme::light)
        return light;
    std::map<QString, QColor> dark = pageVariables(
        style.section(QStringLiteral("prefers-color-scheme:dark"), 1).section(QStringLiteral("}}"), 0, 0));
    dark.merge(light);  // the dark theme replaces what differs
    return dark;
}

}  // namespace

class TestPageColours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPageHasTheColoursOfTheWindow_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(Theme::light);
        QTest::newRow("dark") << static_cast<int>(Theme::dark);
    }

    void aPageHasTheColoursOfTheWindow() {
        QFETCH(const int, theme);
        const ui::Palette& palette = ui::paletteOf(static_cast<Theme>(theme));
        const std::map<QString, QColor> page = pageColours(palette.theme);
        const std::map<QString, QColor> window{
            {"window", palette.window},
            {"surface", palette.surface},
            {"stripe", palette.stripe},
            {"line", palette.line},
            {"grid", palette.grid},
            {"ink", palette.ink},
            {"ink-soft", palette.inkSoft},
            {"ink-faint", palette.inkFaint},
            {"accent", palette.accent},
            {"on-accent", palette.onAccent},
            {"error", palette.error},
            {"better", palette.better},
            {"notice", palette.notice},
            {"cursor", palette.cursor},
            {"gemm", palette.of(Role::gemm)},
            {"reduce-scatter", palette.of(Role::reduceScatter)},
            {"all-gather", palette.of(Role::allGather)},
            {"dma", palette.of(Role::dma)},
            {"link", palette.of(Role::link)},
            {"tracker", palette.of(Role::tracker)},
            {"exposed", palette.of(Role::exposed)},
            {"memory", ui::colourOf(engine::Cause::memory, palette)},
            {"latency", ui::colourOf(engine::Cause::latency, palette)},
            {"slices", ui::colourOf(engine::Cause::cacheSlices, palette)},
            {"dispatch", ui::colourOf(engine::Cause::dispatch, palette)},
            {"copy-0", ui::fillOf(data::kFirstCopy, palette).color},
            {"copy-1", ui::fillOf(data::kFirstCopy + 1, palette).color},
            {"copy-2", ui::fillOf(data::kFirstCopy + 2, palette).color},
        };
        for (const auto& [name, colour] : window) {
            const auto found = page.find(name);
            QVERIFY2(found != page.end(), qPrintable(name));
            QVERIFY2(found->second.rgb() == colour.rgb(),
                     qPrintable(QStringLiteral("--%1: %2 in the page, %3 in the window")
                                    .arg(name, found->second.name(), colour.name())));
        }
    }

    void textCanBeReadOnThePage_data() { aPageHasTheColoursOfTheWindow_data(); }

    void textCanBeReadOnThePage() {
        QFETCH(const int, theme);
        const std::map<QString, QColor> page = pageColours(static_cast<Theme>(theme));
        for (const char* ink : {"ink", "ink-soft", "link-text"}) {
            for (const char* ground : {"window", "surface", "stripe"}) {
                const double contrast =
                    ui::contrast(page.at(QString::fromLatin1(ink)), page.at(QString::fromLatin1(ground)));
                QVERIFY2(contrast >= 4.5, qPrintable(QStringLiteral("%1 on %2: %3").arg(ink, ground).arg(contrast)));
            }
        }
    }

    void headlinesHaveTheWordsOfTheWindow() {
        for (const char* settings : {"policy=t3-mca", "policy=sequential", "collective.operation=all-to-all",
                                     "companion.operation=all-gather", "detail.mode=full"}) {
            data::DraftReading reading = data::draftNamed("mega-gpt-2/op/tp4");
            data::applySetting("detail.level=interactive", reading.draft, reading.problems);
            data::applySetting(settings, reading.draft, reading.problems);
            QVERIFY2(reading.problems.empty(), settings);
            const engine::RunResult result = data::Laboratory().run(reading.draft).result;
            const std::vector<ui::Headline> window = ui::headlinesOf(result);
            const std::vector<data::HeadlineNumber> page = data::headlineNumbersOf(result);
            QCOMPARE(page.size(), window.size());
            for (std::size_t i = 0; i < page.size(); ++i) {
                QCOMPARE(QString::fromStdString(std::string(data::titleOf(page[i]))), window[i].shownTitle());
                QCOMPARE(QString::fromStdString(data::remarkOf(page[i], result)), window[i].remark);
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestPageColours)
#include "tst_page_colours.moc"
