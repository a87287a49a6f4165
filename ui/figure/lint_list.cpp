#include "ui/figure/lint_rules.h"

#include "data/figure/figure_size.h"
#include "ui/drawing/figure_text.h"

#include <QTransform>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace ui {
namespace {

constexpr double kSmallest = 6;  // points; IEEE, ACM and USENIX require at least this size
constexpr double kRounding = 0.01;
constexpr double kTouching = 0.4;        // points; letters rarely fill their boxes: a smaller overlap is invisible
constexpr double kHighest = 640;         // points of a page of text
constexpr double kSlideShare = 2.0 / 3;  // of a slide's usual text
constexpr std::size_t kNamed = 3;        // texts quoted in one finding

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

using Change = std::function<void(data::FigureSpec&)>;

/// Returns a change of every mark of the figure.
template <class Of>
Change changingMarks(Of change) {
    return [change](data::FigureSpec& changed) {
        for (data::FigurePanel& panel : changed.panels)
            std::for_each(panel.marks.begin(), panel.marks.end(), change);
    };
}

void leaveValuesOut(data::FigureMark& mark) {
    if (auto* bars = std::get_if<data::BarMark>(&mark))
        bars->valuesWritten = false;
    if (auto* heat = std::get_if<data::HeatMark>(&mark))
        heat->valuesWritten = false;
}

/// Leaves the ticks of all axes to the layout, which chooses as many as have room.
void useOwnTicks(data::FigureSpec& figure) {
    for (data::FigurePanel& panel : figure.panels) {
        panel.x.ticks.clear();
        panel.y.ticks.clear();
    }
}

/// Uses the whole width of the page instead of a column. In FigureSize, the full width follows its column.
void useFullWidth(data::FigureSpec& figure) {
    if (data::isColumn(figure.size))
        figure.size = static_cast<data::FigureSize>(static_cast<int>(figure.size) + 1);
}

struct OfferedChange {
    const char* title;
    Change change;
};

/// Returns the changes that can make room, the smallest first: the size of the figure changes last.
std::vector<OfferedChange> changesForRoom() {
    return {{"Leave values out", changingMarks(leaveValuesOut)},
            {"Leave the ticks to the layout", useOwnTicks},
            {"One panel in a row", [](data::FigureSpec& figure) { figure.columns = 1; }},
            {"Put the legend above", [](data::FigureSpec& figure) { figure.legend = data::FigureLegend::top; }},
            {"Leave the height to the layout", [](data::FigureSpec& figure) { figure.height.reset(); }},
            {"Use the full width", useFullWidth}};
}

void lintSizes(const std::vector<ShownText>& texts, std::vector<LintFinding>& findings) {
    QStringList names;
    double smallest = kSmallest;
    for (const ShownText& shown : texts) {
        if (shown.text->size < kSmallest - kRounding) {
            names << shown.text->text;
            smallest = std::min<double>(smallest, shown.text->size);
        }
    }
    if (names.isEmpty())
        return;
    LintFinding finding{LintRule::smallText, true};
    finding.text =
        lintText("%1: %2 pt, at least 6 pt is required").arg(quoted(names), QString::number(smallest, 'f', 1));
    findings.push_back(std::move(finding));
}

void lintClipped(const LaidOutFigure& laidOut, const std::vector<ShownText>& texts,
                 std::vector<LintFinding>& findings) {
    const QRectF page = QRectF(QPointF(0, 0), laidOut.list.page).adjusted(-kTouching, -kTouching, kTouching, kTouching);
    QStringList names;
    for (const ShownText& shown : texts) {
        if (!page.contains(shown.outline.boundingRect()))
            names << shown.text->text;
    }
    if (!names.isEmpty()) {
        findings.push_back({LintRule::clippedText, false, std::nullopt,
                            lintText("%1: cut off at the edge of the page").arg(quoted(names))});
    }
    for (const LaidOutFigure::Shortfall& shortfall : laidOut.shortfalls)
        findings.push_back({LintRule::clippedText, false, shortfall.panel, shortfall.what});
}

bool overlap(const ShownText& a, const ShownText& b) {
    return a.box.intersects(b.box) && !a.outline.intersected(b.outline).isEmpty();
}

/// Reports pairs of overlapping texts, one finding for each panel. Goes from left to right, so that distant texts are
/// never compared.
void lintOverlaps(std::vector<ShownText> texts, std::vector<LintFinding>& findings) {
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
        LintFinding finding{LintRule::overlappingText, false, panel};
        finding.text =
            lintText("“%1” and “%2” overlap").arg(found.front().first->text->text, found.front().second->text->text);
        if (found.size() > 1)
            finding.text += lintText("; so do %1 more pairs").arg(found.size() - 1);
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
                            lintText("the heat map is an image, which blurs when it is enlarged"),
                            lintText("Draw its cells"), mending(changingMarks(draw))});
    }
}

/// Reports a figure that is higher than a page of text has room for beside its caption.
void lintHeight(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    const double height = laidOut.list.page.height();
    if (figure.size == data::FigureSize::slide || height <= kHighest + kRounding)
        return;
    findings.push_back({LintRule::tallFigure, false, std::nullopt,
                        lintText("the figure is %1 pt high; a page has room for %2 pt beside the caption")
                            .arg(std::ceil(height))
                            .arg(kHighest)});
}

/// Reports texts of a slide that the last row of a room cannot read.
void lintSlideTexts(const data::FigureSpec& figure, const std::vector<ShownText>& texts,
                    std::vector<LintFinding>& findings) {
    if (figure.size != data::FigureSize::slide)
        return;
    const double least = data::presetOf(figure.size).textSize * kSlideShare;
    QStringList names;
    double smallest = least;
    for (const ShownText& shown : texts) {
        if (shown.text->size >= least - kRounding)
            continue;
        names << shown.text->text;
        smallest = std::min<double>(smallest, shown.text->size);
    }
    if (!names.isEmpty())
        findings.push_back({LintRule::smallOnSlide, false, std::nullopt,
                            lintText("%1: %2 pt, a slide needs at least %3 pt")
                                .arg(quoted(names), QString::number(smallest, 'f', 1), QString::number(least))});
}

/// Returns the findings that follow from how much room there is.
std::vector<LintFinding> roomFindings(const data::FigureSpec& figure, const LaidOutFigure& laidOut) {
    const std::vector<ShownText> texts = textsOf(laidOut.list);
    std::vector<LintFinding> findings;
    lintSizes(texts, findings);
    lintClipped(laidOut, texts, findings);
    lintOverlaps(texts, findings);
    lintHeight(figure, laidOut, findings);
    lintSlideTexts(figure, texts, findings);
    return findings;
}

/// Offers changes that make room; each is laid out at most once.
class RoomMaker {
public:
    RoomMaker(const data::FigureSpec& figure, std::size_t findings, bool tall) : m_figure(figure), m_before(findings) {
        std::vector<OfferedChange> changes = changesForRoom();
        if (tall)
            changes.insert(changes.end() - 1,
                           {"Limit the height", [](data::FigureSpec& low) { low.height = kHighest; }});
        for (OfferedChange& change : changes)
            m_tries.push_back({std::move(change), {}});
    }

    /// Offers the smallest change that removes the finding and brings no new one.
    void offer(LintFinding& finding) {
        const auto isSame = [&](const LintFinding& other) {
            return other.rule == finding.rule && other.panel == finding.panel &&
                   (finding.rule != LintRule::clippedText || other.text == finding.text);
        };
        for (Try& one : m_tries) {
            const std::vector<LintFinding>& after = findingsAfter(one);
            if (after.size() >= m_before || std::any_of(after.begin(), after.end(), isSame))
                continue;
            finding.fixText = lintText(one.offered.title);
            finding.fix = mending(one.offered.change);
            return;
        }
    }

private:
    struct Try {
        OfferedChange offered;
        std::optional<std::vector<LintFinding>> after;
    };

    const std::vector<LintFinding>& findingsAfter(Try& one) const {
        if (!one.after) {
            data::FigureSpec changed = m_figure;
            one.offered.change(changed);
            one.after =
                changed == m_figure ? std::vector<LintFinding>(m_before) : roomFindings(changed, layOut(changed));
        }
        return *one.after;
    }

    const data::FigureSpec& m_figure;
    std::size_t m_before = 0;
    std::vector<Try> m_tries;
};

}  // namespace

void lintList(const data::FigureSpec& figure, const LaidOutFigure& laidOut, std::vector<LintFinding>& findings) {
    const std::vector<LintFinding> found = roomFindings(figure, laidOut);
    const bool tall =
        std::ranges::any_of(found, [](const LintFinding& one) { return one.rule == LintRule::tallFigure; });
    RoomMaker maker(figure, found.size(), tall);
    for (LintFinding finding : found) {
        maker.offer(finding);
        findings.push_back(std::move(finding));
    }
    lintImages(laidOut, findings);
}

}  // namespace ui
