#include "data/figure/figure_table.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/python_plot.h"
#include "ui/figure/writer_parts.h"

#include <algorithm>
#include <utility>

namespace ui {
namespace {

/// The functions that follow the colours in every matplotlib script: they read a table and draw the parts of figures.
/// They are small enough to be read and changed.
constexpr const char* kPythonFunctions = R"python(
HERE = Path(__file__).resolve().parent
INSTALLED = {font.name for font in font_manager.fontManager.ttflist}
FONTS = [name for name in ("Inter", "Helvetica", "Arial", "Liberation Sans", "DejaVu Sans") if name in INSTALLED]
plt.rcParams.update({"pdf.fonttype": 42, "font.family": FONTS or ["sans-serif"], "lines.scale_dashes": False,
                     "hatch.linewidth": HATCH_WIDTH, "mathtext.default": "regular"})

figure = plt.figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=600)  # high resolution, so that text widths are accurate
layers = 0
written = []  # each text, and its width relative to the room that it has
order = itertools.count(1)  # later items are drawn over earlier ones


def layer(rect, **limits):
    """Adds axes over everything drawn before. `rect` is left, top, width, height in points from the upper left."""
    global layers
    layers += 1
    left, top, width, height = rect
    axes = figure.add_axes([left / WIDTH, 1 - (top + height) / HEIGHT, width / WIDTH, height / HEIGHT],
                           label=str(layers), zorder=layers / 1000)
    axes.set(**limits)
    axes.axis("off")
    return axes


def page():
    """Adds a layer that covers the page, in points."""
    return layer((0, 0, WIDTH, HEIGHT), xlim=(0, WIDTH), ylim=(HEIGHT, 0))


def read(name):
    """Returns the rows of a table beside this script, without the header."""
    with open(HERE / name, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def column(rows, index):
    return [float(row[index]) if row[index] else math.nan for row in rows]


def add(axes, patch, fill=None, hatch=None, ink=None, edge=None, width=0, dash=None, clip=None):
    """Draws a shape: first its fill, then hatch, then outline, as far as they are given."""
    style = (0, dash) if dash else "solid"
    coats = []
    if fill:
        coats.append(dict(facecolor=fill, edgecolor="none", linewidth=0))
    if hatch:
        coats.append(dict(facecolor="none", edgecolor=ink, hatch=hatch, linewidth=0))
    if edge:
        coats.append(dict(facecolor="none", edgecolor=edge, linewidth=width, linestyle=style, capstyle="butt"))
    for coat in coats:
        part = copy.copy(patch)
        part.set(zorder=next(order), **coat)
        axes.add_patch(part)
        if clip:
            part.set_clip_path(Rectangle(clip[:2], *clip[2:], transform=axes.transData))


def line(axes, x, y, edge, width, dash=None, clip=None):
    drawn, = axes.plot(x, y, color=edge, linewidth=width, linestyle=(0, dash) if dash else "solid",
                       dash_capstyle="butt", solid_capstyle="butt", zorder=next(order))
    if clip:
        drawn.set_clip_path(Rectangle(clip[:2], *clip[2:], transform=axes.transData))


def dots(axes, x, y, shape, size, fill, edge, width):
    """Draws markers at the points within the axes; markers at the edge are not clipped."""
    (left, right), (low, high) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
    seen = [(a, b) for a, b in zip(x, y) if left <= a <= right and low <= b <= high]
    axes.plot([a for a, _ in seen], [b for _, b in seen], linestyle="none", marker=shape, markersize=size,
              markerfacecolor=fill, markeredgecolor=edge, markeredgewidth=width, clip_on=False, zorder=next(order))


def words(x, y, text, size, room, align="left", angle=0, weight="normal", colour="black"):
    text = figure.text(x / WIDTH, 1 - y / HEIGHT, text.replace("$", r"\$"), fontsize=size, ha=align, va="baseline",
                       rotation_mode="anchor", fontweight=weight, color=colour)
    wide = text.get_window_extent(figure.canvas.get_renderer()).width * 72 / figure.dpi
    text.set_rotation(-angle)
    written.append((text, wide / room if room > 0 else 1))


def fit_words():
    """Makes all texts smaller if the font is wider than Inter, for which the figure was laid out."""
    widest = max([1] + [ratio for _, ratio in written])
    for text, _ in written:
        text.set_fontsize(text.get_fontsize() / widest)


def bars(axes, middles, bottoms, heights, across, **style):
    """Draws bars on `bottoms`, `across` wide, and no bar where the height is not a number."""
    foot = min(axes.get_ylim()) if axes.get_yscale() == "log" else 0  # a logarithmic axis has no zero
    for x, bottom, height in zip(middles, bottoms, heights):
        if not math.isnan(height):
            begin = bottom or foot
            add(axes, Rectangle((x - across / 2, begin), across, bottom + height - begin), **style)


def errors(axes, x, y, low, high, edge, width, half):
    """Draws error bars from `low` to `high`, in units of the axis; `half` is half a cap's width in points."""
    ends = [(max(b - a, 0), max(c - b, 0)) for a, b, c in zip(low, y, high)]
    axes.errorbar(x, y, yerr=list(zip(*ends)), fmt="none", ecolor=edge, elinewidth=width, capsize=half,
                  capthick=width, zorder=next(order))


def raised(bottoms, heights):
    """Returns the bottoms of the next part of a stack: the tops of this part, or its bottoms where it has no value."""
    return [b if math.isnan(h) else b + h for b, h in zip(bottoms, heights)]


def area(axes, x, bottoms, heights, stepped, edge, width, **style):
    """Draws one area of a stack. If stepped, a value holds until the next x."""
    tops = [b + h for b, h in zip(bottoms, heights)]
    if stepped:
        x = [at for pair in zip(x, x[1:]) for at in pair]
        bottoms = [at for at in bottoms[:len(x) // 2] for _ in range(2)]
        tops = [at for at in tops[:len(x) // 2] for _ in range(2)]
    for begin, end in runs(tops):
        upper, lower = list(zip(x, tops))[begin:end], list(zip(x, bottoms))[begin:end]
        add(axes, Polygon(upper + lower[::-1]), **style)
        line(axes, *zip(*upper), edge, width)


def runs(values):
    """Yields the ranges without a gap: (index of the first number, index after the last)."""
    begin = None
    for i, value in enumerate(list(values) + [math.nan]):
        if math.isnan(value):
            if begin is not None:
                yield begin, i
            begin = None
        elif begin is None:
            begin = i


def boxes(axes, rows, middles, across, whisker, median, **style):
    """Draws boxes from rows of a table: least, lower, median, upper, most, from the third column on."""
    for x, row in zip(middles, rows):
        least, lower, middle, upper, most = map(float, row[2:7])
        for ends in ((least, lower), (upper, most)):
            line(axes, (x, x), ends, **whisker)
        for end in (least, most):
            line(axes, (x - across / 4, x + across / 4), (end, end), **whisker)
        bars(axes, [x], [lower], [upper - lower], across, **style)
        line(axes, (x - across / 2, x + across / 2), (middle, middle), **median)


def heat(axes, rows, columns, colours, least, most):
    """Draws cells from a table of row, column and value, with the first row on top."""
    values = column(rows, 2)
    cells = [values[i:i + columns] for i in range(0, len(values), columns)]
    axes.pcolormesh([i - 0.5 for i in range(columns + 1)], [i - 0.5 for i in range(len(cells) + 1)], cells,
                    cmap=LinearSegmentedColormap.from_list("heat", colours), vmin=least, vmax=most,
                    edgecolors="face", linewidth=0.1, zorder=next(order))

)python";

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
        const QString body = plotsAndItems();  // first, because it registers the colours
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
        QString text =
            QStringLiteral("#!/usr/bin/env python3\n"
                           "# Reads the tables in the script's folder and writes %1-matplotlib.pdf into it.\n#\n")
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

    /// Returns the line width of hatches. matplotlib has one width for all hatches.
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
