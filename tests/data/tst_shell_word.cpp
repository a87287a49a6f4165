#include "data/document/shell_word.h"
#include "tests/test_program.h"

#include <QProcess>
#include <QtTest>

#include <string>

using namespace data;

namespace {

/// Returns the words that a shell makes of a text, each on a line.
QByteArray wordsIn(const QString& shell, const std::string& text) {
    QProcess process;
    process.start(shell, {QStringLiteral("-c"), QStringLiteral("printf '%s\\n' ") + QString::fromStdString(text)});
    return process.waitForFinished() ? process.readAllStandardOutput() : QByteArray("no answer");
}

}  // namespace

class TestShellWord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainWordsStayAsTheyAre() {
        for (const char* word : {"my-llama/fc-2/tp8", "link.bandwidth=75GB/s", "a_b.json", "1,2", "100%"})
            QCOMPARE(shellWord(word), std::string(word));
    }

    void aShellReadsEveryWordBackAsItWas_data() {
        QTest::addColumn<QString>("word");
        for (const char* word : {"a'$(touch x)'b",
                                 "`touch x`",
                                 "a b",
                                 "",
                                 "'",
                                 "\"",
                                 "$HOME",
                                 "~",
                                 "*",
                                 "a;b",
                                 "a&b",
                                 "a|b",
                                 "a>b",
                                 "(a)",
                                 "{a,b}",
                                 "#a",
                                 "!a",
                                 "=ls",
                                 "a\\nb",
                                 "\\",
                                 "µ中",
                                 "-n"})
            QTest::newRow(*word != '\0' ? word : "empty") << QString::fromUtf8(word);
    }
    void aShellReadsEveryWordBackAsItWas() {
        QFETCH(QString, word);
        QCOMPARE(QString::fromUtf8(wordsIn(QStringLiteral("sh"), shellWord(word.toStdString()))), word + u'\n');
        QCOMPARE(QString::fromUtf8(wordsIn(QStringLiteral("sh"), shellQuoted(word.toStdString()))), word + u'\n');
    }

    void aPrintedCommandHasNoControlCharacter() {
        for (const char* word : {"a\x1b[31m'b", "two\nlines", "a\tb", "\u202eabc", "\u009b\\"}) {
            const std::string quoted = shellWord(word);
            QVERIFY2(quoted.find_first_of("\x1b\n\t") == std::string::npos, quoted.c_str());
            QVERIFY2(quoted.starts_with("$'"), quoted.c_str());
            if (!QStandardPaths::findExecutable(QStringLiteral("bash")).isEmpty())
                QCOMPARE(wordsIn(QStringLiteral("bash"), quoted), QByteArray(word) + '\n');
        }
    }
};

RINGSIDE_CORE_TEST(TestShellWord)
#include "tst_shell_word.moc"
