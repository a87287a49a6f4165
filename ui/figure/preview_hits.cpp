#include "ui/figure/preview_hits.h"

#include "data/document/value_places.h"
#include "data/figure/figure_edits.h"
#include "data/figure/figure_parts.h"
#include "ui/drawing/panel_plan.h"
#include "ui/look/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double kAround = 2;  // points around a text that count as the text
constexpr int kDigits = 4;     // of a position

QString tr(const char* text) { return QCoreApplication::translate("PreviewHits", text); }

/// Returns the text item at a point, the last one drawn if there are several.
const DisplayItem* itemAt(const ReadyFigure& figure, const QPointF& page) {
    const DisplayItem* found = nullptr;
    for (const DisplayItem& item : figure.laidOut.list.items) {
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text != nullptr && text->box().adjusted(-kAround, -kAround, kAround, kAround).contains(page))
            found = &item;
    }
    return found;
}

std::string numbered(std::size_t index) { return std::to_string(index + 1); }

QString ticksText(const std::vector<double>& ticks) {
    QStringList words;
    for (const double tick : ticks)
        words << QLocale::c().toString(data::roundedTo(tick, 12), 'g', QLocale::FloatingPointShortest);
    return words.join(QStringLiteral(", "));
}

/// Finds what the text of one item is, and how an edit names it.
class Finder {
public:
    Finder(const ReadyFigure& figure, const DisplayItem& item, const QPointF& page)
        : m_figure(figure), m_item(item), m_text(std::get<TextItem>(item.shape)), m_page(page) {}

    std::optional<EditableText> find() const {
        if (m_item.part == FigurePart::legend)
            return ofLegend();
        if (!m_item.panel || *m_item.panel >= m_figure.spec.panels.size())
            return {};
        if (m_item.part == FigurePart::category)
            return ofName();
        if (m_item.part == FigurePart::title)
            return ofTitle();
        if (m_item.part == FigurePart::axis)
            return ofTicks();
        if (m_item.part == FigurePart::reference)
            return ofReference();
        if (m_item.part == FigurePart::annotation)
            return ofNote();
        return {};
    }

private:
    const data::FigurePanel& panel() const { return m_figure.spec.panels[*m_item.panel]; }
    const PanelPlace& place() const { return m_figure.laidOut.panels[*m_item.panel]; }

    EditableText made(std::vector<std::string> path, const std::string& text, const QString& what) const {
        return {std::move(path), QString::fromStdString(text), what, m_text.box()};
    }
    EditableText inPanel(std::vector<std::string> path, const std::string& text, const QString& what) const {
        path.insert(path.begin(), {"panel", numbered(*m_item.panel)});
        return made(std::move(path), text, what);
    }

    /// Returns whether the text is a name or one line of it.
    bool isOf(const std::string& name) const {
        const QString whole = QString::fromStdString(name);
        return whole == m_text.text || (m_text.text.size() > 1 && whole.contains(m_text.text));
    }

    std::optional<EditableText> ofPart(data::FigurePartKind kind, std::optional<std::size_t> panel) const {
        for (const bool exact : {true, false}) {
            for (const data::FigurePart& part : data::partsOf(m_figure.spec, kind, panel)) {
                if (exact ? QString::fromStdString(part.name) == m_text.text : isOf(part.name))
                    return made({std::string(data::kPartWords[static_cast<std::size_t>(kind)]), part.name, "name"},
                                part.name, tr("name of %1").arg(QString::fromStdString(part.name)));
            }
        }
        return {};
    }

    /// Finds what an entry of the legend renames: a series, or what several series have in common.
    std::optional<EditableText> ofLegend() const {
        const auto series = data::partsOf(m_figure.spec, data::FigurePartKind::series);
        const bool whole = std::ranges::any_of(
            series, [&](const auto& part) { return QString::fromStdString(part.name) == m_text.text; });
        EditableText common = made({}, m_text.text.toStdString(), tr("names with %1").arg(m_text.text));
        for (const data::FigurePart& part : series) {
            if (const auto name = commonIn(QString::fromStdString(part.name)); name && !whole) {
                common.parts.push_back(*name);
                const QString all = QString::fromStdString(part.name);
                common.text = all.mid(name->before.size(), all.size() - name->before.size() - name->after.size());
            }
        }
        return common.parts.empty() ? ofPart(data::FigurePartKind::series, std::nullopt) : common;
    }

    /// Returns the place of the text in a name of the form "T3, TP degree = 8"; the heading of values is "TP degree:".
    std::optional<NamePart> commonIn(const QString& name) const {
        static const QRegularExpression kName(QStringLiteral("^(?:(.*?), )?(.+?) = (.+)$"));
        const QRegularExpressionMatch match = kName.match(name);
        for (int group = 1; group <= 3 && match.hasMatch(); ++group) {
            const QString wanted = match.captured(group) + (group == 2 ? QStringLiteral(":") : QString());
            if (match.capturedLength(group) > 0 && wanted == m_text.text)
                return NamePart{{"series", name.toStdString(), "name"},
                                name.left(match.capturedStart(group)),
                                name.mid(match.capturedEnd(group))};
        }
        return {};
    }

    std::optional<EditableText> ofName() const {
        using enum data::FigurePartKind;
        for (const data::FigurePartKind kind : {category, group, bar, row, lane}) {
            if (auto found = ofPart(kind, *m_item.panel))
                return found;
        }
        return {};
    }

    std::optional<EditableText> ofTitle() const {
        if (m_text.angle != 0)
            return inPanel({"y", "title"}, panel().y.title, tr("title of the y axis"));
        if (m_text.at.y() > place().plot.bottom())
            return inPanel({"x", "title"}, panel().x.title, tr("title of the x axis"));
        return inPanel({"title"}, panel().title, tr("title of the panel"));
    }

    std::optional<EditableText> ofTicks() const {
        const bool alongY = m_text.at.x() < place().plot.left() && m_text.at.y() < place().plot.bottom() + kAround;
        const AxisPlace& axis = alongY ? place().y : place().x;
        if (axis.ticks.empty())
            return {};
        EditableText found =
            inPanel({alongY ? "y" : "x", "ticks"}, {}, alongY ? tr("ticks of the y axis") : tr("ticks of the x axis"));
        found.text = ticksText(axis.ticks);
        return found;
    }

    std::optional<EditableText> ofReference() const {
        for (std::size_t i = 0; i < panel().references.size(); ++i) {
            if (isOf(panel().references[i].text))
                return inPanel({"reference", numbered(i), "text"}, panel().references[i].text,
                               tr("text of a reference value"));
        }
        return {};
    }

    std::optional<EditableText> ofNote() const {
        const auto note = noteAt(m_figure, m_page);
        if (!note)
            return {};
        return inPanel({"note", numbered(note->note), "text"}, panel().annotations[note->note].text,
                       tr("text of a note"));
    }

    const ReadyFigure& m_figure;
    const DisplayItem& m_item;
    const TextItem& m_text;
    QPointF m_page;
};

/// Returns the position in categories of a place along x; between two categories it is between their numbers.
double categoryAt(const std::vector<double>& centres, double x) {
    const auto above = std::ranges::upper_bound(centres, x);
    if (above == centres.begin() || above == centres.end()) {
        const bool first = above == centres.begin();
        const double end = first ? centres.front() : centres.back();
        return (first ? 0 : static_cast<double>(centres.size()) - 1) + x - end;
    }
    const double from = *(above - 1);
    return static_cast<double>(above - centres.begin()) - 1 + (x - from) / (*above - from);
}

}  // namespace

std::vector<std::string> editsOf(const EditableText& text, const QString& value) {
    if (text.parts.empty())
        return {data::editText({text.path, value.toStdString()})};
    std::vector<std::string> edits;
    for (const NamePart& part : text.parts)
        edits.push_back(data::editText({part.path, (part.before + value + part.after).toStdString()}));
    return edits;
}

std::optional<EditableText> editableAt(const ReadyFigure& figure, const QPointF& page) {
    const DisplayItem* item = itemAt(figure, page);
    return item != nullptr ? Finder(figure, *item, page).find() : std::nullopt;
}

std::optional<EditableText> editableNote(const ReadyFigure& figure, std::size_t panel, std::size_t note) {
    for (const DisplayItem& item : figure.laidOut.list.items) {
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text == nullptr || item.part != FigurePart::annotation)
            continue;
        const auto found = noteAt(figure, text->box().center());
        if (found && found->panel == panel && found->note == note)
            return editableAt(figure, text->box().center());
    }
    return {};
}

std::optional<PanelPoint> panelPointAt(const ReadyFigure& figure, const QPointF& page) {
    for (std::size_t i = 0; i < std::min(figure.spec.panels.size(), figure.laidOut.panels.size()); ++i) {
        const PanelPlace& place = figure.laidOut.panels[i];
        const PanelKind kind = kindOf(figure.spec.panels[i]);
        if (!place.plot.contains(page) || kind == PanelKind::drawing)
            continue;
        const double x = valueAtShare(place.x, (page.x() - place.plot.left()) / place.plot.width());
        const double y = valueAtShare(place.y, (place.plot.bottom() - page.y()) / place.plot.height());
        return PanelPoint{i, data::roundedTo(place.centres.empty() ? x : categoryAt(place.centres, x), kDigits),
                          data::roundedTo(y, kDigits)};
    }
    return {};
}

std::optional<NotePlace> noteAt(const ReadyFigure& figure, const QPointF& page) {
    std::optional<NotePlace> found;
    std::vector<std::vector<std::size_t>> met(figure.spec.panels.size());
    for (const DisplayItem& item : figure.laidOut.list.items) {
        const auto* text = std::get_if<TextItem>(&item.shape);
        if (text == nullptr || item.part != FigurePart::annotation || !item.panel || *item.panel >= met.size())
            continue;
        // Notes are written in their order, and one without a place is left out.
        const std::vector<data::FigureAnnotation>& notes = figure.spec.panels[*item.panel].annotations;
        for (std::size_t i = 0; i < notes.size(); ++i) {
            if (QString::fromStdString(notes[i].text) != text->text ||
                std::ranges::find(met[*item.panel], i) != met[*item.panel].end())
                continue;
            met[*item.panel].push_back(i);
            if (text->box().adjusted(-kAround, -kAround, kAround, kAround).contains(page))
                found = NotePlace{*item.panel, i};
            break;
        }
    }
    return found;
}

}  // namespace ui
