HERE = Path(__file__).resolve().parent
for file in HERE.glob("Ringside*-*.ttf"):  # the font of the figure, if it is beside this script
    font_manager.fontManager.addfont(str(file))
INSTALLED = {font.name for font in font_manager.fontManager.ttflist}
FONT = [name for name in FAMILIES if name in INSTALLED][:1]
FONT.append("DejaVu Sans")  # for letters that the font lacks; it comes with matplotlib
plt.rcParams.update({"pdf.fonttype": 42, "font.family": FONT, "text.parse_math": False, "lines.scale_dashes": False,
                     "lines.solid_capstyle": "butt", "lines.dash_capstyle": "butt",
                     "hatch.linewidth": HATCH_WIDTH})


def width_of(text, size, weight="normal"):
    """Returns the width of a text in points, with its spaces."""
    font = font_manager.FontProperties(family=FONT, weight=weight)
    wide, rims = (TextPath((0, 0), one, size=100, prop=font).get_extents().width for one in (f"|{text}|", "||"))
    return (wide - rims) * size / 100


FIT = min(1, SAMPLE_WIDTH / width_of(SAMPLE, 1))  # makes all texts smaller if the font is wider than the figure's
TEXT, SMALL = TEXT * FIT, SMALL * FIT
plt.rcParams.update({
    "figure.facecolor": PAGE, "savefig.facecolor": PAGE, "axes.facecolor": "none", "text.color": INK,
    "font.size": TEXT, "axes.labelsize": TEXT, "axes.titlesize": TEXT, "legend.fontsize": TEXT, "axes.labelcolor": INK,
    "axes.titleweight": "semibold", "axes.edgecolor": INK, "axes.linewidth": AXIS_WIDTH, "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "axes.xmargin": 0, "grid.color": GRID,
    "grid.linewidth": GRID_WIDTH, "legend.frameon": False, "legend.borderpad": 0, "legend.borderaxespad": 0})
for which in ("xtick", "ytick"):
    plt.rcParams.update({which + ".labelsize": TEXT, which + ".color": INK, which + ".major.width": AXIS_WIDTH,
                         which + ".minor.width": AXIS_WIDTH, which + ".major.size": 2 * POINT,
                         which + ".minor.size": POINT, which + ".major.pad": 1.2 * POINT})
figure = plt.figure(figsize=(WIDTH / 72, HEIGHT / 72))
order = itertools.count(1, 1e-6)  # later marks are drawn over earlier ones, and the axes over all of them
entries = {}  # of the legend: handles by label and colour


def read(name):
    """Returns the lines of a table beside this script: its header, then its rows."""
    with open(HERE / name, newline="", encoding="utf-8-sig") as file:
        lines = [[unguarded(cell) for cell in line] for line in csv.reader(file) if line]
    lines = [line + [""] * (len(lines[0]) - len(line)) for line in lines]
    for number, line in enumerate(lines):
        line.append(f"{name}, line {number + 1}")  # for messages
    return lines


def unguarded(cell):
    """Returns a text without the apostrophe that keeps spreadsheets from running it as a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@\t") else cell


def column(table, index):
    """Returns the numbers of a column; an empty cell is no number."""
    try:
        return np.array([float(row[index]) if row[index] else math.nan for row in table[1:]])
    except ValueError as error:
        where = next(row[-1] for row in table[1:] if str(error).endswith(repr(row[index])))
        sys.exit(f"{where}: the column {table[0][index]!r} takes numbers and empty cells: {error}")


def header(table, index, bar=""):
    """Returns the name of a column, without the name of the bar before it."""
    return table[0][index][len(bar):] if table[0][index].startswith(bar) else table[0][index]


def panel(left, top, width, height):
    """Adds axes in points from the upper left corner of the page."""
    return figure.add_axes([left / WIDTH, 1 - (top + height) / HEIGHT, width / WIDTH, height / HEIGHT],
                           label=str(len(figure.axes)))


def points(axes):
    """Returns width and height of axes in points."""
    box = axes.get_position()
    return box.width * WIDTH, box.height * HEIGHT


class Numbers(Formatter):
    """Writes all ticks with the same decimals and, from 10 000 on, with k, M, G, T or P."""

    def __call__(self, value, position=None):
        low, high = sorted(self.axis.get_view_interval())
        slack = 1e-6 * (high - low)
        every = [value] if self.axis.get_scale() == "log" else [at for at in self.locs
                                                                if low - slack <= at <= high + slack] or [value]
        largest = max(map(abs, every))
        if abs(value) <= 1e-9 * largest:
            return "0"
        power, unit = 1, ""
        if largest < 1e-3 or largest >= 1e18:
            exponent = math.floor(math.log10(largest) + 1e-9)
            power, unit = 10.0 ** exponent, f"e{exponent}"
        elif largest >= 1e4 * (1 - 1e-9):
            thousands = min(int(math.log10(largest) / 3 + 1e-9), 5)
            power, unit = 1000 ** thousands, "kMGTP"[thousands - 1]
        decimals = max(len(f"{at / power:.9f}".rstrip("0").partition(".")[2]) for at in every)
        return f"{value / power:.{decimals}f}{unit}".replace("-", "\N{MINUS SIGN}")


def ticks(axis, major, minor=None):
    axis.set_major_locator(major)
    axis.set_minor_locator(minor or NullLocator())
    axis.set_major_formatter(Numbers())
    axis.set_minor_formatter(NullFormatter())


def fit(axes, low, high, fixed_low=False, fixed_high=False):
    """Sets the range of y. Beyond an end that is not fixed, it becomes wider if the tables have such values."""
    data, slack = axes.dataLim, 1e-6 * (high - low)
    least = axes.dataLim.minposy if axes.get_yscale() == "log" else data.y0
    locations = axes.yaxis.get_major_locator()
    locations = (MaxNLocator(5, steps=[1, 2, 5, 10]) if isinstance(locations, FixedLocator) else locations).tick_values
    if np.isfinite(data.y1) and data.y1 > high + slack and not fixed_high:
        high = locations(low, data.y1)[-1]
    if np.isfinite(least) and least < low - slack and not fixed_low:
        low = locations(least, high)[0]
    axes.set_ylim(low, high)
    if low < 0 < high:
        axes.axhline(0, color=INK, linewidth=AXIS_WIDTH, zorder=2.5)


def leave_out(axes, begin, end, gap):
    """Leaves out the part of y from `begin` to `end`. It takes the room of `gap` units of the rest."""
    def bent(y, end, slope):
        y = np.asarray(y, float)
        return np.minimum(y, begin) + slope * (np.clip(y, begin, end) - begin) + np.maximum(y - end, 0)

    slope = gap / (end - begin)
    axes.set_yscale("function", functions=(lambda y: bent(y, end, slope), lambda y: bent(y, begin + gap, 1 / slope)))


def mark_break(axes, low, high):
    """Marks the part that the y axis leaves out: nothing from `low` to `high`, and a stroke at both."""
    beside, up = (2 * POINT / points(axes)[0], POINT / points(axes)[1])
    ends = [axes.transAxes.inverted().transform(axes.get_yaxis_transform().transform((0, y)))[1] for y in (low, high)]
    axes.add_patch(Rectangle((-beside, ends[0]), 1 + 2 * beside, ends[1] - ends[0], transform=axes.transAxes,
                             facecolor=PAGE, edgecolor="none", clip_on=False, zorder=2.55))
    for end in ends:
        axes.plot([-beside, beside], [end - up, end + up], color=INK, linewidth=AXIS_WIDTH, transform=axes.transAxes,
                  clip_on=False, zorder=2.56)


def title_y(axes, text, left, middle):
    """Sets the title of the y axis: `left` of the axes in points, at `middle` of their height."""
    axes.set_ylabel(text, va="baseline", linespacing=1.3)
    axes.yaxis.set_label_coords(-left / points(axes)[0], middle)


def title_x(axes, text, below):
    axes.set_xlabel(text, va="baseline")
    axes.xaxis.set_label_coords(0.5, -below / points(axes)[1])


def note(axes, text, at, offset, colour, size, align="center", angle=0, leader=None, patch=None):
    """Writes a text `offset` points from `at`, which is in the units of the axes. A leader is a line from there: the
    offset of its other end, its colour and its width."""
    if leader:
        end, edge, width = leader
        axes.annotate("", at, end, textcoords="offset points", annotation_clip=False, zorder=3,
                      arrowprops=dict(arrowstyle="-", color=edge, linewidth=width, shrinkA=0, shrinkB=0))
    axes.annotate(text, at, offset, textcoords="offset points", ha=align, va="baseline", rotation=angle,
                  rotation_mode="anchor", color=colour, fontsize=size, zorder=3, annotation_clip=False,
                  bbox=dict(facecolor=patch, edgecolor="none", pad=0) if patch else None)


def pointer(axes, text, at, to, width, head=0, joined=True):
    """Writes a text at a point and draws a line from it to another point, with an arrow head so many points long. Both
    points are in the units of the axes."""
    words = axes.annotate(text, at, (0, -0.365 * SMALL), textcoords="offset points", ha="center", va="baseline",
                          fontsize=SMALL, zorder=3, annotation_clip=False,
                          bbox=dict(facecolor=PAGE, alpha=0.85, edgecolor="none", pad=1.5 * POINT) if text else None)
    style = f"-|>,head_length={head - width},head_width={0.35 * head - width / 2}" if head else "-"
    if joined:
        axes.annotate("", to, at, annotation_clip=False, zorder=3,
                      arrowprops=dict(arrowstyle=style, color=INK, linewidth=width, mutation_scale=1, shrinkA=0, shrinkB=0,
                                      patchA=words.get_bbox_patch(), joinstyle="miter", capstyle="butt"))


def band(axes, left, right, colour, opacity, text, at, drop):
    """Draws a band over the whole height, behind the marks, and a text `drop` points below its top."""
    axes.axvspan(left, right, color=colour, alpha=opacity, linewidth=0, zorder=0.8)
    axes.annotate(text, (at, 1), (0, -drop), xycoords=axes.get_xaxis_transform(), textcoords="offset points",
                  ha="center", va="baseline", fontsize=SMALL, zorder=3, annotation_clip=False)


def below(axes, x, text, drop, size, turned=False):
    """Writes a text at x, `drop` points below the axes."""
    axes.annotate(text, (x, 0), (0, -drop), xycoords=axes.get_xaxis_transform(), textcoords="offset points",
                  ha="center", va="top", rotation=90 if turned else 0, fontsize=size, annotation_clip=False,
                  linespacing=1.3)


def wrapped(text, room, size):
    """Breaks a text into lines of at most `room` points: after spaces, and after hyphens and slashes in words."""
    lines = [""]
    for piece in re.findall(r"[^ ]{2,}?[-/](?=...)|[^ ]+ ?| ", text):
        if lines[-1] and width_of((lines[-1] + piece).strip(), size) > room:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def unique(keys):
    """Returns keys with a number that tells equal ones apart."""
    seen = Counter()
    numbered = []
    for key in keys:
        numbered.append((*key, seen[key]))
        seen[key] += 1
    return numbered


class Categories:
    """The names in the first column of a table, and their groups in the second one if there are groups. Each name has a
    position on the x axis, with a gap before each group."""

    def __init__(self, table, grouped=False, names=None):
        self.names = names or [row[0] for row in table[1:]]
        group = [row[1] for row in table[1:]] if grouped else [""] * len(self.names)
        self.keys = unique(zip(self.names, group))
        first = [i for i in range(len(group)) if i == 0 or group[i] != group[i - 1]]
        self.at = np.array([i + GROUP_GAP * (sum(begin <= i for begin in first) - 1) for i in range(len(group))])
        self.groups, self.lone = [], []
        for begin, end in zip(first, first[1:] + [len(group)]):
            if end - begin == 1 and not (self.names[begin] and group[begin]):
                self.names[begin] += group[begin]  # a category and its group have one name: it needs no second level
                self.lone.append(begin)
            elif group[begin]:
                self.groups.append((group[begin], self.at[begin] - 0.5, self.at[end - 1] + 0.5))

    def of(self, table, grouped=False):
        """Returns the positions of the rows of another table, whatever their order."""
        rows = unique((row[0], row[1] if grouped else "") for row in table[1:])
        return np.array([self.place(*key, index=i) for i, key in enumerate(rows)])

    def place(self, name, group="", number=0, index=0):
        """Returns the position of a category, or that of row `index` if no category has this name any more."""
        key = (name, group, number)
        return self.at[self.keys.index(key) if key in self.keys else min(index, len(self.at) - 1)]

    def label(self, axes, drop, size, room, turned=False, every=1, lone=None):
        """Writes the names `drop` points below the axes: in lines of at most `room` points, or turned upwards. `lone` is
        size, room and direction of names that are those of their groups, too."""
        axes.set_xlim(-0.5, self.at[-1] + 0.5)
        looks = [lone if lone and i in self.lone else (size, room, turned) for i in range(len(self.names))]
        axes.set_xticks(self.at, ["" if i % every else name if up else wrapped(name, wide, high)
                                  for i, (name, (high, wide, up)) in enumerate(zip(self.names, looks))],
                        linespacing=1.3)
        axes.tick_params(axis="x", length=0, pad=drop)
        for tick, (high, _, up) in zip(axes.get_xticklabels(), looks):
            tick.set(fontsize=high, rotation=90 if up else 0)

    def label_groups(self, axes, drop, size, line, colour, room, turned=False):
        """Writes the names of groups, and a line over each, `line` points below the axes, that shows its extent."""
        high = points(axes)[1]
        for name, left, right in self.groups:
            axes.plot([left + 0.12, right - 0.12], [-line / high] * 2, color=colour, linewidth=AXIS_WIDTH,
                      transform=axes.get_xaxis_transform(), clip_on=False)
            below(axes, (left + right) / 2, name if turned else wrapped(name, room, size), drop, size, turned)


def entry(label, colour, width, *handles):
    """Adds an entry to the legend, unless it is there. Its symbol is so many points wide."""
    if label:
        entries.setdefault((label, colour), (handles, width))


class Symbol(HandlerTuple):
    """Draws the handles of an entry over one another, in a symbol of their own width."""

    def __init__(self, width):
        super().__init__()
        self.width = width

    def legend_artist(self, legend, handles, size, box):
        box.width = self.width
        return super().legend_artist(legend, handles, size, box)


def legend(x, rows, where, spacing=0):
    """Draws the legend at x. Each of `rows` says how many entries it has, in how many columns, and how far below the
    upper edge of the page it begins."""
    left = [(label, *symbol) for (label, _), symbol in entries.items()]
    for count, columns, top in rows:
        shown, left = left[:count], left[count:]
        shown = [one for first in range(columns) for one in shown[first::columns]]  # a legend is filled by columns
        if shown:
            figure.legend([handles for _, handles, _ in shown], [label for label, _, _ in shown], ncol=columns,
                          loc=where, bbox_to_anchor=(x / WIDTH, 1 - top / HEIGHT),
                          handler_map={handles: Symbol(width) for _, handles, width in shown},
                          handleheight=5.5 * POINT / TEXT, handletextpad=3 * POINT / TEXT,
                          columnspacing=9 * POINT / TEXT, labelspacing=spacing / TEXT)


def filled(fill=None, hatch=None, ink=None, edge=None, width=0):
    """Returns the styles of a fill with its hatch, and of the outline over it."""
    coats = [dict(facecolor=fill, edgecolor=ink or "none", hatch=hatch, linewidth=0)]
    return coats + [dict(facecolor="none", edgecolor=edge, linewidth=width)] if edge else coats


def swatch(label, **style):
    entry(label, style["fill"], 8 * POINT, *[Patch(**coat) for coat in filled(**style)])


def bars(axes, x, heights, across, bottom=0, label=None, **style):
    for coat in filled(**style):
        axes.bar(x, heights, across, bottom, zorder=next(order), **coat)
    swatch(label, **style)


def errors(axes, x, y, low, high, half, colour, width):
    """Draws error bars from `low` to `high`; `half` is half a cap's width in points."""
    axes.errorbar(x, y, yerr=[np.maximum(y - low, 0), np.maximum(high - y, 0)], fmt="none", ecolor=colour,
                  elinewidth=width, capsize=half, capthick=width, zorder=next(order))


def short(value):
    """Writes a number with three digits."""
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)) + 1e-9)
    places, unit = (1 if abs(value) < 1 else 2) - power, ""
    value = round(value, places)
    if abs(value) >= 1e4 or abs(value) < 1e-3:
        thousands = min(int(math.log10(abs(value)) / 3 + 1e-9), 5)
        value, unit = (value / 1000 ** thousands, "kMGTP"[thousands - 1]) if thousands > 0 else (
            value / 10.0 ** power, f"e{power}")
        places = len(f"{value:.9f}".rstrip("0").partition(".")[2])
    return f"{value:.{min(max(places, 0), 5)}f}{unit}".replace("-", "\N{MINUS SIGN}")


class Stack:
    """Bars on one another, from zero or from `start`: values of 0 or more upwards, the others downwards."""

    def __init__(self, axes, x, across, start=0.0):
        self.axes, self.x, self.across = axes, x, across
        self.start = self.up = self.down = self.sum = start + np.zeros(len(x))
        self.any = np.zeros(len(x), bool)
        self.ends = []  # of error bars

    def add(self, heights, label, **style):
        bars(self.axes, self.x, heights, self.across, np.where(heights < 0, self.down, self.up), label, **style)
        known = np.nan_to_num(heights)
        self.any = self.any | ~np.isnan(heights)
        self.base, self.sum = self.sum, self.sum + known
        self.up, self.down = self.up + np.maximum(known, 0), self.down + np.minimum(known, 0)

    def errors(self, low, high, **pen):
        """Adds error bars to the part that was added last. They are drawn over all parts."""
        self.ends.append((self.sum, self.base + low, self.base + high, pen))

    def finish(self, written=False, turned=False, joined=None):
        """Draws error bars, writes values if wanted, and joins floating bars by lines of the pen `joined`."""
        for y, low, high, pen in self.ends:
            errors(self.axes, self.x, y, low, high, **pen)
        value = np.where(self.up != self.start, self.up, self.down) - self.start
        end = self.start + value
        for i in range(len(self.x) - 1 if joined else 0):
            away = min(abs(self.start[i + 1] - end[i]), abs(end[i + 1] - end[i]))
            if self.any[i] and self.any[i + 1] and away <= 1e-9 * max(abs(end[i]), abs(self.start[i])):
                self.axes.plot(self.x[i:i + 2], [end[i]] * 2, zorder=0.9, **joined)
        for i in np.flatnonzero(self.any) if written else []:
            up = value[i] >= 0
            reach = [self.up[i] if up else self.down[i], *((high if up else low)[i] for _, low, high, _ in self.ends)]
            gap = 1.2 * POINT + (0 if turned else 0.09 * SMALL if up else 0.73 * SMALL)
            self.axes.annotate(short(value[i]), (self.x[i], np.nanmax(reach) if up else np.nanmin(reach)),
                               (0, gap if up else -gap), textcoords="offset points", ha="center", fontsize=SMALL,
                               rotation=90 if turned else 0, annotation_clip=False,
                               va="baseline" if not turned else "bottom" if up else "top")


def dots(colour, marker, size, rim=None, rim_width=0):
    """Returns the style of markers."""
    return dict(linestyle="none", color=colour, marker=marker, markersize=size, markeredgecolor=rim or colour,
                markeredgewidth=rim_width)


def curve(axes, x, y, label, line=None, markers=None):
    """Draws a line, markers, or both. A marker at the edge of the axes is shown whole."""
    style = line or markers
    handles = axes.plot(x, y, zorder=next(order), **line) if line else []
    if markers:
        wide, high = (3 * POINT / length for length in points(axes))
        handles += axes.plot(x, y, zorder=next(order), **markers)
        handles[-1].set_clip_box(TransformedBbox(Bbox([[-wide, -high], [1 + wide, 1 + high]]), axes.transAxes))
    entry(label, style["color"], (15 if line else 5) * POINT, *handles)


def sized(axes, x, sizes, series):
    """Draws markers whose areas are as `sizes`, the largest first. `series` are values, a label, and their markers."""
    every = []
    for y, label, markers in series:
        entry(label, markers["color"], 5 * POINT, plt.Line2D([], [], **markers))
        every += [(max(0.7, 3.2 * math.sqrt(max(size, 0) / max(np.nanmax(sizes), 1e-300))), a, b, markers)
                  for a, b, size in zip(x, y, sizes) if not math.isnan(b)]
    for scale, a, b, markers in sorted(every, key=lambda one: -one[0]):
        axes.plot([a], [b], clip_on=False, zorder=next(order),
                  **{**markers, "markersize": scale * markers["markersize"]})


def area(axes, x, bottom, heights, label, stepped, edge, width, **style):
    """Draws one area of a stack and returns its upper edge. If stepped, a value holds until the next x."""
    top = bottom + heights
    shown = (np.repeat(x, 2)[1:-1], np.repeat(bottom[:-1], 2), np.repeat(top[:-1], 2)) if stepped else (x, bottom, top)
    coat = filled(**style)[0]
    axes.fill_between(*shown, zorder=next(order), **coat)
    axes.plot(shown[0], shown[2], color=edge, linewidth=width, zorder=next(order))
    entry(label, style["fill"], 8 * POINT, Patch(**coat), Patch(facecolor="none", edgecolor=edge, linewidth=width / 0.8))
    return np.where(np.isnan(top), bottom, top)


def boxes(axes, rows, x, across, label, whisker, median, **style):
    """Draws boxes from rows of a table: least, lower, median, upper and most, from the third column on."""
    numbers = [dict(zip(("whislo", "q1", "med", "q3", "whishi"), map(float, row[2:7]))) for row in rows]
    bars(axes, x, [box["q3"] - box["q1"] for box in numbers], across, [box["q1"] for box in numbers], label, **style)
    axes.bxp(numbers, x, [across] * len(x), showbox=False, showfliers=False, manage_ticks=False, whiskerprops=whisker,
             capprops=whisker, medianprops=median, zorder=next(order))


def heat(axes, table, colours, least=None, most=None, middle=None, image=False):
    """Draws cells from a table of row, column and value, the first row on top. Returns them with their names."""
    rows, columns = (list(dict.fromkeys(row[i] for row in table[1:])) for i in (0, 1))
    cells = np.full((len(rows), len(columns)), math.nan)
    for row, value in zip(table[1:], column(table, 2)):
        cells[rows.index(row[0]), columns.index(row[1])] = value
    least = np.nanmin(cells) if least is None else least
    most = np.nanmax(cells) if most is None else most
    split = middle is not None and least < middle < most
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    axes.spines[:].set_visible(True)
    axes.add_patch(Rectangle((-0.5, -0.5), len(columns), len(rows), zorder=next(order), **filled(**MISSING)[0]))
    mesh = axes.pcolormesh(np.arange(len(columns) + 1) - 0.5, np.arange(len(rows) + 1) - 0.5, cells,
                           norm=TwoSlopeNorm(middle, least, most) if split else Normalize(least, most),
                           cmap=LinearSegmentedColormap.from_list("heat", colours), rasterized=image,
                           edgecolors="none" if image else "face", linewidth=0.1, zorder=next(order))
    return mesh, rows, columns, cells


def write_cells(axes, mesh, cells):
    """Writes the values of cells with room for them: dark on light colours, and light on dark ones."""
    wide, high = points(axes)[0] / cells.shape[1], points(axes)[1] / cells.shape[0]
    for (row, at), value in np.ndenumerate(cells):
        if math.isnan(value) or width_of(short(value), SMALL) + 2 > wide or 1.2 * SMALL > high:
            continue
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                  for part in mesh.cmap(mesh.norm(value))[:3]]
        axes.annotate(short(value), (at, row), (0, -0.365 * SMALL), textcoords="offset points", ha="center",
                      va="baseline", fontsize=SMALL,
                      color="#0c1218" if np.dot(linear, (0.2126, 0.7152, 0.0722)) > 0.183 else "white")


def colour_bar(mesh, left, top, width, height, title, title_at, most):
    bar = figure.colorbar(mesh, cax=panel(left, top, width, height))
    bar.outline.set_linewidth(AXIS_WIDTH)
    if not isinstance(mesh.norm, TwoSlopeNorm):
        bar.locator = MaxNLocator(most, steps=[1, 2, 5, 10])
    bar.formatter = Numbers()
    bar.update_ticks()
    bar.ax.tick_params(length=1.8 * POINT)
    bar.ax.set_ylabel(title, va="baseline")
    bar.ax.yaxis.set_label_coords(title_at / width, 0.5)


def label_rows(axes, names, size, every=1):
    axes.set_yticks(range(len(names)), [name if i % every == 0 else "" for i, name in enumerate(names)])
    axes.tick_params(axis="y", length=0, pad=3 * POINT, labelsize=size)


def label_row_groups(axes, lanes, left, turned, colour):
    """Writes the groups of lanes, each with a line beside it, `left` points left of the axes."""
    wide = points(axes)[0]
    groups = [group for group, _ in lanes]
    first = [i for i in range(len(groups)) if i == 0 or groups[i] != groups[i - 1]]
    for begin, end in zip(first, first[1:] + [len(groups)]):
        if begin > 0 and groups[begin]:
            axes.axhline(begin - 0.5, color=GRID, linewidth=GRID_WIDTH, zorder=0.5)
        if groups[begin]:
            axes.plot([-left / wide] * 2, [begin - 0.4, end - 0.6], color=colour, linewidth=0.5 * POINT, clip_on=False,
                      transform=axes.get_yaxis_transform())
            axes.annotate(groups[begin], (0, (begin + end - 1) / 2), (-left - 2.5 * POINT, 0), fontsize=TEXT,
                          xycoords=axes.get_yaxis_transform(), textcoords="offset points", annotation_clip=False,
                          ha="center" if turned else "right", va="bottom" if turned else "center_baseline",
                          rotation=90 if turned else 0, rotation_mode="anchor")


def spans(axes, table, lanes, styles):
    """Draws spans from a table of group, lane, from, to, meaning and text, in lanes from top to bottom."""
    begin, end = column(table, 2), column(table, 3)
    if axes.get_autoscalex_on():
        axes.set_xlim(begin.min(), end.max())
    unit = points(axes)[0] / abs(np.diff(axes.get_xlim())[0])
    parts = {}  # begins and lengths by lane, by meaning, and by whether there is room for an outline
    for row, left, right in zip(table[1:], begin, end):
        if (row[0], row[1]) not in lanes or row[4] not in styles:
            sys.exit(f"{row[-1]}: no lane is {(row[0], row[1])}, or no style is {row[4]!r}")
        lane, length = lanes.index((row[0], row[1])), max(right - left, 0.12 / unit)
        parts.setdefault((lane, row[4], length * unit > 2 * POINT), []).append((left, length))
        high = 0.76 * points(axes)[1] / len(lanes)
        size = min(TEXT, max(SMALL, 0.9 * high))
        if row[5] and length * unit > max(width_of(row[5], size) + 3 * POINT, 5 * POINT) and high > 0.73 * size + POINT:
            ink, patch = styles[row[4]][1]
            axes.annotate(row[5], (left + length / 2, lane), (0, -0.365 * size), textcoords="offset points", color=ink,
                          ha="center", va="baseline", fontsize=size, zorder=2.4,
                          bbox=dict(facecolor=patch, edgecolor="none", pad=0.3 * POINT) if patch else None)
    for (lane, meaning, outlined), runs in sorted(parts.items()):
        for coat in filled(**styles[meaning][0])[:2 if outlined else 1]:
            axes.broken_barh(runs, (lane - 0.38, 0.76), zorder=next(order), **coat)
