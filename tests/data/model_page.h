#pragma once

#include <QFile>
#include <QRegularExpression>
#include <QString>
#include <QTest>

#include <cmath>
#include <vector>

namespace tests {

/// MODEL.md, whose measured numbers are compared with what the code computes. A passage is a piece of its text, a whole
/// row of a table or a part of a sentence, with `#` for each number; line breaks count as spaces. A number agrees if it
/// is within half of its last printed digit. With the environment variable RINGSIDE_WRITE_MODEL set, the numbers are
/// written into MODEL.md instead of compared.
class ModelPage {
public:
    explicit ModelPage(const QString& path)
        : m_path(path), m_writes(qEnvironmentVariableIsSet("RINGSIDE_WRITE_MODEL")) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly))
            m_text = QString::fromUtf8(file.readAll());
    }

    /// Compares the numbers of a passage, which must occur once, with `values` in their order.
    void check(const QString& passage, const std::vector<double>& values) {
        const QRegularExpression pattern(patternOf(passage));
        const QRegularExpressionMatch match = pattern.match(m_text);
        if (!match.hasMatch() || pattern.match(m_text, match.capturedEnd()).hasMatch())
            return fail(QStringLiteral("MODEL.md must contain this passage exactly once: %1").arg(passage));
        if (match.lastCapturedIndex() != static_cast<int>(values.size()))
            return fail(
                QStringLiteral("%1 numbers were computed for this passage: %2").arg(values.size()).arg(passage));
        m_checked.push_back({match.capturedStart(), match.capturedEnd()});
        QString corrected = match.captured();
        bool agrees = true;
        for (int i = match.lastCapturedIndex(); i > 0; --i) {
            const double value = values[static_cast<std::size_t>(i - 1)];
            if (agree(match.captured(i), value))
                continue;
            agrees = false;
            corrected.replace(match.capturedStart(i) - match.capturedStart(), match.capturedLength(i),
                              written(value, match.captured(i)));
        }
        if (!agrees && m_writes)
            write(match, corrected);
        else if (!agrees)
            fail(QStringLiteral("MODEL.md says\n    %1\nbut the computed numbers are\n    %2")
                     .arg(match.captured(), corrected));
    }

    /// Checks that every row of the tables below a heading was compared.
    void checkEveryRowBelow(const QString& heading) {
        const qsizetype begin = m_text.indexOf(heading + u'\n');
        if (begin < 0)
            return fail(QStringLiteral("MODEL.md has no heading %1").arg(heading));
        const qsizetype next = m_text.indexOf(QStringLiteral("\n## "), begin);
        // Matches a row of cells with a number. The head of a table is excluded: a line of dashes follows it.
        static const QRegularExpression kRow(QStringLiteral("^\\|.*\\d.*\\|$(?!\\n\\| ?-)"),
                                             QRegularExpression::MultilineOption);
        for (auto rows = kRow.globalMatch(m_text, begin); rows.hasNext();) {
            const QRegularExpressionMatch row = rows.next();
            if (next >= 0 && row.capturedStart() > next)
                break;
            const bool checked = std::any_of(m_checked.begin(), m_checked.end(), [&](const Range& range) {
                return range.begin < row.capturedEnd() && range.end > row.capturedStart();
            });
            if (!checked)
                fail(QStringLiteral("no test computes the row %1").arg(row.captured()));
        }
    }

    /// Returns the failures since the last call, for QVERIFY2; empty if there are none.
    QByteArray takeFailures() { return std::exchange(m_failures, {}); }

private:
    struct Range {
        qsizetype begin, end;
    };

    static QString patternOf(const QString& passage) {
        QString pattern = QRegularExpression::escape(passage);
        pattern.replace(QStringLiteral("\\ "), QStringLiteral("\\s+"));
        pattern.replace(QStringLiteral("\\#"), QStringLiteral("([+-]?\\d+(?:,\\d{3})*(?:\\.\\d+)?|exact)"));
        if (passage.startsWith(u'|') && passage.endsWith(u'|'))
            return QStringLiteral("(?m)^") + pattern + u'$';
        return pattern;
    }

    static int decimalsOf(const QString& number) {
        return number.contains(u'.') ? static_cast<int>(number.size() - number.indexOf(u'.') - 1) : 0;
    }

    static bool agree(const QString& number, double value) {
        if (number == QStringLiteral("exact"))
            return std::abs(value) < 1e-9;
        const double said = QString(number).remove(u',').toDouble();
        return std::abs(said - value) <= 0.5 * std::pow(10, -decimalsOf(number)) + 1e-9;
    }

    /// Returns the value in the format of the number before: with as many decimals, and with a sign or commas if it had
    /// them.
    static QString written(double value, const QString& before) {
        const bool exact = before == QStringLiteral("exact");
        QString number = QString::number(value, 'f', exact ? 1 : decimalsOf(before));
        if (before.contains(u','))
            for (qsizetype at = number.size() - 3; at > 0; at -= 3)
                number.insert(at, u',');
        const bool isSigned = exact || before.startsWith(u'+') || before.startsWith(u'-');
        return isSigned && !number.startsWith(u'-') ? u'+' + number : number;
    }

    void write(const QRegularExpressionMatch& match, const QString& corrected) {
        m_text.replace(match.capturedStart(), match.capturedLength(), corrected);
        const qsizetype longer = corrected.size() - match.capturedLength();
        for (Range& range : m_checked) {
            range.begin += range.begin > match.capturedStart() ? longer : 0;
            range.end += range.end >= match.capturedEnd() ? longer : 0;
        }
        QFile file(m_path);
        if (!file.open(QIODevice::WriteOnly) || file.write(m_text.toUtf8()) < 0)
            fail(QStringLiteral("%1 cannot be written").arg(m_path));
    }

    void fail(const QString& text) { m_failures += '\n' + text.toUtf8(); }

    QString m_path, m_text;
    bool m_writes;
    std::vector<Range> m_checked;
    QByteArray m_failures;
};

}  // namespace tests
