#include "ui/drawing/mark_layout.h"

#include "ui/drawing/figure_text.h"
#include "ui/look/palette.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ui {
namespace {

using Span = data::TimelineMark::Span;

/// A span on the page, or several spans merged into one.
struct Block {
    double left = 0, right = 0;
    std::size_t meaning = 0;
    const Span* span = nullptr;  ///< null if it is several spans
};

/// Maps meanings to numbers, so that millions of spans are compared quickly.
class Meanings {
public:
    std::size_t of(const std::string& meaning) {
        if (m_last < m_names.size() && m_names[m_last] == meaning)
            return m_last;
        m_last = static_cast<std::size_t>(std::find(m_names.begin(), m_names.end(), meaning) - m_names.begin());
        if (m_last == m_names.size())
            m_names.push_back(meaning);
        return m_last;
    }
    const std::string& name(std::size_t index) const { return m_names[index]; }

private:
    std::vector<std::string> m_names;
    std::size_t m_last = 0;
};

/// Returns the visible spans of each lane, sorted by their start.
std::vector<std::vector<Block>> lanesOf(const PanelPlan& plan, const data::TimelineMark& mark, Meanings& meanings) {
    std::vector<std::vector<Block>> lanes(mark.lanes.size());
    for (const Span& span : mark.spans) {
        if (span.lane >= lanes.size())
            continue;
        const double left = plan.xAt(span.from).value_or(plan.plot.left());
        const double right = plan.xAt(span.to).value_or(plan.plot.left());
        if (right < plan.plot.left() || left > plan.plot.right())
            continue;
        lanes[span.lane].push_back({left, right, meanings.of(span.meaning), &span});
    }
    for (std::vector<Block>& lane : lanes)
        std::stable_sort(lane.begin(), lane.end(), [](const Block& a, const Block& b) { return a.left < b.left; });
    return lanes;
}

/// Merges short blocks within one printed dot into one with the meaning that covers most of it.
class Merger {
public:
    explicit Merger(std::vector<Block>& merged) : m_merged(merged) {}

    void add(const Block& block) {
        if (block.right - block.left >= kPrintDot) {
            flush();
            append(block);
            return;
        }
        const double dot = std::floor(block.left / kPrintDot);
        if (m_any && dot != m_dot)
            flush();
        m_dot = dot;
        m_range = m_any ? Block{std::min(m_range.left, block.left), std::max(m_range.right, block.right), 0, nullptr}
                        : Block{block.left, block.right, 0, nullptr};
        m_any = true;
        m_cover[block.meaning] += block.right - block.left;
    }
    void flush() {
        if (!m_any)
            return;
        const auto most = std::max_element(m_cover.begin(), m_cover.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        m_range.meaning = most->first;
        append(m_range);
        m_cover.clear();
        m_any = false;
    }

private:
    void append(const Block& block) {
        Block* last = m_merged.empty() ? nullptr : &m_merged.back();
        const bool shortOnes = last && !last->span && !block.span;
        if (shortOnes && last->meaning == block.meaning && block.left - last->right < kPrintDot)
            last->right = std::max(last->right, block.right);
        else
            m_merged.push_back(block);
    }

    std::vector<Block>& m_merged;
    Block m_range;
    std::map<std::size_t, double> m_cover;
    double m_dot = 0;
    bool m_any = false;
};

std::vector<Block> merged(const std::vector<Block>& blocks) {
    std::vector<Block> result;
    Merger merger(result);
    for (const Block& block : blocks)
        merger.add(block);
    merger.flush();
    return result;
}

void writeText(FigureSheet& sheet, const QRectF& box, const Span& span, const MarkStyle& style) {
    const FigureMeasure& measure = sheet.measure();
    const std::optional<TextSize> fitting = sizeOfSpanText(box.height() / kLaneFilled, measure);
    const QString name = QString::fromStdString(span.text);
    if (name.isEmpty() || box.width() < measure.of(5) || !fitting)
        return;
    const TextSize size = *fitting;
    TextItem text =
        sheet.text({box.center().x(), box.center().y() + capHeightOf(size) / 2}, name, size, TextAlign::centre);
    if (text.width + measure.of(3) > box.width())
        return;
    text.colour = Palette::inkOn(style.fill.colour);
    if (style.fill.texture != Texture::plain) {
        // Letters on a texture are hard to read, so draw a plain patch below them.
        const FigureFill patch{.colour = style.fill.colour};
        const double half = text.width / 2 + measure.of(1), high = capHeightOf(size) / 2 + measure.of(0.9);
        sheet.rect(FigurePart::mark, QRectF(box.center().x() - half, box.center().y() - high, 2 * half, 2 * high),
                   patch, std::nullopt);
    }
    sheet.put(FigurePart::value, text);
}

}  // namespace

std::optional<TextSize> sizeOfSpanText(double laneHeight, const FigureMeasure& measure) {
    const double height = laneHeight * kLaneFilled;
    const TextSize size = std::min(measure.textSize, std::max(measure.smallSize(), measure.sized(height * 0.9)));
    return height < capHeightOf(size) + measure.of(1) ? std::nullopt : std::optional(size);
}

std::vector<Span> drawnSpans(const PanelPlan& plan, const data::TimelineMark& mark) {
    Meanings meanings;
    const auto lanes = lanesOf(plan, mark, meanings);
    const auto timeAt = [&](double x) {
        return valueAtShare(plan.x.place, std::clamp((x - plan.plot.left()) / plan.plot.width(), 0.0, 1.0));
    };
    std::vector<Span> spans;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        for (const Block& block : merged(lanes[lane])) {
            Span span{lane, timeAt(block.left), timeAt(block.right), meanings.name(block.meaning), {}};
            if (block.span != nullptr)
                span.text = block.span->text;
            spans.push_back(std::move(span));
        }
    }
    return spans;
}

void drawMark(FigureSheet& sheet, const PanelPlan& plan, std::size_t, const data::TimelineMark& mark) {
    Meanings meanings;
    const auto lanes = lanesOf(plan, mark, meanings);
    std::map<std::size_t, MarkStyle> styles;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const double middle = *plan.yAt(static_cast<double>(lane));
        const double half = std::abs(*plan.yAt(static_cast<double>(lane) + 0.5) - middle) * kLaneFilled;
        for (const Block& block : merged(lanes[lane])) {
            const auto style =
                styles.try_emplace(block.meaning, sheet.measure().style(meanings.name(block.meaning))).first;
            const double left = std::max(block.left, plan.plot.left()),
                         right = std::min(block.right, plan.plot.right());
            const QRectF box(left, middle - half, std::max(right - left, kPrintDot), 2 * half);
            const bool outlined = box.width() > sheet.measure().of(2);
            sheet.mean(meanings.name(block.meaning));
            sheet.rect(FigurePart::mark, box, style->second.fill,
                       outlined ? std::optional(style->second.outline) : std::nullopt);
            sheet.cover(box);
            if (block.span)
                writeText(sheet, box, *block.span, style->second);
        }
    }
}

}  // namespace ui
