#include "ui/figure/figure_copy.h"

#include "data/figure/figure_size.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/writer_parts.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QGuiApplication>
#include <QMimeData>

#include <set>

namespace ui {
namespace {

constexpr double kCopyDpi = 300;

/// In a document that is not ours: its own micro sign, and hyphens as they are typed.
QString escaped(const std::string& text) {
    QString latex = latexText(QString::fromStdString(text).replace(QLatin1Char('\n'), QLatin1Char(' ')));
    latex.replace(QLatin1String("\\figuremicro{}"), QLatin1String("\\textmu{}"));
    return latex.replace(QLatin1String("{-}"), QLatin1String("-"));
}

QString descriptionOf(const data::FigureSpec& figure) {
    using enum data::FigureSize;
    if (figure.size == acmColumn || figure.size == acmText)
        return QStringLiteral("\\Description{%1}").arg(escaped(figure.alternative));
    const QString text = QString::fromStdString(figure.alternative).simplified();
    return QStringLiteral("% What is to be seen, for readers who cannot see it: %1").arg(text);
}

/// The name of a figure's files, another one where it is taken.
QString freeName(const std::string& name, std::set<QString>& taken) {
    const QString wanted = name.empty() ? QStringLiteral("figure") : QString::fromStdString(name);
    QString free = wanted;
    for (int number = 2; !taken.insert(free).second; ++number)
        free = QStringLiteral("%1-%2").arg(wanted).arg(number);
    return free;
}

}  // namespace

std::unique_ptr<QMimeData> mimeOf(const ReadyFigure& figure) {
    auto mime = std::make_unique<QMimeData>();
    mime->setData(QStringLiteral("image/svg+xml"), svgOf(figure));
    mime->setData(QStringLiteral("application/pdf"), pdfOf(figure));
    mime->setImageData(imageOf(figure, kCopyDpi));
    return mime;
}

QString putOnClipboard(const ReadyFigure& figure) {
    QGuiApplication::clipboard()->setMimeData(mimeOf(figure).release());
    return QCoreApplication::translate("FigureCopy", "“%1” is on the clipboard, as vectors and as an image.")
        .arg(QString::fromStdString(figure.spec.title));
}

QString latexOf(const data::FigureSpec& figure, double width) {
    const QString name = QString::fromStdString(figure.name);
    const QString environment = data::isFullWidth(figure.size) ? QStringLiteral("figure*") : QStringLiteral("figure");
    const QString wide =
        figure.size == data::FigureSize::slide ? QStringLiteral("\\linewidth") : QStringLiteral("%1bp").arg(width);
    QStringList lines{QStringLiteral("\\begin{%1}").arg(environment), QStringLiteral("  \\centering"),
                      QStringLiteral("  \\includegraphics[width=%1]{%2.pdf}").arg(wide, name)};
    if (!figure.alternative.empty())
        lines << QStringLiteral("  %1").arg(descriptionOf(figure));
    lines << QStringLiteral("  \\caption{%1}").arg(escaped(figure.caption))
          << QStringLiteral("  \\label{fig:%1}").arg(name) << QStringLiteral("\\end{%1}").arg(environment);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QStringList exportFigures(const QString& folder, const std::vector<ReadyFigure>& figures,
                          const std::vector<FigureFormat>& formats, bool zipped) {
    std::set<QString> taken;
    QStringList written;
    for (const ReadyFigure& figure : figures) {
        ReadyFigure named = figure;
        named.spec.name = freeName(figure.spec.name, taken).toStdString();
        const std::vector<FigureFile> files = filesOf(named, formats);
        const QString path = QDir(folder).filePath(QString::fromStdString(named.spec.name));
        if (zipped) {
            writeBundle(path + QStringLiteral(".zip"), files);
            written << path + QStringLiteral(".zip");
        } else if (files.size() == 1) {
            writeBundle(folder, files);
            written << QDir(folder).filePath(files.front().name);
        } else if (!files.empty()) {
            writeBundle(path, files);
            written << path;
        }
    }
    return written;
}

}  // namespace ui
