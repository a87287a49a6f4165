#include "data/figure/figure_size.h"
#include "data/figure/figure_table.h"
#include "ui/drawing/figure_text.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/python_plot.h"
#include "ui/figure/writer_parts.h"

#include <QFile>
#include <QRegularExpression>

#include <set>

namespace ui {
namespace {

/// Returns the functions of a script that `body` needs, in their order. `functions` is Python whose definitions are
/// apart by two empty lines; what is no definition is always needed.
QString neededOf(const QString& functions, const QString& body) {
    static const QRegularExpression kName(QStringLiteral("^(?:def|class) (\\w+)"));
    const QStringList blocks = functions.split(QStringLiteral("\n\n\n"));
    QStringList names;
    for (const QString& block : blocks)
        names << kName.match(block).captured(1);
    std::set<qsizetype> needed;
    QString text = body;
    for (bool more = true; more;) {
        more = false;
        for (qsizetype i = 0; i < blocks.size(); ++i) {
            const QRegularExpression use(QStringLiteral("\\b%1\\b").arg(names[i]));
            if (!needed.contains(i) && (names[i].isEmpty() || text.contains(use))) {
                needed.insert(i);
                text += blocks[i];
                more = true;
            }
        }
    }
    QStringList kept;
    for (const qsizetype i : needed)
        kept << blocks[i];
    return kept.join(QStringLiteral("\n\n\n"));
}

QString resource(const char* name) {
    QFile file(QStringLiteral(":/figures/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString numbers(std::initializer_list<double> values) {
    QStringList words;
    for (const double value : values)
        words << plainNumber(value);
    return words.join(QStringLiteral(", "));
}

QString numbersOf(const QPolygonF& points, double (*part)(const QPointF&)) {
    QStringList words;
    for (const QPointF& at : points)
        words << plainNumber(part(at));
    return words.join(QStringLiteral(", "));
}

class PythonWriter {
public:
    explicit PythonWriter(const ReadyFigure& figure) : m_figure(figure), m_list(figure.laidOut.list) {}

    QString write() {
        const FigureMeasure measure = measureOf(m_figure.spec);
        const ThemeStyle& colours = measure.colours();
        const QString page = m_styles.colour(colours.background, QStringLiteral("page")),
                      ink = m_styles.colour(colours.ink, QStringLiteral("ink")),
                      line = m_styles.colour(colours.grid, QStringLiteral("grid"));
        const QString body = panelsAndItems();  // before the definitions, because it registers the other colours
        const QString sample = QStringLiteral("Speed-up (normalised) 0123456789");
        const FigurePen axis = measure.pen(colours.axis), grid = measure.pen(colours.gridLine);
        QString settings =
            QStringLiteral("WIDTH, HEIGHT = %1  # points of 1/72 inch\n"
                           "TEXT, SMALL, POINT = %2  # sizes of texts, and the unit of lengths beside them\n"
                           "SAMPLE, SAMPLE_WIDTH = %3, %4  # a text, and its width in the font of the figure\n"
                           "FAMILIES = %9\n"
                           "PAGE, INK, GRID = %5, %6, %7\n"
                           "AXIS_WIDTH, GRID_WIDTH, HATCH_WIDTH = %8\n"
                           "GROUP_GAP = 0.5  # before a group of categories\n")
                .arg(numbers({m_list.page.width(), m_list.page.height()}),
                     numbers({measure.textSize, measure.smallSize(), measure.of(1)}), pythonText(sample),
                     plainNumber(textWidth(sample, measure.sized(1))), page, ink, line,
                     numbers({axis.width, grid.width, hatchWidth()}), families());
        if (body.contains(QStringLiteral("heat(")))
            settings += QStringLiteral("MISSING = dict(fill=PAGE, hatch=\"xxxxxxxx\", ink=GRID)\n");
        const QString functions =
            resource("plot.py").trimmed() + QStringLiteral("\n\n\n") + resource("drawing.py").trimmed();
        return head() + m_styles.definitions() + settings + neededOf(functions, body) + QStringLiteral("\n\n\n") +
               body +
               QStringLiteral("\nfigure.savefig(HERE / %1, metadata={\"Title\": %2, \"Creator\": %3, "
                              "\"CreationDate\": None})\n")
                   .arg(pythonText(name() + QStringLiteral("-matplotlib.pdf")), pythonText(titleOf(m_figure.spec)),
                        pythonText(m_figure.spec.provenance.program));
    }

    void operator()(const RectItem& item) {
        const QString box = numbers({item.box.width(), item.box.height()});
        shape(QStringLiteral("Rectangle((%1), %2)").arg(numbers({item.box.x(), item.box.y()}), box), item);
    }
    void operator()(const PolygonItem& item) {
        QStringList points;
        for (const QPointF& at : item.points)
            points << u'(' + numbers({at.x(), at.y()}) + u')';
        shape(QStringLiteral("Polygon([%1])").arg(points.join(QStringLiteral(", "))), item);
    }
    void operator()(const EllipseItem& item) {
        const QPointF middle = item.box.center();
        const QString box = numbers({item.box.width(), item.box.height()});
        shape(QStringLiteral("Ellipse((%1), %2)").arg(numbers({middle.x(), middle.y()}), box), item);
    }
    void operator()(const PolylineItem& item) {
        m_text += QStringLiteral("line(axes, [%1], [%2], %3%4)\n")
                      .arg(numbersOf(item.points, [](const QPointF& at) { return at.x(); }),
                           numbersOf(item.points, [](const QPointF& at) { return at.y(); }),
                           m_styles.pen(item.pen, m_meaning), m_clip);
    }
    void operator()(const TextItem& item) {
        QString more;
        if (item.align != TextAlign::left)
            more += QStringLiteral(", align=\"%1\"")
                        .arg(QLatin1String(item.align == TextAlign::centre ? "center" : "right"));
        if (item.angle != 0)
            more += QStringLiteral(", angle=") + plainNumber(item.angle);
        if (item.weight != TextWeight::regular)
            more += QStringLiteral(", weight=\"%1\"")
                        .arg(QLatin1String(item.weight == TextWeight::bold ? "bold" : "semibold"));
        m_text += QStringLiteral("words(%1, %2, %3%4, colour=%5)\n")
                      .arg(numbers({item.at.x(), item.at.y()}), pythonText(item.text), plainNumber(item.size), more,
                           m_styles.colour(item.colour, QStringLiteral("ink")));
    }
    void operator()(const ImageItem& item) {
        QStringList rows;
        for (int y = 0; y < item.image.height(); ++y) {
            QStringList row;
            for (int x = 0; x < item.image.width(); ++x) {
                const QColor cell = item.image.pixelColor(x, y);
                row << QStringLiteral("(%1, %2, %3)").arg(cell.red()).arg(cell.green()).arg(cell.blue());
            }
            rows << u'[' + row.join(QStringLiteral(", ")) + u']';
        }
        m_text += QStringLiteral("axes.imshow([%1],\n            extent=(%2), aspect=\"auto\", "
                                 "interpolation=\"none\", zorder=next(order))\naxes.set(xlim=(0, WIDTH), "
                                 "ylim=(HEIGHT, 0))\n")
                      .arg(rows.join(QStringLiteral(",\n             ")),
                           numbers({item.box.left(), item.box.right(), item.box.bottom(), item.box.top()}));
    }

private:
    QString name() const { return QString::fromStdString(m_figure.spec.name); }

    QString head() const {
        QString text =
            QStringLiteral("#!/usr/bin/env python3\n"
                           "# Reads the tables in the script's folder and writes %1-matplotlib.pdf into it.\n"
                           "# %2\n#\n")
                .arg(name(), exportTerms());
        for (auto [key, words] : metadataOf(m_figure.spec)) {
            std::ranges::replace_if(
                words, [](QChar letter) { return letter < u' '; }, u' ');
            text += QStringLiteral("# %1: %2\n").arg(key, words);
        }
        return text + QStringLiteral("\nimport copy\nimport csv\nimport itertools\nimport math\nimport re\nimport sys\n"
                                     "from collections import Counter\nfrom pathlib import Path\n\n"
                                     "import matplotlib\n\nmatplotlib.use(\"agg\")\n"
                                     "import numpy as np\n"
                                     "from matplotlib import font_manager\n"
                                     "from matplotlib import pyplot as plt\n"
                                     "from matplotlib.colors import LinearSegmentedColormap, Normalize, TwoSlopeNorm\n"
                                     "from matplotlib.legend_handler import HandlerTuple\n"
                                     "from matplotlib.patches import Ellipse, Patch, Polygon, Rectangle\n"
                                     "from matplotlib.textpath import TextPath\n"
                                     "from matplotlib.ticker import (FixedLocator, Formatter, LogLocator, MaxNLocator, "
                                     "NullFormatter,\n                               NullLocator)\n"
                                     "from matplotlib.transforms import Bbox, TransformedBbox\n\n");
    }

    /// Returns the names of fonts that look like that of the figure, as a tuple: its own first.
    QString families() const {
        QStringList names = familiesLike(m_figure.spec.font);
        if (data::presetOf(m_figure.spec.font).serif)
            names << QStringLiteral("Liberation Serif") << QStringLiteral("DejaVu Serif");
        else
            names << QStringLiteral("Liberation Sans");
        for (QString& name : names)
            name = pythonText(name);
        return u'(' + names.join(QStringLiteral(", ")) + u')';
    }

    /// Returns the line width of hatches. matplotlib has one width for all hatches.
    double hatchWidth() const {
        for (const DisplayItem& item : m_list.items) {
            const auto* rect = std::get_if<RectItem>(&item.shape);
            if (rect != nullptr && rect->fill && rect->fill->texture != Texture::plain)
                return fillLineWidth(*rect->fill);
        }
        return FigureFill{}.lineWidth;
    }

    /// Returns the panels as plots, and the items of other panels as shapes. The legend is drawn as shapes, too, if any
    /// panel is, because its entries come from the plots.
    QString panelsAndItems() {
        const std::vector<data::FigureTable> tables = data::tablesOf(m_figure.spec);
        PythonEntries entries;
        std::set<std::size_t> plotted;
        QString plots;
        for (std::size_t panel = 0; panel < m_figure.spec.panels.size(); ++panel) {
            if (const auto plot = pythonPanel(m_figure, tables, panel, m_styles, entries)) {
                plotted.insert(panel);
                plots += u'\n' + *plot;
            }
        }
        const bool all = plotted.size() == m_figure.spec.panels.size();
        for (const DisplayItem& item : m_list.items) {
            if (item.panel ? plotted.contains(*item.panel) : all || item.part == FigurePart::background)
                continue;
            if (m_text.isEmpty())
                m_text += QStringLiteral("\naxes = page()\n");
            m_meaning = item.meaning;
            m_clip = item.clip
                         ? QStringLiteral(", clip=(%1)")
                               .arg(numbers({item.clip->x(), item.clip->y(), item.clip->width(), item.clip->height()}))
                         : QString();
            std::visit(*this, item.shape);
        }
        return m_text + plots + (all ? u'\n' + pythonLegend(m_figure, m_styles, entries) : QString());
    }

    template <class Item>
    void shape(const QString& patch, const Item& item) {
        m_text += QStringLiteral("add(axes, %1, %2%3)\n")
                      .arg(patch, m_styles.options(item.fill, item.pen, m_meaning), m_clip);
    }

    const ReadyFigure& m_figure;
    const DisplayList& m_list;
    PythonStyles m_styles;
    QString m_text, m_meaning, m_clip;
};

}  // namespace

QByteArray pythonOf(const ReadyFigure& figure) { return PythonWriter(figure).write().toUtf8(); }

}  // namespace ui
