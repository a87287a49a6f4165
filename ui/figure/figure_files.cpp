#include "data/document/latex_text.h"
#include "data/document/whole_file.h"
#include "data/figure/figure_command.h"
#include "data/figure/figure_size.h"
#include "data/figure/figure_table.h"
#include "ui/drawing/figure_text.h"
#include "ui/figure/embedded_text.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>
#include <set>
#include <utility>

namespace ui {
namespace {

struct FormatWords {
    const char *suffix, *label;
};

const FormatWords& wordsOf(FigureFormat format) {
    static constexpr FormatWords kWords[]{{"pdf", "PDF"},
                                          {"svg", "SVG"},
                                          {"png", "PNG (600 dpi)"},
                                          {"csv", "CSV"},
                                          {"tex", "TikZ (pgfplots)"},
                                          {"py", "Python (matplotlib)"},
                                          {"json", "Figure (spec.json)"},
                                          {"txt", "Caption"},
                                          {"txt", "Alternative text"},
                                          {"tex", "LaTeX lines"},
                                          {"tex", "Caption for LaTeX"}};
    return kWords[static_cast<std::size_t>(format)];
}

/// Returns the caption, followed by notes about the numbers.
QByteArray captionOf(const data::FigureSpec& spec) {
    QString text = QString::fromStdString(spec.caption) + u'\n';
    QStringList labels;
    for (const auto& number : spec.provenance.published) {
        const QString label = QString::fromStdString(number.label);
        if (!label.isEmpty() && !labels.contains(label))
            labels << label;
    }
    if (!labels.isEmpty())
        text += QStringLiteral("\nReference values are %1").arg(labels.join(QStringLiteral(", ")));
    if (!labels.isEmpty() && !spec.provenance.publishedSource.empty())
        text += QStringLiteral(": ") + QString::fromStdString(spec.provenance.publishedSource);
    return (labels.isEmpty() ? text : text + u'\n').toUtf8();
}

/// Escapes text for an author's document.
QString escaped(const std::string& text) {
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return QString::fromStdString(data::latexText(line));
}

class FileList {
public:
    FileList(const ReadyFigure& figure, double dpi) : m_figure(figure), m_dpi(dpi) {}

    void add(FigureFormat format) {
        const QString own = QString::fromStdString(m_figure.spec.name) + u'.' + suffixOf(format);
        switch (format) {
        case FigureFormat::pdf: return put(own, pdfOf(m_figure));
        case FigureFormat::svg: return put(own, svgOf(m_figure));
        case FigureFormat::png: return put(own, pngOf(m_figure, m_dpi));
        case FigureFormat::csv: return addTables();
        // The suffix "-tikz" keeps LaTeX from overwriting the exported PDF, which contains the figure.
        case FigureFormat::tikz:
            put(QString::fromStdString(m_figure.spec.name) + QStringLiteral("-tikz.tex"), tikzOf(m_figure));
            return addTables();
        case FigureFormat::python:
            put(own, pythonOf(m_figure));
            addFont();
            return addTables();
        case FigureFormat::spec: return put(QLatin1String(kSpecFile), specBytes(m_figure.spec));
        case FigureFormat::caption: return put(QStringLiteral("caption.txt"), captionOf(m_figure.spec));
        case FigureFormat::alternative:
            return put(QStringLiteral("alt.txt"), QByteArray::fromStdString(m_figure.spec.alternative) + '\n');
        case FigureFormat::latex:
            return put(QString::fromStdString(m_figure.spec.name) + QStringLiteral("-figure.tex"),
                       latexOf(m_figure.spec, m_figure.laidOut.list.page.width()).toUtf8());
        case FigureFormat::latexCaption:
            return put(QStringLiteral("caption.tex"), escaped(m_figure.spec.caption).toUtf8() + '\n');
        }
    }

    std::vector<FigureFile> take() { return std::move(m_files); }

private:
    void put(const QString& name, QByteArray content) {
        const bool there =
            std::any_of(m_files.begin(), m_files.end(), [&](const FigureFile& file) { return file.name == name; });
        if (!there)
            m_files.push_back({name, std::move(content)});
    }
    /// Adds the font of the figure for the script, with its licence.
    void addFont() {
        const data::FigureFont font = m_figure.spec.font;
        QStringList files{trueTypeFile(font, TextWeight::regular)};
        if (std::ranges::any_of(m_figure.laidOut.list.items, [](const DisplayItem& item) {
                const auto* text = std::get_if<TextItem>(&item.shape);
                return text != nullptr && text->weight != TextWeight::regular;
            }))
            files << trueTypeFile(font, TextWeight::semiBold);
        QFile licence(QStringLiteral(":/fonts/OFL.txt"));
        if (licence.open(QIODevice::ReadOnly))
            put(QFileInfo(files.front()).fileName().section(u'-', 0, 0) + QStringLiteral("-OFL.txt"),
                licence.readAll());
        for (const QString& name : files) {
            QFile file(name);
            if (file.open(QIODevice::ReadOnly))
                put(QFileInfo(name).fileName(), file.readAll());
        }
    }
    void addTables() {
        for (const data::FigureTable& table : data::tablesOf(m_figure.spec))
            put(QString::fromStdString(table.fileName), QByteArray::fromStdString(data::writeCsv(table)));
    }

    const ReadyFigure& m_figure;
    double m_dpi;
    std::vector<FigureFile> m_files;
};

void writeFile(const QString& path, const QByteArray& content) {
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder))
        throw data::FileError(folder.toStdString() +
                              ": cannot be created: a file of this name exists, or you may not write there");
    data::writeWholeFile(QFile::encodeName(path).toStdString(),
                         {content.constData(), static_cast<std::size_t>(content.size())});
}

constexpr double kCopyDpi = 300;

/// Returns whether the document class has a command of its own for descriptions.
bool isOfAcm(data::FigureSize size) { return size == data::FigureSize::acmColumn || size == data::FigureSize::acmText; }

/// Returns the name for a figure's files, with a number if the name is already taken.
QString freeName(const std::string& name, std::set<QString>& taken) {
    const QString wanted = name.empty() ? QStringLiteral("figure") : QString::fromStdString(name);
    QString free = wanted;
    for (int number = 2; !taken.insert(free).second; ++number)
        free = QStringLiteral("%1-%2").arg(wanted).arg(number);
    return free;
}

}  // namespace

ReadyFigure ready(data::FigureSpec spec) {
    // The command names the edits, so it is that of the figure as it is written.
    if (std::string command = data::commandOf(spec); !command.empty())
        spec.provenance.command = std::move(command);
    LaidOutFigure laidOut = layOut(spec);
    return {std::move(spec), std::move(laidOut)};
}

QString suffixOf(FigureFormat format) { return QLatin1String(wordsOf(format).suffix); }
QString labelOf(FigureFormat format) { return QLatin1String(wordsOf(format).label); }

std::vector<FigureFile> filesOf(const ReadyFigure& figure, const std::vector<FigureFormat>& formats, double dpi) {
    FileList files(figure, dpi);
    for (const FigureFormat format : formats)
        files.add(format);
    return files.take();
}

void writeBundle(const QString& path, const std::vector<FigureFile>& files) {
    if (path.endsWith(QLatin1String(".zip"), Qt::CaseInsensitive)) {
        writeFile(path, zipOf(files));
        return;
    }
    if (!QDir().mkpath(path))
        throw data::FileError(path.toStdString() +
                              ": cannot be created: a file of this name exists, or you may not write there");
    for (const FigureFile& file : files)
        writeFile(QDir(path).filePath(file.name), file.content);
}

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
    // Qt writes no tagged PDF, so the document that includes it tells readers what they cannot see.
    const QString description = escaped(figure.alternative);
    const QString alt = description.isEmpty() ? QString() : QStringLiteral(",alt={%1}").arg(description);
    QStringList lines{QStringLiteral("\\begin{%1}").arg(environment), QStringLiteral("  \\centering"),
                      QStringLiteral("  \\includegraphics[width=%1%2]{%3.pdf}").arg(wide, alt, name)};
    if (!description.isEmpty() && isOfAcm(figure.size))
        lines << QStringLiteral("  \\Description{%1}").arg(description);
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
