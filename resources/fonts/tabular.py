#!/usr/bin/python3
"""Makes the window's font from Inter: Latin, Greek and signs only, and digits that are all equally wide.

Qt 6.4 cannot switch an OpenType feature on, and proportional digits make a running time jump about; so the
digits of Inter's own feature "tnum" become the default ones. The family is renamed, so that an installed
Inter is never mistaken for it. Exported Python scripts come with the font as TrueType, which matplotlib embeds as it is.
Needs python3-fonttools and fonts-inter; run it in this folder.
"""

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

FAMILY = "Ringside Sans"
SIGNS = "\u00a0·×µ±–—‘’“”…′″←↑→↓↔⇒−≈≠≤≥∞√▲▶▼◀●○■□✓✗⌘⌥⇧⏎"
UNICODES = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3CA), *map(ord, SIGNS)]

for style in ("Regular", "SemiBold", "Bold"):
    font = TTFont(f"/usr/share/fonts/opentype/inter/Inter-{style}.otf")
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
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = FAMILY
        elif record.nameID == 4:
            record.string = f"{FAMILY} {style}"
        elif record.nameID in (3, 6):
            record.string = f"RingsideSans-{style}"
    options = subset.Options(layout_features=["kern", "ccmp", "locl", "mark"], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17])
    worker = subset.Subsetter(options)
    worker.populate(unicodes=UNICODES)
    worker.subset(font)
    font.save(f"RingsideSans-{style}.otf")
    if style == "Bold":
        continue
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
    font.save(f"RingsideSans-{style}.ttf")
