def page():
    """Adds axes that cover the page, in points from its upper left corner."""
    axes = panel(0, 0, WIDTH, HEIGHT)
    axes.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axes.axis("off")
    return axes


def add(axes, patch, clip=None, **style):
    """Draws a shape: its fill, its hatch, and its outline."""
    dash = style.pop("dash", None)
    for coat in filled(**{"fill": "none", **style}):
        part = copy.copy(patch)
        part.set(zorder=next(order), capstyle="butt", linestyle=(0, dash) if dash else "solid", **coat)
        axes.add_patch(part)
        if clip:
            part.set_clip_path(Rectangle(clip[:2], *clip[2:], transform=axes.transData))


def line(axes, x, y, edge, width, dash=None, clip=None):
    drawn, = axes.plot(x, y, color=edge, linewidth=width, linestyle=(0, dash) if dash else "solid",
                       zorder=next(order))
    if clip:
        drawn.set_clip_path(Rectangle(clip[:2], *clip[2:], transform=axes.transData))


def words(x, y, text, size, align="left", angle=0, weight="normal", colour="black"):
    figure.text(x / WIDTH, 1 - y / HEIGHT, text, fontsize=size * FIT, ha=align, va="baseline", rotation=-angle,
                rotation_mode="anchor", fontweight=weight, color=colour)


