#pragma once

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>
#include <QTest>

namespace tests {

/// Returns the lines that the comment at the top of a figure asks for in the preamble of a paper.
inline QByteArray preambleFor(const QString& figure) {
    QByteArray lines;
    for (const QString& line : figure.split('\n')) {
        if (line.startsWith("%%   \\use"))
            lines += line.mid(5).toUtf8() + '\n';
    }
    return lines;
}

inline void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

/// Returns what a program of poppler-utils says, or the error output if it fails.
inline QString saidBy(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished(60'000);
    return QString::fromUtf8(process.exitCode() == 0 ? process.readAllStandardOutput()
                                                     : process.readAllStandardError());
}

/// Compiles a document in a folder. Returns the errors of TeX, whose questions are not answered.
inline QString complaintsOf(const QString& folder, const QString& document,
                            const QStringList& how = {"-interaction=nonstopmode", "-halt-on-error"}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("max_print_line", "1000");  // otherwise TeX breaks its messages after 79 letters
    process.setProcessEnvironment(environment);
    process.start("pdflatex", how + QStringList{document});
    if (!process.waitForFinished(600'000)) {
        process.kill();
        process.waitForFinished();
        return "pdflatex did not end";
    }
    QStringList complaints;
    for (const QString& line : QString::fromLatin1(process.readAllStandardOutput()).split('\n')) {
        if (line.startsWith('!'))
            complaints << line;
    }
    return complaints.join('\n');
}

inline bool latexIsThere() {
    QProcess process;
    process.start("kpsewhich", {"standalone.cls", "pgfplotstable.sty", "tikzlibrarypatterns.meta.code.tex"});
    return !QStandardPaths::findExecutable("pdflatex").isEmpty() && process.waitForFinished() &&
           process.readAllStandardOutput().count('\n') == 3;
}
inline bool isInstalled(const QString& file) { return !saidBy("kpsewhich", {file}).isEmpty(); }

}  // namespace tests
