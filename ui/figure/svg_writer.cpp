#include "data/figure/figure_size.h"
#include "ui/drawing/figure_text.h"
#include "ui/figure/figure_metadata.h"
#include "ui/figure/figure_writers.h"
#include "ui/figure/writer_parts.h"

#include <QBuffer>
#include <QFile>
#include <QXmlStreamWriter>

#include <algorithm>
#include <map>
#include <variant>

namespace ui {
namespace {

const QString kSvg = QStringLiteral("http://www.w3.org/2000/svg");

/// Replaces characters that XML does not allow, even escaped, by U+FFFD.
QString xmlText(QString text) {
    for (QChar& letter : text) {
        const bool space = letter == u'\t' || letter == u'\n' || letter == u'\r';
        if ((letter.unicode() < 0x20 && !space) || letter.unicode() >= 0xFFFE)
            letter = QChar::ReplacementCharacter;
    }
    return text;
}

QString pathOf(const QPolygonF& points, bool closed) {
    QString path;
    for (const QPointF& at : points) {
        path += path.isEmpty() ? u'M' : u'L';
        path += plainNumber(at.x()) + u' ' + plainNumber(at.y());
    }
    return closed ? path + u'Z' : path;
}

QString pathOf(const std::vector<QLineF>& lines) {
    QString path;
    for (const QLineF& line : lines)
        path += pathOf(QPolygonF({line.p1(), line.p2()}), false);
    return path;
}

/// Returns the families of a font, with those that viewers without embedded fonts may have.
QString familiesOf(data::FigureFont font) {
    QStringList families = familiesLike(font);
    families.front() = u'"' + families.front() + u'"';
    families << (data::presetOf(font).serif ? QStringLiteral("serif") : QStringLiteral("sans-serif"));
    return families.join(QStringLiteral(", "));
}

QString weightOf(TextWeight weight) {
    return weight == TextWeight::bold       ? QStringLiteral("700")
           : weight == TextWeight::semiBold ? QStringLiteral("600")
                                            : QStringLiteral("400");
}

class SvgWriter {
public:
    SvgWriter(QIODevice& device, const ReadyFigure& figure)
        : m_figure(figure), m_list(figure.laidOut.list), m_xml(&device) {
        // Identifiers begin with the figure's name, because all figures in one HTML document share one set of
        // identifiers.
        for (const char letter : figure.spec.name)
            m_prefix += QChar::isLetterOrNumber(static_cast<uchar>(letter)) ? QLatin1Char(letter) : QLatin1Char('-');
        m_prefix.prepend(QStringLiteral("figure-"));
    }

    void write() {
        m_xml.setAutoFormatting(true);
        m_xml.setAutoFormattingIndent(1);
        m_xml.writeStartDocument();
        m_xml.writeDefaultNamespace(kSvg);
        m_xml.writeStartElement(kSvg, QStringLiteral("svg"));
        attribute("width", plainNumber(m_list.page.width()) + QStringLiteral("pt"));
        attribute("height", plainNumber(m_list.page.height()) + QStringLiteral("pt"));
        attribute("viewBox",
                  QStringLiteral("0 0 %1 %2").arg(plainNumber(m_list.page.width()), plainNumber(m_list.page.height())));
        attribute("role", QStringLiteral("img"));
        writeWords();
        writeFonts();
        writeClips();
        start("g");
        attribute("clip-path", clipReference(QRectF(QPointF(), m_list.page)));
        writeItems();
        m_xml.writeEndElement();
        m_xml.writeEndElement();
        m_xml.writeEndDocument();
    }

    void operator()(const RectItem& item) {
        writeShape("rect", item, item.box, [&] { writeBox(item.box); });
    }
    void operator()(const PolygonItem& item) {
        writeShape("path", item, item.points, [&] {
            attribute("d", pathOf(item.points, true));
            attribute("fill-rule", QStringLiteral("evenodd"));
        });
    }
    void operator()(const EllipseItem& item) {
        writeShape("ellipse", item, ellipseOutline(item.box), [&] {
            attribute("cx", plainNumber(item.box.center().x()));
            attribute("cy", plainNumber(item.box.center().y()));
            attribute("rx", plainNumber(item.box.width() / 2));
            attribute("ry", plainNumber(item.box.height() / 2));
        });
    }
    void operator()(const PolylineItem& item) {
        start("path");
        attribute("d", pathOf(item.points, false));
        attribute("stroke-linejoin", QStringLiteral("round"));
        writePaint({}, item.pen);
        m_xml.writeEndElement();
    }
    void operator()(const TextItem& item) {
        start("text");
        attribute("x", plainNumber(item.at.x()));
        attribute("y", plainNumber(item.at.y()));
        attribute("font-size", plainNumber(item.size));
        if (item.size.font != m_figure.spec.font)
            attribute("font-family", familiesOf(item.size.font));
        if (item.weight != TextWeight::regular)
            attribute("font-weight", weightOf(item.weight));
        if (item.align != TextAlign::left)
            attribute("text-anchor", QLatin1String(item.align == TextAlign::centre ? "middle" : "end"));
        if (item.angle != 0)
            attribute("transform",
                      QStringLiteral("rotate(%1 %2 %3)")
                          .arg(plainNumber(item.angle), plainNumber(item.at.x()), plainNumber(item.at.y())));
        writeColour("fill", item.colour);
        // Keeps the width of the text even if a viewer uses another font than the embedded one.
        attribute("textLength", plainNumber(item.width));
        attribute("lengthAdjust", QStringLiteral("spacingAndGlyphs"));
        m_xml.writeCharacters(xmlText(item.text));
        m_xml.writeEndElement();
    }
    void operator()(const ImageItem& item) {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        item.image.save(&buffer, "PNG");
        start("image");
        writeBox(item.box);
        attribute("preserveAspectRatio", QStringLiteral("none"));
        attribute("style", QStringLiteral("image-rendering:pixelated"));
        attribute("href", QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64()));
        m_xml.writeEndElement();
    }

private:
    void start(const char* element) { m_xml.writeStartElement(kSvg, QLatin1String(element)); }
    void attribute(const char* name, const QString& value) { m_xml.writeAttribute(QLatin1String(name), value); }

    void writeColour(const char* name, const QColor& colour) {
        attribute(name, colour.name());
        if (colour.alpha() < 255)
            attribute((QByteArray(name) + "-opacity").constData(), plainNumber(colour.alphaF()));
    }
    void writeBox(const QRectF& box) {
        attribute("x", plainNumber(box.x()));
        attribute("y", plainNumber(box.y()));
        attribute("width", plainNumber(box.width()));
        attribute("height", plainNumber(box.height()));
    }
    void writePaint(const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen) {
        if (fill)
            writeColour("fill", fill->colour);
        else
            attribute("fill", QStringLiteral("none"));
        if (!pen)
            return;
        writeColour("stroke", pen->colour);
        attribute("stroke-width", plainNumber(pen->width));
        QStringList dash;
        for (const double length : pen->dash)
            dash << plainNumber(length);
        if (!dash.isEmpty())
            attribute("stroke-dasharray", dash.join(u' '));
    }
    /// Writes a shape as one element, or, if it has a texture, as fill, texture and outline.
    template <class Item, class Outline, class Place>
    void writeShape(const char* element, const Item& item, const Outline& outline, Place place) {
        const auto writeElement = [&](const std::optional<FigureFill>& fill, const std::optional<FigurePen>& pen) {
            start(element);
            place();
            writePaint(fill, pen);
            m_xml.writeEndElement();
        };
        const std::vector<QLineF> lines = item.fill ? fillLines(*item.fill, outline) : std::vector<QLineF>();
        if (lines.empty()) {
            writeElement(item.fill, item.pen);
            return;
        }
        writeElement(item.fill, std::nullopt);
        start("path");
        attribute("d", pathOf(lines));
        writePaint({}, FigurePen{item.fill->textureInk, fillLineWidth(*item.fill), {}});
        m_xml.writeEndElement();
        if (item.pen)
            writeElement(std::nullopt, item.pen);
    }

    void writeWords() {
        m_xml.writeTextElement(kSvg, QStringLiteral("title"), xmlText(titleOf(m_figure.spec)));
        m_xml.writeTextElement(kSvg, QStringLiteral("desc"),
                               xmlText(QString::fromStdString(m_figure.spec.alternative)));
        start("metadata");
        m_xml.writeNamespace(QLatin1String(kFigureNamespace), QStringLiteral("ringside"));
        for (const auto& [key, text] : metadataOf(m_figure.spec)) {
            m_xml.writeStartElement(QLatin1String(kFigureNamespace), QStringLiteral("entry"));
            attribute("key", key);
            m_xml.writeCharacters(xmlText(text));
            m_xml.writeEndElement();
        }
        m_xml.writeTextElement(QLatin1String(kFigureNamespace), QLatin1String(kSpecElement),
                               xmlText(QString::fromUtf8(specBytes(m_figure.spec))));
        m_xml.writeEndElement();
    }

    void writeFonts() {
        std::map<std::pair<data::FigureFont, TextWeight>, QString> letters;
        for (const DisplayItem& item : m_list.items) {
            if (const auto* text = std::get_if<TextItem>(&item.shape))
                letters[{text->size.font, text->weight}] += text->text;
        }
        QString style;
        for (const auto& [face, text] : letters) {
            QFile file(figureFontFile(face.first, face.second));
            if (!file.open(QIODevice::ReadOnly))
                continue;
            const bool trueType = file.fileName().endsWith(QLatin1String(".ttf"));
            style += QStringLiteral("@font-face { font-family: \"%1\"; font-weight: %2; "
                                    "src: url(data:font/%3;base64,%4) format(\"%5\"); }\n")
                         .arg(figureFont(face.first, face.second).family(), weightOf(face.second),
                              trueType ? QStringLiteral("ttf") : QStringLiteral("otf"),
                              QString::fromLatin1(fontSubset(file.readAll(), text).toBase64()),
                              trueType ? QStringLiteral("truetype") : QStringLiteral("opentype"));
        }
        style += QStringLiteral("text { font-family: %1; white-space: pre; }\n").arg(familiesOf(m_figure.spec.font));
        m_xml.writeTextElement(kSvg, QStringLiteral("style"), u'\n' + style);
    }

    void writeClips() {
        start("defs");
        writeClip(QRectF(QPointF(), m_list.page));
        for (const DisplayItem& item : m_list.items) {
            if (item.clip && std::find(m_clips.begin(), m_clips.end(), *item.clip) == m_clips.end())
                writeClip(*item.clip);
        }
        m_xml.writeEndElement();
    }
    void writeClip(const QRectF& clip) {
        m_clips.push_back(clip);
        start("clipPath");
        attribute("id", clipName(m_clips.size() - 1));
        start("rect");
        writeBox(clip);
        m_xml.writeEndElement();
        m_xml.writeEndElement();
    }
    QString clipName(std::size_t place) const { return m_prefix + QStringLiteral("-clip-") + QString::number(place); }
    QString clipReference(const QRectF& clip) const {
        const auto place = std::find(m_clips.begin(), m_clips.end(), clip) - m_clips.begin();
        return QStringLiteral("url(#%1)").arg(clipName(static_cast<std::size_t>(place)));
    }

    /// Writes items that belong together as one group, so that a drawing program can select them together.
    void writeItems() {
        const DisplayItem* before = nullptr;
        for (const DisplayItem& item : m_list.items) {
            const bool same = before != nullptr && before->part == item.part && before->panel == item.panel &&
                              before->mark == item.mark && before->meaning == item.meaning && before->clip == item.clip;
            if (!same) {
                if (before != nullptr)
                    m_xml.writeEndElement();
                startGroup(item);
            }
            before = &item;
            std::visit(*this, item.shape);
        }
        if (before != nullptr)
            m_xml.writeEndElement();
    }
    void startGroup(const DisplayItem& item) {
        start("g");
        attribute("class", nameOf(item.part));
        if (item.panel)
            attribute("data-panel", QString::number(*item.panel));
        if (item.mark)
            attribute("data-mark", QString::number(*item.mark));
        if (!item.meaning.isEmpty())
            attribute("data-meaning", xmlText(item.meaning));
        if (item.clip)
            attribute("clip-path", clipReference(*item.clip));
    }

    const ReadyFigure& m_figure;
    const DisplayList& m_list;
    QXmlStreamWriter m_xml;
    QString m_prefix;
    std::vector<QRectF> m_clips;  // the page, then the clip rectangles of items
};

}  // namespace

QByteArray svgOf(const ReadyFigure& figure) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    SvgWriter(buffer, figure).write();
    return bytes;
}

}  // namespace ui
