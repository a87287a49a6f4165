#include "data/figure/figure_meaning.h"
#include "data/figure/figure_size.h"
#include "engine/api/attribution.h"
#include "tests/test_program.h"

#include <QTest>

class TestFigureMeaning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyWordOfTheListIsAMeaning() {
        for (const std::string_view word : data::kMeanings)
            QVERIFY(data::isMeaning(word));
    }

    void policiesAndSeriesAreMeaningsAndPalerOnesToo() {
        QVERIFY(data::isMeaning("policy/t3-mca"));
        QVERIFY(data::isMeaning("series/0"));
        QVERIFY(data::isMeaning("series/99"));
        const auto light = data::readMeaning("policy/t3/light");
        QVERIFY(light && light->light && light->name == "t3");
    }

    void aLineCanBeSolid() {
        const auto solid = data::readMeaning("policy/t3;line=solid");
        QVERIFY(solid && solid->line && !solid->light && solid->name == "t3");
        const auto both = data::readMeaning("gemm/light;line=solid");
        QVERIFY(both && both->line && both->light);
        QVERIFY(data::isMeaning("level/2/5/1;line=solid") && !data::readMeaning("gemm")->line);
        for (const char* word :
             {";line=solid", "line=solid", "gemm;line=solid/light", "gemm;line=solid;line=solid", "gemm;line=red"})
            QVERIFY2(!data::isMeaning(word), word);
    }

    void aLevelIsOneOfItsAxisWithADash() {
        const auto level = data::readMeaning("level/2/5/1");
        QVERIFY(level && level->kind == data::FigureMeaning::Kind::level);
        QCOMPARE(level->series, 2);
        QCOMPARE(level->levels, 5);
        QCOMPARE(level->dash, 1);
        QVERIFY(data::isMeaning("level/4/5/0"));
        for (const char* word : {"level/5/5/0", "level/", "level/1", "level/1/2", "level/1/2/", "level/1/2/3/",
                                 "level/-1/2/0", "level/1/100/0", "level/1/2/3x", "level//2/0"})
            QVERIFY2(!data::isMeaning(word), word);
    }

    void aCauseIsNamedAsTheEngineNamesIt() {
        const auto cause = data::readMeaning("cause/memory contention");
        QVERIFY(cause && cause->kind == data::FigureMeaning::Kind::cause);
        QCOMPARE(cause->series, static_cast<int>(engine::Cause::contention));
        QVERIFY(!data::isMeaning("cause/") && !data::isMeaning("cause/rain"));
    }

    void otherWordsAreNot() {
        for (const char* word : {"", "GEMM", "policy/", "policy/t4", "series/", "series/-1", "series/100", "series/1x",
                                 "series/99999999999999999999", "/light", "light", "gemm/dark", "gemm/light/light"})
            QVERIFY2(!data::isMeaning(word), word);
    }

    // A TeX point is 1/72.27 inch. TeX reports an overfull box for a figure that is wider than its column.
    void noSizeIsWiderThanItsColumn() {
        struct Column {
            data::FigureSize size;
            double inches;
        };
        for (const Column& column :
             {Column{data::FigureSize::acmColumn, 241.15 / 72.27}, Column{data::FigureSize::acmText, 506.30 / 72.27},
              Column{data::FigureSize::ieeeColumn, 252 / 72.27}, Column{data::FigureSize::ieeeText, 516 / 72.27},
              Column{data::FigureSize::usenixColumn, 3.33}, Column{data::FigureSize::usenixText, 7},
              Column{data::FigureSize::natureColumn, 89 / 25.4}, Column{data::FigureSize::natureText, 183 / 25.4}}) {
            const double width = data::presetOf(column.size).width;
            QVERIFY(width <= column.inches * 72);
            QVERIFY(width > column.inches * 72 - 1);
        }
        QCOMPARE(data::presetOf(data::FigureSize::acmColumn).width, 240.0);
    }

    void sizesAndThemesAreFoundByTheirNames() {
        for (const data::FigureSizePreset& preset : data::figureSizes())
            QCOMPARE(data::presetOf(*data::figureSizeNamed(preset.name)).name, preset.name);
        for (const std::string& theme : data::figureThemeNames())
            QCOMPARE(data::nameOf(*data::figureThemeNamed(theme)), theme);
        QVERIFY(!data::figureSizeNamed("acm"));
        QVERIFY(!data::figureThemeNamed("Paper"));
    }
};

RINGSIDE_TEST(TestFigureMeaning)
#include "tst_figure_meaning.moc"
