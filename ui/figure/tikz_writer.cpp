#include "data/figure/figure_size.h"
#include "data/figure/figure_table.h"
#include "ui/drawing/figure_text.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/tikz_plot.h"
#include "ui/figure/writer_parts.h"

#include <QFile>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <set>

namespace ui {
namespace {

constexpr int kPointsInALine = 8;
constexpr int kCellsInAnImage = 4096;

/// Returns a text as a line of the comment at the top.
QString commented(QString text) {
    std::ranges::replace_if(
        text, [](QChar letter) { return letter < u' '; }, u' ');
    return QStringLiteral("%% %1\n").arg(text);
}

class TikzWriter {
public:
    explicit TikzWriter(const ReadyFigure& figure)
        : m_figure(figure), m_list(figure.laidOut.list), m_tables(data::tablesOf(figure.spec)) {
        for (std::size_t i = 0; i < m_tables.size(); ++i) {
            if (thinSpans(figure, m_tables[i]))
                m_thinned.insert(i);
        }
    }

    QString write() {
        const QString settings = this->settings();
        const QString body = panelsAndItems();  // before the definitions, because it registers colours and tables
        QString text = head() + missingTables() + preamble();
        text += QStringLiteral("\\begin{tikzpicture}[x=1bp,y=1bp,line cap=butt,line join=miter]\n") + settings;
        const QString plots = m_reading.isEmpty() ? QString() : plotPreamble();
        text += m_styles.definitions() + plots + m_reading + body;
        text += QStringLiteral("\\pgfresetboundingbox\\useasboundingbox (0bp,0bp) rectangle (%1,%2);\n")
                    .arg(points(m_list.page.width()), points(m_list.page.height()));
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
        QString options =
            QStringLiteral("figure text,anchor=%1,text=%2")
                .arg(QLatin1String(anchorOfText(item)), m_styles.colour(item.colour, QStringLiteral("ink")));
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
        text += commented(exportTerms());
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

    /// Returns the commands that load the font of the figure where no paper does.
    QString standaloneFont() const {
        if (!data::presetOf(m_figure.spec.font).serif)
            return {};
        return QStringLiteral("  \\usepackage[T1]{fontenc}\\IfFileExists{%1.sty}{\\usepackage{%1}}{}\n")
            .arg(m_figure.spec.font == data::FigureFont::times ? QStringLiteral("tgtermes")
                                                               : QStringLiteral("libertine"));
    }

    QString preamble() const {
        return QStringLiteral("\\makeatletter\n"
                              "\\ifx\\@nodocument\\relax\\let\\figureend\\relax\\else\n"
                              "  \\documentclass[border=0pt]{standalone}\n"
                              "  \\IfFileExists{tgheros.sty}{\\usepackage[T1]{fontenc}\\usepackage{tgheros}}{%\n"
                              "    \\DeclareFontFamily{OT1}{cmss}{}%\n"
                              "    \\DeclareFontShape{OT1}{cmss}{m}{n}{<-> cmss10}{}%\n"
                              "    \\DeclareFontShape{OT1}{cmss}{bx}{n}{<-> cmssbx10}{}}\n") +
               standaloneFont() +
               QStringLiteral("  \\usepackage{pgfplots,pgfplotstable}\n"
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
    QString settings() {
        return QStringLiteral("\\pgfplotsset{compat=1.16}%\n"
                              "\\tikzset{figure text/.style={inner sep=0pt,outer sep=0pt,font=\\figureface,text=%1}}%\n"
                              "\\def\\figureface{%2}%\n"
                              "\\def\\figuresize#1{\\fontsize{#1bp}{#1bp}\\selectfont}%\n"
                              "\\let\\figureoutline\\relax\\def\\figurebitmap{cmss}\\edef\\figuresans{\\sfdefault}%\n"
                              "\\ifx\\figuresans\\figurebitmap\\IfFileExists{ts1lmss.fd}{%\n"
                              "  \\def\\figureoutline{\\fontfamily{lmss}\\selectfont}}{}\\fi\n"
                              "\\def\\figuremicro{{\\figureoutline\\textmu}}%\n")
            .arg(m_styles.colour(measureOf(m_figure.spec).colours().ink, QStringLiteral("ink")),
                 data::presetOf(m_figure.spec.font).serif ? QStringLiteral("\\rmfamily")
                                                          : QStringLiteral("\\sffamily"));
    }

    /// Returns the macros of all axes, and their styles in this figure.
    QString plotPreamble() {
        QFile file(QStringLiteral(":/figures/plot.tex"));
        const QString macros = file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        const FigureMeasure measure = measureOf(m_figure.spec);
        const ThemeStyle& colours = measure.colours();
        FigurePen soft = measure.pen(colours.axis);
        soft.colour = colours.inkSoft;
        return macros +
               QStringLiteral("\\tikzset{figure axis line/.style={%1},figure line/.style={%2},"
                              "figure grid/.style={%3}}\n\\pgfplotsset{figure axis/.append style={major tick length=%4,"
                              "minor tick length=%5,yticklabel shift=%6}}\n\\def\\figuretextsize{%7}"
                              "\\def\\figuresymbolgap{%8}\\def\\figureentrygap{%9}%\n")
                   .arg(m_styles.pen(measure.pen(colours.axis)), m_styles.pen(soft),
                        m_styles.pen(measure.pen(colours.gridLine)), points(measure.of(2)), points(measure.of(1)),
                        points(measure.of(1.2)), plainNumber(measure.textSize), points(measure.of(3)),
                        points(measure.of(9))) +
               QStringLiteral("\\def\\figurerowgap{%1}\n")
                   .arg(points(lineHeightOf(measure.textSize) + measure.of(1) - 0.82 * measure.textSize));
    }

    QString name() const { return QString::fromStdString(m_figure.spec.name); }

    /// Returns the panels as axes, and the items of other panels as shapes. The legend is drawn as shapes, too, if any
    /// panel is.
    QString panelsAndItems() {
        std::set<std::size_t> plotted;
        QString plots;
        for (std::size_t panel = 0; panel < m_figure.spec.panels.size(); ++panel) {
            const std::optional<QString> plot = tikzPanel(m_figure, m_tables, panel, m_styles);
            if (!plot)
                continue;
            plotted.insert(panel);
            plots += QStringLiteral("\\def\\figurepanel{%1}\\let\\figuretext\\%2%\n")
                         .arg(panel)
                         .arg(std::ranges::any_of(m_tables,
                                                  [&](const data::FigureTable& table) {
                                                      return table.panel == panel && isWritten(table);
                                                  })
                                  ? QStringLiteral("figureplain")
                                  : QStringLiteral("figureletters")) +
                     *plot;
            readTables(panel);
        }
        const bool all = plotted.size() == m_figure.spec.panels.size();
        std::optional<QRectF> clip;
        for (const DisplayItem& item : m_list.items) {
            const bool bar = item.part == FigurePart::legend || item.part == FigurePart::title;
            const bool colours = bar && item.panel && plotted.contains(*item.panel) && isColourBar(item);
            const bool left =
                item.panel ? plotted.contains(*item.panel) && !colours : all && item.part == FigurePart::legend;
            if (left)
                continue;
            if (item.clip != clip) {
                if (clip)
                    m_text += QStringLiteral("\\end{scope}\n");
                if (item.clip)
                    m_text += QStringLiteral("\\begin{scope}\n\\clip %1;\n").arg(rectangle(*item.clip));
                clip = item.clip;
            }
            m_meaning = item.meaning;
            const bool page = !plotted.empty() && item.part == FigurePart::background;
            m_text += page ? QStringLiteral("\\begin{pgfonlayer}{figure page}\n") : QString();
            std::visit(*this, item.shape);
            m_text += page ? QStringLiteral("\\end{pgfonlayer}\n") : QString();
        }
        if (clip)
            m_text += QStringLiteral("\\end{scope}\n");
        return m_text + plots + (all ? tikzLegend(m_figure, m_styles) : QString());
    }

    /// Returns whether an item of a panel is at the right of its plot, where the colour bar is.
    bool isColourBar(const DisplayItem& item) const {
        const auto* text = std::get_if<TextItem>(&item.shape);
        return item.part == FigurePart::legend ||
               (text != nullptr && text->at.x() > m_figure.laidOut.panels[*item.panel].plot.right());
    }

    void readTables(std::size_t panel) {
        for (std::size_t i = 0; i < m_tables.size(); ++i) {
            const data::FigureTable& table = m_tables[i];
            if (table.panel != panel)
                continue;
            m_reading += isWritten(table)
                             ? rowsOf(table, tableMacro(i))
                             : signsOf(table) + QStringLiteral("\\figureread{%1}%2\n")
                                                    .arg(QString::fromStdString(table.fileName), tableMacro(i));
            if (!isWritten(table))
                m_files << QString::fromStdString(table.fileName);
        }
    }

    /// Returns whether the rows of a table are in the document.
    bool isWritten(const data::FigureTable& table) const {
        return m_thinned.contains(static_cast<std::size_t>(&table - m_tables.data())) || isQuoted(table);
    }

    /// Returns whether TeX cannot read the CSV of a table: it has quotes, line breaks in names, or letters that TeX cannot
    /// set. Names of lanes must be equal to those in the document, so that they have no letters that mean something to
    /// TeX.
    bool isQuoted(const data::FigureTable& table) const {
        const auto hard = [](const std::string& cell) {
            const QString text = QString::fromStdString(cell);
            return text.contains(QRegularExpression(QStringLiteral("[\",\\n\\r]"))) ||
                   latexText(text).count(u'?') != text.count(u'?');
        };
        const auto& mark = m_figure.spec.panels[table.panel].marks[table.mark];
        if (const auto* lanes = std::get_if<data::TimelineMark>(&mark);
            lanes != nullptr && std::ranges::any_of(lanes->lanes, [](const data::TimelineMark::Lane& lane) {
                const std::string name = lane.group + lane.label;
                return keyText(name) != QString::fromStdString(name);
            }))
            return true;
        return std::ranges::any_of(
                   table.columns,
                   [](const std::string& name) { return name.find_first_of("\n\r") != std::string::npos; }) ||
               std::ranges::any_of(table.rows, [&](const auto& row) { return std::ranges::any_of(row, hard); });
    }
    /// Returns definitions of the signs in a table that LaTeX does not know, or sets in a mathematical font alone.
    static QString signsOf(const data::FigureTable& table) {
        std::set<QChar> signs;
        for (const std::vector<std::string>& row : table.rows) {
            for (const std::string& cell : row) {
                for (const QChar letter : QString::fromStdString(cell)) {
                    if (letter.unicode() >= 0x80 && latexText(letter) != QString(letter))
                        signs.insert(letter);
                }
            }
        }
        QString text;
        for (const QChar sign : signs)
            text += QStringLiteral("\\figuresign{%1}{%2}\n").arg(sign).arg(latexText(sign));
        return text;
    }
    QString rowsOf(const data::FigureTable& table, const QString& macro) const {
        QString rows;
        for (const std::vector<std::string>& row : table.rows) {
            QStringList cells;
            for (const std::string& cell : row)
                cells << u'{' + keyText(cell) + u'}';
            rows += cells.join(u',') + QStringLiteral("\\\\\n");
        }
        const bool thinned = m_thinned.contains(static_cast<std::size_t>(&table - m_tables.data()));
        return QStringLiteral("%% The rows of %1: %4.\n"
                              "\\pgfplotstableread[col sep=comma,header=false,comment chars={},row sep=\\\\]{\n%2}%3\n")
            .arg(QString::fromStdString(table.fileName), rows, macro,
                 thinned ? QStringLiteral("the spans that print shows, because the table is too long for TeX")
                         : QStringLiteral("TeX cannot read its names"));
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
    QString m_reading, m_text, m_meaning;
    std::set<std::size_t> m_thinned;  ///< tables of which the rows are those that are drawn
    QStringList m_files;              ///< tables that TeX reads from files
};

}  // namespace

QByteArray tikzOf(const ReadyFigure& figure) { return TikzWriter(figure).write().toUtf8(); }

}  // namespace ui
