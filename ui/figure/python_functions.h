#pragma once

namespace ui {

/// What every matplotlib script of a figure begins with behind its colours: functions that read a table and that draw what
/// figures are made of, small enough to be read and changed.
inline constexpr const char* kPythonFunctions = R"python(
HERE = Path(__file__).resolve().parent
INSTALLED = {font.name for font in font_manager.fontManager.ttflist}
FONTS = [name for name in ("Inter", "Helvetica", "Arial", "Liberation Sans", "DejaVu Sans") if name in INSTALLED]
plt.rcParams.update({"pdf.fonttype": 42, "font.family": FONTS or ["sans-serif"], "lines.scale_dashes": False,
                     "hatch.linewidth": HATCH_WIDTH, "mathtext.default": "regular"})

figure = plt.figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=600)  # fine dots, so that texts are measured well
layers = 0
written = []  # every text and the width that it has room for
order = itertools.count(1)  # later things stand over earlier ones


def layer(rect, **limits):
    """Axes over everything before them. `rect` is left, top, width, height in points from the page's upper left."""
    global layers
    layers += 1
    left, top, width, height = rect
    axes = figure.add_axes([left / WIDTH, 1 - (top + height) / HEIGHT, width / WIDTH, height / HEIGHT],
                           label=str(layers), zorder=layers / 1000)
    axes.set(**limits)
    axes.axis("off")
    return axes


def page():
    """A layer in points of the page."""
    return layer((0, 0, WIDTH, HEIGHT), xlim=(0, WIDTH), ylim=(HEIGHT, 0))


def read(name):
    """The rows of a table beside this script, without its line of names."""
    with open(HERE / name, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def column(rows, index):
    return [float(row[index]) if row[index] else math.nan for row in rows]


def add(axes, patch, fill=None, hatch=None, ink=None, edge=None, width=0, dash=None, clip=None):
    """A shape: fill, then hatch, then outline, each where it is given."""
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
    """Markers of the points that are in view, whole where they stand at its edge."""
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
    """The figure was laid out for Inter. In a font that is wider all texts become smaller, so that none is cut off."""
    widest = max([1] + [ratio for _, ratio in written])
    for text, _ in written:
        text.set_fontsize(text.get_fontsize() / widest)


def bars(axes, middles, bottoms, heights, across, **style):
    """Bars upon `bottoms`, `across` wide; where a height is not a number there is none."""
    foot = min(axes.get_ylim()) if axes.get_yscale() == "log" else 0  # there is no zero to stand on
    for x, bottom, height in zip(middles, bottoms, heights):
        if not math.isnan(height):
            begin = bottom or foot
            add(axes, Rectangle((x - across / 2, begin), across, bottom + height - begin), **style)


def errors(axes, x, y, low, high, edge, width, half):
    """Error bars from `low` to `high`, in units of the axis; `half` of their caps in points."""
    ends = [(max(b - a, 0), max(c - b, 0)) for a, b, c in zip(low, y, high)]
    axes.errorbar(x, y, yerr=list(zip(*ends)), fmt="none", ecolor=edge, elinewidth=width, capsize=half,
                  capthick=width, zorder=next(order))


def raised(bottoms, heights):
    """What lies upon a part: its top, or its bottom where it is missing."""
    return [b if math.isnan(h) else b + h for b, h in zip(bottoms, heights)]


def area(axes, x, bottoms, heights, stepped, edge, width, **style):
    """One area of a stack. Stepped: a value holds until the next x."""
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
    """Where numbers stand without a gap: (first, behind the last)."""
    begin = None
    for i, value in enumerate(list(values) + [math.nan]):
        if math.isnan(value):
            if begin is not None:
                yield begin, i
            begin = None
        elif begin is None:
            begin = i


def boxes(axes, rows, middles, across, whisker, median, **style):
    """Boxes of rows of a table: least, lower, median, upper, most from its third column on."""
    for x, row in zip(middles, rows):
        least, lower, middle, upper, most = map(float, row[2:7])
        for ends in ((least, lower), (upper, most)):
            line(axes, (x, x), ends, **whisker)
        for end in (least, most):
            line(axes, (x - across / 4, x + across / 4), (end, end), **whisker)
        bars(axes, [x], [lower], [upper - lower], across, **style)
        line(axes, (x - across / 2, x + across / 2), (middle, middle), **median)


def heat(axes, rows, columns, colours, least, most):
    """Cells of a table: row, column, value; first row on top."""
    values = column(rows, 2)
    cells = [values[i:i + columns] for i in range(0, len(values), columns)]
    axes.pcolormesh([i - 0.5 for i in range(columns + 1)], [i - 0.5 for i in range(len(cells) + 1)], cells,
                    cmap=LinearSegmentedColormap.from_list("heat", colours), vmin=least, vmax=most,
                    edgecolors="face", linewidth=0.1, zorder=next(order))

)python";

}  // namespace ui
