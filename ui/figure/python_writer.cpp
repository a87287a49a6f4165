#include "data/figure/figure_table.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/python_functions.h"
#include "ui/figure/python_plot.h"
#include "ui/figure/writer_parts.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

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
        const QString body = plotsAndItems();  // first: it makes colours known
        QString text = head() + m_styles.definitions();
        text += QStringLiteral("WIDTH, HEIGHT = %1  # points of 1/72 inch\nHATCH_WIDTH = %2\n")
                    .arg(numbers({m_list.page.width(), m_list.page.height()}), plainNumber(hatchWidth()));
        text += QString::fromUtf8(kPythonFunctions) + body;
        return text +
               QStringLiteral("\nfit_words()\nfigure.savefig(HERE / %1, metadata={\"Title\": %2, \"Creator\": %3, "
                              "\"CreationDate\": None})\n")
                   .arg(pythonText(name() + QStringLiteral("-matplotlib.pdf")), pythonText(titleOf(m_figure.spec)),
                        pythonText(QString::fromStdString(m_figure.spec.provenance.program)));
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
                      .arg(numbers({item.at.x(), item.at.y()}), pythonText(item.text), numbers({item.size, item.width}),
                           more, m_styles.colour(item.colour, QStringLiteral("ink")));
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
        QString text = QStringLiteral("#!/usr/bin/env python3\n"
                                      "# Reads the tables beside it and writes %1-matplotlib.pdf there.\n#\n")
                           .arg(name());
        for (auto [key, words] : metadataOf(m_figure.spec)) {
            words.replace(u'\n', u' ').replace(u'\r', u' ');
            text += QStringLiteral("# %1: %2\n").arg(key, words);
        }
        return text + QStringLiteral("\nimport copy\nimport csv\nimport itertools\nimport math\n"
                                     "from pathlib import Path\n\n"
                                     "import matplotlib\n\nmatplotlib.use(\"agg\")\n"
                                     "from matplotlib import font_manager\n"
                                     "from matplotlib import pyplot as plt\n"
                                     "from matplotlib.colors import LinearSegmentedColormap\n"
                                     "from matplotlib.patches import Ellipse, Polygon, Rectangle\n\n");
    }

    /// matplotlib has one for all hatches.
    double hatchWidth() const {
        for (const DisplayItem& item : m_list.items) {
            const auto* rect = std::get_if<RectItem>(&item.shape);
            if (rect != nullptr && rect->fill && rect->fill->texture != Texture::plain)
                return fillLineWidth(*rect->fill);
        }
        return FigureFill{}.lineWidth;
    }

    QString plotsAndItems() {
        for (const data::FigureTable& table : data::tablesOf(m_figure.spec)) {
            if (std::optional<QString> plot = pythonPlot(m_figure, table, m_styles))
                m_plots.add(table, std::move(*plot));
        }
        bool onPage = false;
        for (const DisplayItem& item : m_list.items) {
            if (m_plots.replaces(item)) {
                if (const QString plot = m_plots.take(item); !plot.isEmpty())
                    m_text += u'\n' + plot;
                onPage = false;
                continue;
            }
            if (!onPage)
                m_text += QStringLiteral("\naxes = page()\n");
            onPage = true;
            m_meaning = item.meaning;
            m_clip = item.clip
                         ? QStringLiteral(", clip=(%1)")
                               .arg(numbers({item.clip->x(), item.clip->y(), item.clip->width(), item.clip->height()}))
                         : QString();
            std::visit(*this, item.shape);
        }
        return std::move(m_text);
    }

    template <class Item>
    void shape(const QString& patch, const Item& item) {
        m_text += QStringLiteral("add(axes, %1, %2%3)\n")
                      .arg(patch, m_styles.options(item.fill, item.pen, m_meaning), m_clip);
    }

    const ReadyFigure& m_figure;
    const DisplayList& m_list;
    PythonStyles m_styles;
    MarkPlots m_plots{m_figure.spec};
    QString m_text, m_meaning, m_clip;
};

}  // namespace

QByteArray pythonOf(const ReadyFigure& figure) { return PythonWriter(figure).write().toUtf8(); }

}  // namespace ui
