#include "ui/figure/figure_metadata.h"

#include "data/figure/figure_document.h"

#include <QXmlStreamWriter>

namespace ui {
namespace {

const QString kRdf = QStringLiteral("http://www.w3.org/1999/02/22-rdf-syntax-ns#");
const QString kDublinCore = QStringLiteral("http://purl.org/dc/elements/1.1/");
const QString kXmp = QStringLiteral("http://ns.adobe.com/xap/1.0/");
const QString kPdf = QStringLiteral("http://ns.adobe.com/pdf/1.3/");
const QString kRingside = QLatin1String(kFigureNamespace);
constexpr const char* kTitleKey = "Title";
constexpr const char* kDescriptionKey = "Description";

QString programOf(const data::FigureProvenance& provenance) {
    QString program = QString::fromStdString(provenance.program);
    if (program.isEmpty())
        program = QStringLiteral("Ringside " RINGSIDE_VERSION);
    if (!provenance.engine.empty())
        program += QStringLiteral(" (engine %1)").arg(QString::fromStdString(provenance.engine));
    return program;
}

// Writes a text as a language alternative, which XMP requires for titles and descriptions.
void writeAlternative(QXmlStreamWriter& xml, const QString& name, const QString& text) {
    if (text.isEmpty())
        return;
    xml.writeStartElement(kDublinCore, name);
    xml.writeStartElement(kRdf, QStringLiteral("Alt"));
    xml.writeStartElement(kRdf, QStringLiteral("li"));
    xml.writeAttribute(QStringLiteral("xml:lang"), QStringLiteral("x-default"));
    xml.writeCharacters(text);
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeEndElement();
}

void writeProvenance(QXmlStreamWriter& xml, const data::FigureSpec& spec) {
    xml.writeStartElement(kRingside, QStringLiteral("provenance"));
    xml.writeStartElement(kRdf, QStringLiteral("Bag"));
    for (const auto& [key, text] : metadataOf(spec)) {
        if (key != QLatin1String(kTitleKey) && key != QLatin1String(kDescriptionKey))
            xml.writeTextElement(kRdf, QStringLiteral("li"), key + QStringLiteral(": ") + text);
    }
    xml.writeEndElement();
    xml.writeEndElement();
}

}  // namespace

MetadataEntries metadataOf(const data::FigureSpec& spec) {
    const data::FigureProvenance& provenance = spec.provenance;
    MetadataEntries entries;
    const auto add = [&](const char* key, const QString& text) {
        if (!text.isEmpty())
            entries.emplace_back(QLatin1String(key), text);
    };
    add(kTitleKey, titleOf(spec));
    add(kDescriptionKey, QString::fromStdString(spec.alternative));
    add("Software", programOf(provenance));
    add("Creation Time", QString::fromStdString(provenance.made));
    add("Command", QString::fromStdString(provenance.command));
    add("Moment", QString::fromStdString(provenance.moment));
    for (const auto& experiment : provenance.experiments)
        add("Experiment", QStringLiteral("%1 %2").arg(QString::fromStdString(experiment.name),
                                                      QString::fromStdString(experiment.hash)));
    for (const auto& number : provenance.published)
        add("Published", QStringLiteral("%1 = %2 (%3)")
                             .arg(QString::fromStdString(number.id), QString::number(number.value, 'g', 15),
                                  QString::fromStdString(number.label)));
    add("Published source", QString::fromStdString(provenance.publishedSource));
    return entries;
}

QString titleOf(const data::FigureSpec& spec) {
    return QString::fromStdString(spec.title.empty() ? spec.name : spec.title);
}

QByteArray xmpOf(const data::FigureSpec& spec) {
    QByteArray packet = "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n";
    QXmlStreamWriter xml(&packet);
    xml.setAutoFormatting(true);
    xml.writeNamespace(QStringLiteral("adobe:ns:meta/"), QStringLiteral("x"));
    xml.writeNamespace(kRdf, QStringLiteral("rdf"));
    xml.writeNamespace(kDublinCore, QStringLiteral("dc"));
    xml.writeNamespace(kXmp, QStringLiteral("xmp"));
    xml.writeNamespace(kPdf, QStringLiteral("pdf"));
    xml.writeNamespace(kRingside, QStringLiteral("ringside"));
    xml.writeStartElement(QStringLiteral("adobe:ns:meta/"), QStringLiteral("xmpmeta"));
    xml.writeStartElement(kRdf, QStringLiteral("RDF"));
    xml.writeStartElement(kRdf, QStringLiteral("Description"));
    xml.writeAttribute(kRdf, QStringLiteral("about"), QString());
    writeAlternative(xml, QStringLiteral("title"), titleOf(spec));
    writeAlternative(xml, QStringLiteral("description"), QString::fromStdString(spec.alternative));
    xml.writeTextElement(kXmp, QStringLiteral("CreatorTool"), programOf(spec.provenance));
    if (!spec.provenance.made.empty())
        xml.writeTextElement(kXmp, QStringLiteral("CreateDate"), QString::fromStdString(spec.provenance.made));
    writeProvenance(xml, spec);
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeEndElement();
    packet += "\n<?xpacket end=\"w\"?>\n";
    return packet;
}

QByteArray specBytes(const data::FigureSpec& spec) { return QByteArray::fromStdString(data::writeFigure(spec)); }

}  // namespace ui
