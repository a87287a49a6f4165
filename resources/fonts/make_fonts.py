#!/usr/bin/python3
"""Makes the fonts of the window and of figures: Latin, Greek and signs only, under names of their own.

Ringside Sans is Inter with digits that are all equally wide: Qt 6.4 cannot switch an OpenType feature on, and
proportional digits make a running time jump about, so the digits of Inter's own feature "tnum" become the default ones.
The other fonts have the widths of the fonts that papers are set in: Ringside Libertine is Linux Libertine, Ringside Serif
(Times) and Ringside Grotesque (Helvetica) are Liberation. Families are renamed, as the licence asks, and so that an
installed font is never mistaken for them. Exported Python scripts come with a font as TrueType, which matplotlib embeds
as it is. Needs python3-fonttools, fonts-inter, fonts-linuxlibertine and fonts-liberation2; run it in this folder.
"""

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

SIGNS = "\u00a0·×µ±–—‘’“”…′″←↑→↓↔⇒−≈≠≤≥∞√▲▶▼◀●○■□✓✗⌘⌥⇧⏎"
UNICODES = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3CA), *map(ord, SIGNS)]
WEIGHTS = {"Regular": 400, "SemiBold": 600, "Bold": 700}
INTER = "/usr/share/fonts/opentype/inter/Inter-%s.otf"
LIBERTINE = "/usr/share/fonts/opentype/linux-libertine/LinLibertine_%s.otf"
LIBERATION = "/usr/share/fonts/truetype/liberation2/Liberation%s.ttf"
FONTS = [
    ("Ringside Sans", "Regular", INTER % "Regular"),
    ("Ringside Sans", "SemiBold", INTER % "SemiBold"),
    ("Ringside Sans", "Bold", INTER % "Bold"),
    ("Ringside Libertine", "Regular", LIBERTINE % "R"),
    ("Ringside Libertine", "SemiBold", LIBERTINE % "RZ"),
    ("Ringside Libertine", "Bold", LIBERTINE % "RB"),
    ("Ringside Serif", "Regular", LIBERATION % "Serif-Regular"),
    ("Ringside Serif", "Bold", LIBERATION % "Serif-Bold"),
    ("Ringside Grotesque", "Regular", LIBERATION % "Sans-Regular"),
    ("Ringside Grotesque", "Bold", LIBERATION % "Sans-Bold"),
]


def use_tabular_digits(font):
    single = [
        table.mapping
        for record in font["GSUB"].table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
        for table in font["GSUB"].table.LookupList.Lookup[index].SubTable
        for table in [getattr(table, "ExtSubTable", table)]
    ]
    tabular = {old: new for mapping in single for old, new in mapping.items()}
    for table in font["cmap"].tables:
        for code in map(ord, "0123456789"):
            if code in table.cmap:
                table.cmap[code] = tabular.get(table.cmap[code], table.cmap[code])


def rename(font, family, style):
    file = family.replace(" ", "")
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = family
        elif record.nameID in (2, 17):
            record.string = style
        elif record.nameID == 4:
            record.string = f"{family} {style}"
        elif record.nameID in (3, 6):
            record.string = f"{file}-{style}"
    font["OS/2"].usWeightClass = WEIGHTS[style]
    if "CFF " in font and font["CFF "].cff.fontNames:
        font["CFF "].cff.fontNames = [f"{file}-{style}"]
        top = font["CFF "].cff.topDictIndex[0]
        top.FamilyName, top.FullName = family, f"{family} {style}"


def shrink(font):
    options = subset.Options(layout_features=["kern", "ccmp", "locl", "mark"], hinting=False, legacy_kern=True,
                             name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17], drop_tables=["FFTM", "PfEd", "DSIG"])
    worker = subset.Subsetter(options)
    worker.populate(unicodes=UNICODES)
    worker.subset(font)


def use_true_type(font):
    outlines = {}
    for name, glyph in font.getGlyphSet().items():
        pen = TTGlyphPen(None)
        glyph.draw(Cu2QuPen(pen, 1.0, reverse_direction=True))
        outlines[name] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = font.getGlyphOrder(), outlines
    del font["CFF "]
    font["maxp"].tableVersion, font["maxp"].maxZones, font["post"].formatType = 0x00010000, 1, 3.0
    for field in ("TwilightPoints", "Storage", "FunctionDefs", "InstructionDefs", "StackElements",
                  "SizeOfInstructions", "ComponentElements"):
        setattr(font["maxp"], "max" + field, 0)
    font.sfntVersion = "\000\001\000\000"


for family, style, source in FONTS:
    font = TTFont(source, recalcTimestamp=False)
    if family == "Ringside Sans":
        use_tabular_digits(font)
    rename(font, family, style)
    shrink(font)
    name = f"{family.replace(' ', '')}-{style}"
    if "glyf" in font:
        font.save(f"{name}.ttf")
        continue
    font.save(f"{name}.otf")
    if style != "Bold":
        use_true_type(font)
        font.save(f"{name}.ttf")
