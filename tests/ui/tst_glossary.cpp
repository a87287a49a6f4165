#include "data/experiment/gpu_part.h"
#include "tests/test_program.h"
#include "ui/look/glossary.h"

#include <QTest>

#include <set>

class TestGlossary final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPartOfAGpuIsExplained() {
        for (const std::string& word : data::gpuPartWords())
            QVERIFY2(!ui::glossaryText(QString::fromStdString(word)).isEmpty(), word.c_str());
    }

    void aTermIsListedOnceByNameAndSaysSentences() {
        std::set<QString> ids, names;
        QString before;
        for (const ui::GlossaryTerm& term : ui::glossary()) {
            QVERIFY2(ids.insert(term.id).second, qPrintable(term.id));
            QVERIFY2(names.insert(term.name).second, qPrintable(term.name));
            QVERIFY2(QString::compare(before, term.name, Qt::CaseInsensitive) < 0, qPrintable(term.name));
            QVERIFY2(term.text.endsWith(u'.') && term.text.front().isUpper(), qPrintable(term.text));
            QVERIFY2(term.text.count(QStringLiteral(". ")) <= 1, qPrintable(term.text));
            before = term.name;
        }
    }

    void aWordThatNoTermHasIsExplainedByNothing() { QCOMPARE(ui::glossaryText(QStringLiteral("trackers")), QString()); }
};

RINGSIDE_CORE_TEST(TestGlossary)
#include "tst_glossary.moc"
