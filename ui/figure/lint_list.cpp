#include "ui/figure/lint_rules.h"

#include "data/figure/figure_size.h"
#include "ui/drawing/figure_text.h"

#include <QTransform>

#include <algorithm>
#include <map>

namespace ui {
namespace {

constexpr double kSmallest = 6;  // points; IEEE, ACM and USENIX require at least this size
constexpr double kRounding = 0.01;
constexpr double kTouching = 0.4;  // points; letters rarely fill their boxes: a smaller overlap is invisible
constexpr std::size_t kNamed = 3;  // texts quoted in one finding

struct ShownText {
    const TextItem* text;
    FigurePart part;
    std::optional<std::size_t> panel;
    QRectF box;
    QPolygonF outline;  ///< shrunk by kTouching
};

QPolygonF outlineOf(const TextItem& text) {
    const double top = -capHeightOf(text.size);
    const QRectF flat(leftEndOf(text) + kTouching, top + kTouching, std::max(0.1, text.width - 2 * kTouching),
                      std::max(0.1, -top - kTouching));
    return QTransform().translate(text.at.x(), text.at.y()).rotate(text.angle).map(QPolygonF(flat));
}

std::vector<ShownText> textsOf(const DisplayList& list) {
    std::vector<ShownText> texts;
    for (const DisplayItem& item : list.items) {
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text != nullptr && !text->text.trimmed().isEmpty())
            texts.push_back({text, item.part, item.panel, text->box(), outlineOf(*text)});
    }
    return texts;
}

/// Returns the first names in quotes: "“GPU 0”, “GPU 1”, “GPU 2” and 5 more".
QString quoted(const QStringList& names) {
    QStringList shown;
    for (const QString& name : names.mid(0, static_cast<qsizetype>(kNamed)))
        shown << QStringLiteral("“%1”").arg(name);
    const QString list = shown.join(QStringLiteral(", "));
    const qsizetype more = names.size() - static_cast<qsizetype>(kNamed);
    return more > 0 ? lintText("%1 and %2 more").arg(list).arg(more) : list;
}

/// Offers to use the whole width of the page instead of a column. In FigureSize, the full width follows its column.
void offerFullWidth(const data::FigureSpec& figure, LintFinding& finding) {
    if (!data::isColumn(figure.size))
        return;
    finding.fixText = lintText("Use the full width");
    finding.fix = mending(
        [](data::FigureSpec& wider) { wider.size = static_cast<data::FigureSize>(static_cast<int>(wider.size) + 1); });
}

/// Returns a fix that applies `change` to every mark of the figure.
template <class Change>
auto changingMarks(Change change) {
    return mending([change](data::FigureSpec& changed) {
        for (data::FigurePanel& panel : changed.panels)
            std::for_each(panel.marks.begin(), panel.marks.end(), change);
    });
}

void offerWithoutValues(LintFinding& finding) {
    finding.fixText = lintText("Leave values out");
    finding.fix = changingMarks([](data::FigureMark& mark) {
        if (auto* bars = std::get_if<data::BarMark>(&mark))
            bars->valuesWritten = false;
        if (auto* heat = std::get_if<data::HeatMark>(&mark))
            heat->valuesWritten = false;
    });
}

void lintSizes(const data::FigureSpec& figure, const std::vector<ShownText>& texts,
               std::vector<LintFinding>& findings) {
    QStringList names;
    double smallest = kSmallest;
    for (const ShownText& shown : texts) {
        if (shown.text->size < kSmallest - kRounding) {
            names << shown.text->text;
            smallest = std::min(smallest, shown.text->size);
        }
    }
    if (names.isEmpty())
        return;
    LintFinding finding{LintRule::smallText, true};
    finding.text =
        lintText("%1: %2 pt, at least 6 pt is required").arg(quoted(names), QString::number(smallest, 'f', 1));
    offerFullWidth(figure, finding);
    findings.push_back(std::move(finding));
}

void lintClipped(const data::FigureSpec& figure, const LaidOutFigure& laidOut, const std::vector<ShownText>& texts,
                 std::vector<LintFinding>& findings) {
    const QRectF page = QRectF(QPointF(0, 0), laidOut.list.page).adjusted(-kTouching, -kTouching, kTouching, kTouching);
    QStringList names;
    for (const ShownText& shown : texts) {
        if (!page.contains(shown.outline.boundingRect()))
            names << shown.text->text;
    }
    if (!names.isEmpty()) {
        LintFinding finding{LintRule::clippedText, true};
        finding.text = lintText("%1: cut off at the edge of the page").arg(quoted(names));
        offerFullWidth(figure, finding);
        findings.push_back(std::move(finding));
    }
    for (const LaidOutFigure::Shortfall& shortfall : laidOut.shortfalls) {
        LintFinding finding{LintRule::clippedText, true, shortfall.panel};
        finding.text = shortfall.what;
        offerFullWidth(figure, finding);
        findings.push_back(std::move(finding));
    }
}

bool overlap(const ShownText& a, const ShownText& b) {
    return a.box.intersects(b.box) && !a.outline.intersected(b.outline).isEmpty();
}

/// Reports pairs of overlapping texts, one finding for each panel. Goes from left to right, so that distant texts are
/// never compared.
void lintOverlaps(const data::FigureSpec& figure, std::vector<ShownText> texts, std::vector<LintFinding>& findings) {
    std::sort(texts.begin(), texts.end(),
              [](const ShownText& a, const ShownText& b) { return a.box.left() < b.box.left(); });
    std::map<std::optional<std::size_t>, std::vector<std::pair<const ShownText*, const ShownText*>>> pairs;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::size_t j = i + 1; j < texts.size() && texts[j].box.left() < texts[i].box.right(); ++j) {
            if (overlap(texts[i], texts[j]))
                pairs[texts[i].panel].emplace_back(&texts[i], &texts[j]);
        }
    }
    for (const auto& [panel, found] : pairs) {
        LintFinding finding{LintRule::overlappingText, true, panel};
        finding.text =
            lintText("“%1” and “%2” overlap").arg(found.front().first->text->text, found.front().second->text->text);
        if (found.size() > 1)
            finding.text += lintText("; so do %1 more pairs").arg(found.size() - 1);
        const bool values = std::any_of(found.begin(), found.end(), [](const auto& pair) {
            return pair.first->part == FigurePart::value || pair.second->part == FigurePart::value;
        });
        if (values)
            offerWithoutValues(finding);
        else
            offerFullWidth(figure, finding);
        findings.push_back(std::move(finding));
    }
}

void lintImages(const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    for (const DisplayItem& item : laidOut.list.items) {
        if (!std::holds_alternative<ImageItem>(item.shape))
            continue;
        const auto draw = [](data::FigureMark& mark) {
            if (auto* heat = std::get_if<data::HeatMark>(&mark))
                heat->asImage = false;
        };
        findings.push_back({LintRule::rasterInVector, false, item.panel,
                            lintText("the heat map is an image; some checkers refuse images in vector figures"),
                            lintText("Draw its cells"), changingMarks(draw)});
    }
}

}  // namespace

void lintList(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    const std::vector<ShownText> texts = textsOf(laidOut.list);
    lintSizes(figure, texts, findings);
    lintClipped(figure, laidOut, texts, findings);
    lintOverlaps(figure, texts, findings);
    lintImages(laidOut, findings);
}

}  // namespace ui
