#include "tests/ui/sample_figure.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_document.h"
#include "ui/drawing/figure_text.h"

#include <QFile>
#include <QHash>
#include <QRawFont>
#include <QSvgRenderer>
#include <QXmlStreamReader>

using namespace ui;

namespace {

/// An element with its attributes and its text.
struct Element {
    QString name, text;
    QHash<QString, QString> attributes;
    QStringList clips;  // clips of the elements around it
};

QList<Element> elementsOf(const QByteArray& svg, QString* error = nullptr) {
    QList<Element> elements;
    QList<qsizetype> open;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement()) {
            Element element{
                xml.name().toString(), {}, {}, open.isEmpty() ? QStringList() : elements[open.last()].clips};
            for (const auto& attribute : xml.attributes())
                element.attributes[attribute.name().toString()] = attribute.value().toString();
            if (element.attributes.contains("clip-path"))
                element.clips << element.attributes["clip-path"];
            open << elements.size();
            elements << element;
        } else if (xml.isEndElement()) {
            open.removeLast();
        } else if (xml.isCharacters() && !open.isEmpty()) {
            elements[open.last()].text += xml.text();
        }
    }
    if (error != nullptr)
        *error = xml.errorString();
    return elements;
}

QList<Element> named(const QList<Element>& elements, const QString& name) {
    QList<Element> found;
    std::copy_if(elements.begin(), elements.end(), std::back_inserter(found),
                 [&](const Element& element) { return element.name == name; });
    return found;
}

}  // namespace

class TestSvgWriter : public QObject {
    Q_OBJECT

    QByteArray m_svg;
    QList<Element> m_elements;

private Q_SLOTS:
    void initTestCase() {
        m_svg = svgOf(tests::sampleFigure());
        QString error;
        m_elements = elementsOf(m_svg, &error);
        QCOMPARE(error, QString());
    }

    void itsSizeIsPhysicalAndItsUnitAPoint() {
        const Element& root = m_elements[0];
        QCOMPARE(root.attributes["width"], "240pt");
        QCOMPARE(root.attributes["height"], "120pt");
        QCOMPARE(root.attributes["viewBox"], "0 0 240 120");
    }

    void titleAndAlternativeTextSurviveTheirMarkup() {
        QCOMPARE(named(m_elements, "title").value(0).text, QStringLiteral("Sub-layers & policies <µs>"));
        QCOMPARE(named(m_elements, "desc").value(0).text, "Two bars; the left one is \"longer\" & hatched.");
    }

    void theDocumentInsideIsTheFigure() {
        const std::string document = named(m_elements, "spec").value(0).text.toStdString();
        QCOMPARE(QString::fromStdString(document),
                 QString::fromStdString(data::writeFigure(tests::sampleFigure().spec)));
    }

    void everythingStandsInTheClipOfThePageAndWhatHasItsOwnInThatToo() {
        for (const char* shape : {"path", "text", "ellipse", "image"}) {
            for (const Element& element : named(m_elements, shape))
                QCOMPARE(element.clips.value(0), "url(#figure-sample-clip-0)");
        }
        int clipped = 0;
        for (const Element& element : named(m_elements, "path")) {
            if (element.clips.size() > 1) {
                QCOMPARE(element.clips[1], "url(#figure-sample-clip-1)");
                ++clipped;
            }
        }
        QCOMPARE(clipped, 1);  // the dashed line
    }

    void everyClipThatIsNamedIsThere() {
        QStringList names;
        for (const Element& element : named(m_elements, "clipPath"))
            names << "url(#" + element.attributes["id"] + ")";
        QCOMPARE(names.size(), 2);
        for (const Element& element : m_elements) {
            if (element.attributes.contains("clip-path"))
                QVERIFY(names.contains(element.attributes["clip-path"]));
        }
    }

    void texturesAreLinesNotPatterns() {
        QVERIFY(named(m_elements, "pattern").isEmpty());
        QVERIFY(!m_svg.contains("url(#pattern"));
    }

    void textIsTextInItsPlaceWithTheRoomItWasMeasured() {
        QStringList words;
        for (const Element& element : named(m_elements, "text")) {
            words << element.text;
            QVERIFY(element.attributes["textLength"].toDouble() > 0);
        }
        QVERIFY(words.contains(QStringLiteral("Run & time <µs> 100 % of $x_1^2 {a} #3 ~ \\ \"q\"")));
        const Element upwards = named(m_elements, "text")[1];
        QCOMPARE(upwards.attributes["transform"], "rotate(-90 8 110)");
    }

    void theFontInsideHasTheUsedLettersAndNoOthers() {
        const QString style = named(m_elements, "style").value(0).text;
        const qsizetype begin = style.indexOf("base64,") + 7;
        const QByteArray bytes = QByteArray::fromBase64(style.mid(begin, style.indexOf(')', begin) - begin).toLatin1());
        const QRawFont font(bytes, 10);
        QVERIFY(font.isValid());
        for (const QChar letter : QStringLiteral("Runtimeµ×–"))
            QVERIFY2(font.supportsCharacter(letter), qPrintable(QString(letter)));
        QVERIFY(!font.supportsCharacter(QLatin1Char('Z')));
        QFile whole(":/fonts/RingsideSans-Regular.otf");
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QVERIFY(bytes.size() < whole.size() / 4);
    }

    void aStrongWordHasAFontOfItsOwnAndNoStyleTakesItsWeightAway() {
        const QString style = named(m_elements, "style").value(0).text;
        QVERIFY(style.contains("font-weight: 600; src: url(data:font/otf;base64,"));
        QVERIFY(!style.mid(style.indexOf("text {")).contains("font-weight"));  // a style has priority over an attribute
        for (const Element& element : named(m_elements, "text"))
            QCOMPARE(element.attributes.value("font-weight", "400"), element.text == "strong" ? "600" : "400");
    }

    void whatIsNoFontHasNoSubset() {
        QVERIFY(fontSubset("this is no font", "abc").isEmpty());
        QVERIFY(fontSubset({}, "abc").isEmpty());
    }

    void lettersThatXmlCannotHoldDoNotBreakIt() {
        ReadyFigure figure = tests::sampleFigure();
        figure.spec.alternative = "bell \x07 and nothing";
        figure.laidOut.list.items.push_back(
            {tests::text({1, 1}, QStringLiteral("a\u0001b\uFFFFc")), FigurePart::value, {}, {}, {}, {}});
        QString error;
        elementsOf(svgOf(figure), &error);
        QCOMPARE(error, QString());
    }

    void anotherReaderDrawsItWithInkWhereTheListHasIt() {
        QSvgRenderer renderer(m_svg);
        QVERIFY(renderer.isValid());
        QImage image(960, 480, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        renderer.render(&painter);
        QCOMPARE(image.pixelColor(80, 80), QColor(230, 159, 0));  // the first square, plain
        QCOMPARE(image.pixelColor(4, 4), QColor(Qt::white));
    }
};

RINGSIDE_WINDOW_TEST(TestSvgWriter)
#include "tst_svg_writer.moc"
