#include "data/figure/figure_table.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/tikz_plot.h"
#include "ui/figure/old_parts.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

constexpr int kPointsInALine = 8;
constexpr int kCellsInAnImage = 4096;
constexpr const char* kReadingOptions = "col sep=comma,header=false,comment chars={}";

/// Returns a text as a line of the comment at the top.
QString commented(QString text) {
    text.replace(u'\n', u' ').replace(u'\r', u' ');
    return QStringLiteral("%% %1\n").arg(text);
}

class TikzWriter {
public:
    explicit TikzWriter(const ReadyFigure& figure)
        : m_figure(figure), m_list(figure.laidOut.list), m_tables(data::tablesOf(figure.spec)) {}

    QString write() {
        const QString body = plotsAndItems();  // first, because it registers colours and tables
        QString text = head() + missingTables() + preamble();
        text += QStringLiteral("\\begin{tikzpicture}[x=1bp,y=1bp,line cap=butt,line join=miter]\n") + settings();
        text += QStringLiteral("\\useasboundingbox (0bp,0bp) rectangle (%1,%2);\n")
                    .arg(points(m_list.page.width()), points(m_list.page.height()));
        text += m_styles.definitions() + (m_reading.isEmpty() ? QString() : tikzPlotPreamble()) + m_reading + body;
        return text + QStringLiteral("\\end{tikzpicture}%\n\\figureend\n");
    }

    void operator()(const RectItem& item) {
        path(m_styles.options(item.fill, item.pen, m_meaning), rectangle(item.box));
    }
    void operator()(const PolygonItem& item) {
        path(QStringLiteral("even odd rule,") + m_styles.options(item.fill, item.pen, m_meaning),
             joined(item.points) + QStringLiteral(" -- cycle"));
    }
    void operator()(const EllipseItem& item) {
        path(m_styles.options(item.fill, item.pen, m_meaning),
             at(item.box.center()) + QStringLiteral(" ellipse [x radius=%1,y radius=%2]")
                                         .arg(points(item.box.width() / 2), points(item.box.height() / 2)));
    }
    void operator()(const PolylineItem& item) {
        path(QStringLiteral("line join=round,") + m_styles.pen(item.pen, m_meaning), joined(item.points));
    }
    void operator()(const TextItem& item) {
        const char* anchor = item.align == TextAlign::left     ? "base west"
                             : item.align == TextAlign::centre ? "base"
                                                               : "base east";
        QString options = QStringLiteral("figure text,anchor=%1,text=%2")
                              .arg(QLatin1String(anchor), m_styles.colour(item.colour, QStringLiteral("ink")));
        if (item.angle != 0)
            options += QStringLiteral(",rotate=") + plainNumber(-item.angle);
        const QString weight = item.weight == TextWeight::regular ? QString() : QStringLiteral("\\bfseries ");
        m_text += QStringLiteral("\\node[%1] at %2 {\\figuresize{%3}%4%5};\n")
                      .arg(options, at(item.at), plainNumber(item.size), weight, latexText(item.text));
    }
    void operator()(const ImageItem& item) {
        const QSize cells = item.image.size();
        if (cells.isEmpty() || cells.width() * cells.height() > kCellsInAnImage)
            return;
        const double width = item.box.width() / cells.width(), height = item.box.height() / cells.height();
        for (int y = 0; y < cells.height(); ++y) {
            for (int x = 0; x < cells.width(); ++x) {
                const QRectF cell(item.box.left() + x * width, item.box.top() + y * height, width, height);
                path(QStringLiteral("fill={rgb,255:red,%1;green,%2;blue,%3}")
                         .arg(qRed(item.image.pixel(x, y)))
                         .arg(qGreen(item.image.pixel(x, y)))
                         .arg(qBlue(item.image.pixel(x, y))),
                     rectangle(cell));
            }
        }
    }

private:
    QString head() const {
        QString text;
        for (const auto& [key, words] : metadataOf(m_figure.spec))
            text += commented(key + QStringLiteral(": ") + words);
        text += commented(
            QStringLiteral("To compile it alone: run pdflatex %1-tikz.tex in the folder of its tables.").arg(name()));
        text += commented(QStringLiteral("To use it in a paper: \\input this file, and add to the paper's preamble:"));
        text += commented(QStringLiteral("  \\usepackage{pgfplots,pgfplotstable}"));
        text += commented(QStringLiteral("  \\usetikzlibrary{patterns.meta}\\usepgfplotslibrary{statistics}"));
        return text + commented(QStringLiteral(
                          "If the tables are in another folder: \\def\\figurefolder{folder/} before \\input."));
    }

    /// Returns the commands that check for the tables, because pgfplots never ends if one is missing. If a table is
    /// missing, TeX reports its name and continues after the figure, or ends if the figure is the whole document. It
    /// does not prompt, because there may be no user to answer.
    QString missingTables() const {
        if (m_files.isEmpty())
            return {};
        QString text = QStringLiteral("\\makeatletter\n"
                                      "\\ifx\\@nodocument\\relax\\let\\figurestop\\endinput\\else"
                                      "\\let\\figurestop\\@@end\\fi\n"
                                      "\\makeatother\n"
                                      "\\providecommand\\figurefolder{}%\n"
                                      "\\def\\figureneeds#1{\\IfFileExists{\\figurefolder#1}{}{%\n"
                                      "  \\edef\\figuremode{\\the\\interactionmode}\\nonstopmode\n"
                                      "  \\PackageError{figure %1}{Its table '\\figurefolder#1' was not found}{%\n"
                                      "    Put the table beside the document, or name its folder before the figure:"
                                      "\\MessageBreak\n"
                                      "    \\string\\def\\string\\figurefolder{folder/}}%\n"
                                      "  \\interactionmode\\figuremode\\relax\\figurestop}}%\n")
                           .arg(name());
        for (const QString& file : m_files)
            text += QStringLiteral("\\figureneeds{%1}%\n").arg(file);
        return text;
    }

    static QString preamble() {
        return QStringLiteral("\\makeatletter\n"
                              "\\ifx\\@nodocument\\relax\\let\\figureend\\relax\\else\n"
                              "  \\documentclass[border=0pt]{standalone}\n"
                              "  \\IfFileExists{tgheros.sty}{\\usepackage[T1]{fontenc}\\usepackage{tgheros}}{%\n"
                              "    \\DeclareFontFamily{OT1}{cmss}{}%\n"
                              "    \\DeclareFontShape{OT1}{cmss}{m}{n}{<-> cmss10}{}%\n"
                              "    \\DeclareFontShape{OT1}{cmss}{bx}{n}{<-> cmssbx10}{}}\n"
                              "  \\usepackage{pgfplots,pgfplotstable}\n"
                              "  \\usetikzlibrary{patterns.meta}\n"
                              "  \\usepgfplotslibrary{statistics}\n"
                              "  \\def\\figureend{\\end{document}}\n"
                              "  \\begin{document}\n"
                              "\\fi\n"
                              "\\makeatother\n");
    }

    /// Returns the settings that hold for this picture alone, whatever those of the paper are. Bars are as wide as in
    /// the figure only from version 1.7 of pgfplots on, and without a version pgfplots behaves as the oldest one. The
    /// micro sign of mathematics is slanted, and that of the sans-serif Computer Modern is a bitmap: both are replaced
    /// by an upright outline.
    static QString settings() {
        return QStringLiteral("\\pgfplotsset{compat=1.16}%\n"
                              "\\tikzset{figure text/.style={inner sep=0pt,outer sep=0pt,font=\\sffamily}}%\n"
                              "\\def\\figuresize#1{\\fontsize{#1bp}{#1bp}\\selectfont}%\n"
                              "\\let\\figureoutline\\relax\\def\\figurebitmap{cmss}\\edef\\figuresans{\\sfdefault}%\n"
                              "\\ifx\\figuresans\\figurebitmap\\IfFileExists{ts1lmss.fd}{%\n"
                              "  \\def\\figureoutline{\\fontfamily{lmss}\\selectfont}}{}\\fi\n"
                              "\\def\\figuremicro{{\\figureoutline\\textmu}}%\n");
    }

    QString name() const { return QString::fromStdString(m_figure.spec.name); }

    /// Returns all items in their order. If a mark is plotted from its table, the plot takes the place of the mark's
    /// first item.
    QString plotsAndItems() {
        plotTables();
        std::optional<QRectF> clip;
        for (const DisplayItem& item : m_list.items) {
            const bool plotted = m_plots.replaces(item);
            const std::optional<QRectF> wanted = plotted ? std::nullopt : item.clip;
            if (wanted != clip) {
                if (clip)
                    m_text += QStringLiteral("\\end{scope}\n");
                if (wanted)
                    m_text += QStringLiteral("\\begin{scope}\n\\clip %1;\n").arg(rectangle(*wanted));
                clip = wanted;
            }
            if (plotted) {
                m_text += m_plots.take(item);
                continue;
            }
            m_meaning = item.meaning;
            std::visit(*this, item.shape);
        }
        if (clip)
            m_text += QStringLiteral("\\end{scope}\n");
        return std::move(m_text);
    }

    void plotTables() {
        for (std::size_t i = 0; i < m_tables.size(); ++i) {
            const data::FigureTable& table = m_tables[i];
            const QString macro = QStringLiteral("\\figuretable") + QString(i / 26 + 1, QChar(u'a' + char16_t(i % 26)));
            std::optional<QString> plot = tikzPlot(m_figure, table, macro, m_styles);
            if (!plot)
                continue;
            m_plots.add(table, std::move(*plot));
            m_reading += isQuoted(table) ? rowsOf(table, macro) : readingOf(table, macro);
            if (!isQuoted(table))
                m_files << QString::fromStdString(table.fileName);
        }
    }

    /// Returns whether the CSV of a table has quotes, which TeX cannot read. Only the numbers of such a table are
    /// written, into the document.
    static bool isQuoted(const data::FigureTable& table) {
        return data::writeCsv(table).find('"') != std::string::npos;
    }
    static QString readingOf(const data::FigureTable& table, const QString& macro) {
        return QStringLiteral("\\catcode`\\%=12 \\catcode`\\#=12\n"
                              "\\pgfplotstableread[%1,skip first n=1]{\\figurefolder %2}%3\n"
                              "\\catcode`\\%=14 \\catcode`\\#=6\n")
            .arg(QLatin1String(kReadingOptions), QString::fromStdString(table.fileName), macro);
    }
    static QString rowsOf(const data::FigureTable& table, const QString& macro) {
        QString rows;
        for (const std::vector<std::string>& row : table.rows) {
            for (std::size_t i = 0; i < row.size(); ++i)
                rows += QLatin1String(i > 0 ? "," : "") + numberOrNothing(row[i]);
            rows += QStringLiteral("\\\\\n");
        }
        return QStringLiteral("%% The numbers of %1: TeX cannot read its names.\n"
                              "\\pgfplotstableread[%2,row sep=\\\\]{\n%3}%4\n")
            .arg(QString::fromStdString(table.fileName), QLatin1String(kReadingOptions), rows, macro);
    }
    static QString numberOrNothing(const std::string& cell) {
        const QString text = QString::fromStdString(cell);
        bool number = false;
        text.toDouble(&number);
        return number ? text : QStringLiteral("0");
    }

    void path(const QString& options, const QString& along) {
        m_text += QStringLiteral("\\path[%1] %2;\n").arg(options, along);
    }
    QString at(const QPointF& point) const {
        return QStringLiteral("(%1,%2)").arg(plainNumber(point.x()), plainNumber(m_list.page.height() - point.y()));
    }
    QString rectangle(const QRectF& box) const {
        return at(box.topLeft()) + QStringLiteral(" rectangle ") + at(box.bottomRight());
    }
    QString joined(const QPolygonF& points) const {
        QString text;
        for (qsizetype i = 0; i < points.size(); ++i) {
            if (i > 0)
                text += i % kPointsInALine == 0 ? QStringLiteral("\n  -- ") : QStringLiteral(" -- ");
            text += at(points[i]);
        }
        return text;
    }

    const ReadyFigure& m_figure;
    const DisplayList& m_list;
    std::vector<data::FigureTable> m_tables;
    TikzStyles m_styles;
    MarkPlots m_plots{m_figure.spec};
    QString m_reading, m_text, m_meaning;
    QStringList m_files;  ///< tables that TeX reads from files
};

}  // namespace

QByteArray tikzOf(const ReadyFigure& figure) { return TikzWriter(figure).write().toUtf8(); }

}  // namespace ui
