#include "ui/lessons/lesson_handout.h"

#include "data/lessons/lesson_text.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/pdf_date.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace ui {
namespace {

// All lengths in points, which are the units of the writer as well.
constexpr int kPointsInAnInch = 72;
constexpr QSizeF kPaper{595.28, 841.89};  // A4
constexpr double kMargin = 56.7, kFootRoom = 20, kGap = 9;
constexpr double kWidth = kPaper.width() - 2 * kMargin, kHeight = kPaper.height() - 2 * kMargin - kFootRoom;
constexpr double kHighestPicture = kHeight * 0.6;
constexpr double kPrintSize = 10.5, kTitleSize = 20, kFootSize = 8.5;
constexpr double kIndent = 12;  // of a question, right of its bar

QString handoutTr(const char* text) { return QCoreApplication::translate("LessonHandout", text); }

/// A block that is not broken across pages. It is painted from its own top left corner.
struct Block {
    double height = 0;
    std::function<void(QPainter&)> paint;
};

QFont printFont(double size, QFont::Weight weight = QFont::Normal) {
    QFont font(QStringLiteral("Ringside Sans"));
    font.setPointSizeF(size);
    font.setWeight(weight);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Lays texts out and puts blocks onto pages.
class HandoutPages {
public:
    explicit HandoutPages(QPdfWriter& writer) : m_writer(writer) { m_pages.emplace_back(); }

    Block text(const QString& html, double width, const QFont& font = printFont(kPrintSize)) const {
        auto document = std::make_shared<QTextDocument>();
        document->documentLayout()->setPaintDevice(&m_writer);
        document->setDocumentMargin(0);
        document->setDefaultFont(font);
        document->setUseDesignMetrics(true);
        document->setHtml(html);
        document->setTextWidth(width);
        return {document->size().height(), [document](QPainter& painter) { document->drawContents(&painter); }};
    }

    /// Returns whether all these blocks fit on one page.
    static bool fit(const std::vector<Block>& blocks, const std::vector<Block>& more) {
        return heightOf(blocks) + kGap + heightOf(more) <= kHeight;
    }

    /// Adds blocks that belong together, on one page if they fit on a page.
    void add(const std::vector<Block>& blocks) {
        const double all = heightOf(blocks);
        if (m_used > 0 && all <= kHeight && m_used + all > kHeight)
            startPage();
        for (const Block& block : blocks) {
            if (m_used > 0 && m_used + block.height > kHeight)
                startPage();
            m_pages.back().push_back({m_used, block});
            m_used += block.height + kGap;
        }
    }
    void addSpace(double height) { m_used += m_used > 0 ? height : 0; }
    void startPage() {
        m_pages.emplace_back();
        m_used = 0;
    }

    void paint(const QString& title) const {
        QPainter painter(&m_writer);
        for (std::size_t i = 0; i < m_pages.size(); ++i) {
            if (i > 0)
                m_writer.newPage();
            for (const Placed& placed : m_pages[i]) {
                painter.save();
                painter.translate(kMargin, kMargin + placed.top);
                // A text longer than a page is scaled down to fit.
                const double scale = std::min(1.0, kHeight / placed.block.height);
                painter.scale(scale, scale);
                placed.block.paint(painter);
                painter.restore();
            }
            paintFoot(painter, title, i);
        }
    }

private:
    struct Placed {
        double top = 0;
        Block block;
    };

    static double heightOf(const std::vector<Block>& blocks) {
        double all = -kGap;
        for (const Block& block : blocks)
            all += block.height + kGap;
        return all;
    }

    void paintFoot(QPainter& painter, const QString& title, std::size_t page) const {
        const QRectF foot(kMargin, kPaper.height() - kMargin, kWidth, kFootRoom);
        painter.setFont(printFont(kFootSize));
        painter.setPen(paletteOf(Theme::light).inkSoft);
        const QFontMetricsF metrics(painter.font(), &m_writer);
        const QString number = handoutTr("%1 of %2").arg(page + 1).arg(m_pages.size());
        const double room = kWidth - metrics.horizontalAdvance(number) - kIndent;
        painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(title, Qt::ElideRight, room));
        painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter, number);
    }

    QPdfWriter& m_writer;
    std::vector<std::vector<Placed>> m_pages;
    double m_used = 0;
};

Block pictureBlock(const LessonPicture& picture) {
    const double scale = std::min(kWidth / picture.size.width(), kHighestPicture / picture.size.height());
    return {picture.size.height() * scale, [picture, scale](QPainter& painter) {
                painter.translate((kWidth - picture.size.width() * scale) / 2, 0);
                painter.scale(scale, scale);
                picture.paint(painter);
            }};
}

/// Returns a block with a bar at its left.
Block barred(Block inner, const QColor& bar) {
    return {inner.height, [inner, bar](QPainter& painter) {
                painter.fillRect(QRectF(0, 0, 3, inner.height), bar);
                painter.translate(kIndent, 0);
                inner.paint(painter);
            }};
}

/// Returns a choice with a box to tick before it.
Block choiceBlock(const HandoutPages& pages, const std::string& choice) {
    constexpr double kBox = 8;
    const Block words = pages.text(text(choice).toHtmlEscaped(), kWidth - 2 * kIndent - kBox);
    return {words.height, [words](QPainter& painter) {
                painter.setPen(QPen(paletteOf(Theme::light).inkSoft, 0.7));
                painter.drawRect(QRectF(0, 3, kBox, kBox));
                painter.translate(kBox + kIndent / 2, 0);
                words.paint(painter);
            }};
}

/// Returns a line for writing a number on.
Block predictionBlock(const HandoutPages& pages, const data::LessonClaim* claim) {
    constexpr double kLine = 120, kLabel = 90;
    const QString unit = claim == nullptr ? QString() : text(data::lessonUnit(*claim));
    const Block label = pages.text(handoutTr("Your prediction:"), kLabel);
    const Block after = pages.text(unit.toHtmlEscaped(), kLabel);
    return {label.height + kGap, [label, after](QPainter& painter) {
                painter.translate(0, kGap);
                label.paint(painter);
                painter.setPen(QPen(paletteOf(Theme::light).inkSoft, 0.7));
                painter.drawLine(QPointF(kLabel, label.height), QPointF(kLabel + kLine, label.height));
                painter.translate(kLabel + kLine + kIndent / 2, 0);
                after.paint(painter);
            }};
}

QString strong(const QString& words) { return QStringLiteral("<b>%1</b>").arg(words.toHtmlEscaped()); }

class HandoutWriter {
public:
    HandoutWriter(QPdfWriter& writer, const data::Lesson& lesson,
                  const std::vector<std::optional<LessonPicture>>& pictures, bool answers)
        : m_lesson(lesson), m_pictures(pictures), m_answers(answers), m_pages(writer) {}

    void write() {
        std::vector<Block> head{
            m_pages.text(text(m_lesson.title).toHtmlEscaped(), kWidth, printFont(kTitleSize, QFont::DemiBold))};
        if (!m_lesson.summary.empty())
            head.push_back(m_pages.text(text(m_lesson.summary).toHtmlEscaped(), kWidth, printFont(kPrintSize + 1)));
        m_pages.add(head);
        for (std::size_t i = 0; i < m_lesson.steps.size(); ++i)
            addStep(i);
        if (!m_answers)
            addAnswers();
        m_pages.paint(text(m_lesson.title));
    }

private:
    const data::LessonStep& step(std::size_t i) const { return m_lesson.steps[i]; }
    QString html(const std::string& words) const { return lessonHtml(m_lesson, words, false); }
    Block heading(std::size_t i) const {
        return m_pages.text(strong(handoutTr("Step %1").arg(i + 1)), kWidth, printFont(kPrintSize + 2));
    }

    void addStep(std::size_t i) {
        m_pages.addSpace(kGap);
        std::vector<Block> blocks{heading(i), m_pages.text(html(step(i).text), kWidth)};
        if (m_pictures[i] && (m_answers || !step(i).holds))
            blocks.push_back(pictureBlock(*m_pictures[i]));
        std::vector<Block> question = step(i).question ? questionBlocks(i) : std::vector<Block>();
        if (HandoutPages::fit(blocks, question))
            std::ranges::move(std::exchange(question, {}), std::back_inserter(blocks));
        m_pages.add(blocks);
        m_pages.add(question);
        if (step(i).question && m_answers)
            m_pages.add(answerBlocks(i));
        if (const auto& attempt = step(i).attempt) {
            const bool answered = m_answers && !attempt->then.empty();
            m_pages.add({m_pages.text(strong(handoutTr("Try it.")) +
                                          html(attempt->text + (answered ? "\n\n" + attempt->then : std::string())),
                                      kWidth)});
        }
    }

    std::vector<Block> questionBlocks(std::size_t i) const {
        const data::LessonQuestion& question = *step(i).question;
        const QColor bar = paletteOf(Theme::light).accent;
        std::vector<Block> blocks{m_pages.text(html(question.text), kWidth - kIndent)};
        for (const std::string& choice : question.choices)
            blocks.push_back(choiceBlock(m_pages, choice));
        if (question.choices.empty())
            blocks.push_back(predictionBlock(m_pages, m_lesson.claim(question.claim)));
        for (Block& block : blocks)
            block = barred(std::move(block), bar);
        return blocks;
    }

    std::vector<Block> answerBlocks(std::size_t i) const {
        const data::LessonQuestion& question = *step(i).question;
        const data::LessonClaim* claim = m_lesson.claim(question.claim);
        const QString right = !question.choices.empty() ? text(question.choices[question.right])
                              : claim != nullptr        ? text(claim->text)
                                                        : QString();
        return {m_pages.text(strong(handoutTr("Answer: %1").arg(right)) + html(step(i).reveal), kWidth)};
    }

    void addAnswers() {
        const bool asks = std::ranges::any_of(m_lesson.steps, [](const auto& one) { return one.question.has_value(); });
        if (!asks)
            return;
        m_pages.startPage();
        m_pages.add({m_pages.text(handoutTr("Answers"), kWidth, printFont(kTitleSize, QFont::DemiBold))});
        for (std::size_t i = 0; i < m_lesson.steps.size(); ++i) {
            if (!step(i).question)
                continue;
            m_pages.addSpace(kGap);
            std::vector<Block> blocks{heading(i)};
            for (Block& block : answerBlocks(i))
                blocks.push_back(std::move(block));
            if (m_pictures[i] && step(i).holds)
                blocks.push_back(pictureBlock(*m_pictures[i]));
            if (step(i).attempt && !step(i).attempt->then.empty())
                blocks.push_back(m_pages.text(
                    strong(handoutTr("What you see when you try it.")) + html(step(i).attempt->then), kWidth));
            m_pages.add(blocks);
        }
    }

    const data::Lesson& m_lesson;
    const std::vector<std::optional<LessonPicture>>& m_pictures;
    bool m_answers;
    HandoutPages m_pages;
};

/// Without metadata of its own, a PDF of Qt 6.8 gets some with the time and a random identifier.
QByteArray metadataOfHandout(const QString& title) {
    return QStringLiteral("<?xpacket begin=\"\uFEFF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
                          "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
                          "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
                          "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title><rdf:Alt><rdf:li "
                          "xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>"
                          "</x:xmpmeta>\n<?xpacket end=\"w\"?>\n")
        .arg(title.toHtmlEscaped())
        .toUtf8();
}

}  // namespace

bool hasPictureOfItsOwn(const data::Lesson& lesson, std::size_t step) {
    if (step == 0)
        return true;
    const data::LessonStep &now = lesson.steps[step], &before = lesson.steps[step - 1];
    return now.draft != before.draft || now.scene != before.scene || now.compare != before.compare ||
           now.traces != before.traces || before.holds;
}

QByteArray lessonHandout(const data::Lesson& lesson, const std::vector<std::optional<LessonPicture>>& pictures,
                         bool answers, const QString& made) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(text(lesson.title));
        writer.setCreator(QStringLiteral("Ringside " RINGSIDE_VERSION));
        writer.setDocumentXmpMetadata(metadataOfHandout(text(lesson.title)));
        writer.setResolution(kPointsInAnInch);
        writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF()));
        HandoutWriter(writer, lesson, pictures, answers).write();
    }
    return withCreationDate(std::move(bytes), made);
}

}  // namespace ui
