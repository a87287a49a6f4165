#include "ui/figure/parts_editor.h"

#include "data/figure/figure_edits.h"
#include "data/figure/figure_meaning.h"
#include "data/figure/figure_parts.h"
#include "ui/drawing/figure_style.h"
#include "ui/look/format.h"
#include "ui/look/widget_parts.h"

#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace ui {
namespace {

constexpr int kPart = Qt::UserRole;  // index of the part of an item
constexpr int kLines = 11;           // of the list
constexpr int kColours = 8;

constexpr const char* kAutomatic = "automatic";

QPixmap swatch(const std::string& meaning, int side) {
    QPixmap pixmap(side, side);
    pixmap.fill(styleOf(meaning, data::FigureTheme::paper).fill.colour);
    return pixmap;
}

QString titled(const QString& word) { return word.left(1).toUpper() + word.mid(1); }

std::string numbered(std::size_t index) { return std::to_string(index + 1); }

/// Returns the title of a panel, or what names it where it has none.
std::string labelOf(const data::FigurePanel& panel, std::size_t index) {
    const std::string& title = panel.title.empty() ? panel.y.title : panel.title;
    return title.empty() ? PartsEditor::tr("Panel %1").arg(index + 1).toStdString() : title;
}

}  // namespace

PartsEditor::PartsEditor(QWidget* parent)
    : QWidget(parent), m_tree(new QTreeWidget(this)), m_up(new QPushButton(tr("Up"), this)),
      m_down(new QPushButton(tr("Down"), this)) {
    setNames(*m_tree, QStringLiteral("figureParts"),
             tr("Parts of the figure: clear the box to leave a part out, F2 to rename it"));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked |
                            QAbstractItemView::SelectedClicked);
    m_tree->setFixedHeight(fontMetrics().height() * kLines * 5 / 4);
    setNames(*m_up, QStringLiteral("figurePartUp"), tr("Move the part up"));
    setNames(*m_down, QStringLiteral("figurePartDown"), tr("Move the part down"));
    auto* row = new QHBoxLayout;
    for (QPushButton* button : {m_up, m_down}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    auto* column = flushLayout<QVBoxLayout>(this);
    column->addWidget(m_tree);
    column->addLayout(row);
    column->addWidget(buildLooks());
    column->addWidget(buildNotes());
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_tree, &QTreeWidget::itemChanged, this, &PartsEditor::itemChanged);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, &PartsEditor::showLooks);
}

QWidget* PartsEditor::buildLooks() {
    m_looks = new QWidget(this);
    auto* form = flushLayout<QFormLayout>(m_looks);
    const auto chooser = [&](const QString& label, const QString& name, const char* key) {
        auto* box = new QComboBox(m_looks);
        setNames(*box, name, label);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        form->addRow(label, box);
        connect(box, &QComboBox::activated, this,
                [this, key, box](int index) { changeLook(key, box->itemData(index).toString()); });
        return box;
    };
    m_colour = chooser(tr("Colour"), QStringLiteral("figurePartColour"), "colour");
    m_marker = chooser(tr("Marker"), QStringLiteral("figurePartMarker"), "marker");
    m_line = chooser(tr("Line"), QStringLiteral("figurePartLine"), "line");
    m_hatch = chooser(tr("Hatch"), QStringLiteral("figurePartHatch"), "hatch");
    const std::array names{tr("Blue"), tr("Orange"),     tr("Green"), tr("Pink"),
                           tr("Sky"),  tr("Vermillion"), tr("Black"), tr("Yellow")};
    m_colour->addItem(tr("Its own"), QString());
    for (int i = 0; i < kColours; ++i) {
        const std::string meaning = "series/" + std::to_string(i);
        m_colour->addItem(swatch(meaning, fontMetrics().height()), names.at(static_cast<std::size_t>(i)),
                          QString::fromStdString(meaning));
    }
    const std::array looks{m_marker, m_line, m_hatch};
    for (std::size_t i = 0; i < looks.size(); ++i) {
        looks[i]->addItem(tr("Its own"), QString::fromLatin1(kAutomatic));
        for (const std::string_view word : data::ownLooks()[i].words)
            looks[i]->addItem(titled(text(word)), text(word));
    }
    return m_looks;
}

QWidget* PartsEditor::buildNotes() {
    auto* notes = new QWidget(this);
    auto* grid = flushLayout<QGridLayout>(notes);  // of two columns, because a narrow window has no room for four
    using enum data::FigureAnnotation::Kind;
    const std::array kinds{std::pair{data::FigureAnnotation::Kind::text, tr("Add Text")}, std::pair{arrow, tr("Arrow")},
                           std::pair{line, tr("Line")}, std::pair{span, tr("Span")}};
    for (const auto& [kind, title] : kinds) {
        auto* button = new QPushButton(title, notes);
        button->setObjectName(QStringLiteral("figureNote%1").arg(static_cast<int>(kind)));
        button->setAutoDefault(false);
        button->setToolTip(kind == data::FigureAnnotation::Kind::text
                               ? tr("Then click in a panel of the preview")
                               : tr("Then press in a panel of the preview, and drag to where it ends"));
        connect(button, &QPushButton::clicked, this, [this, kind = kind] { Q_EMIT noteRequested(kind); });
        grid->addWidget(button, grid->count() / 2, grid->count() % 2);
    }
    return notes;
}

void PartsEditor::showFigure(const data::FigureSpec* figure, const data::FigureSpec* base) {
    m_figure = figure != nullptr ? std::optional(*figure) : std::nullopt;
    m_knowsBase = base != nullptr;
    fill();
}

// Returns the parts of a kind that edits hide. They can be shown again only if the figure without edits is known.
std::vector<PartsEditor::Part> PartsEditor::hiddenParts(const std::string& kind) const {
    std::vector<Part> parts;
    for (const std::string& edit : m_figure->edits) {
        const auto read = data::readEdit(edit);
        if (!m_knowsBase || !read || read->path.back() != "hidden" || read->path.size() < 3)
            continue;
        if (read->path[read->path.size() - 3] == kind)
            parts.push_back({{}, read->path[read->path.size() - 2], {}, edit, "name"});
    }
    return parts;
}

void PartsEditor::addKind(const QString& title, std::vector<Part> parts) {
    if (parts.empty())
        return;
    auto* top = new QTreeWidgetItem(m_tree, {title});
    top->setFlags(Qt::ItemIsEnabled);
    for (Part& part : parts) {
        const QString name = QString::fromStdString(part.name);
        auto* item = new QTreeWidgetItem(top, {name});
        const bool shown = part.hiddenBy.empty();
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                       (shown ? Qt::ItemIsEditable : Qt::NoItemFlags));
        item->setCheckState(0, shown ? Qt::Checked : Qt::Unchecked);
        item->setData(0, kPart, static_cast<int>(m_parts.size()));
        if (!part.meaning.empty())
            item->setIcon(0, swatch(part.meaning, fontMetrics().height()));
        m_parts.push_back(std::move(part));
    }
    top->setExpanded(true);
}

void PartsEditor::fill() {
    const Part* before = current();
    const std::vector<std::string> path = before != nullptr ? before->path : std::vector<std::string>{};
    const std::string name = before != nullptr ? before->name : std::string();
    m_filling = true;
    m_tree->clear();
    m_parts.clear();
    setEnabled(m_figure.has_value());
    if (m_figure) {
        std::vector<Part> panels;
        for (std::size_t i = 0; i < m_figure->panels.size() && m_figure->panels.size() > 1; ++i)
            panels.push_back({{"panel", numbered(i)}, labelOf(m_figure->panels[i], i), {}, {}, "title", i + 1, true});
        for (Part& hidden : hiddenParts("panel")) {
            hidden.name = tr("Panel %1").arg(QString::fromStdString(hidden.name)).toStdString();
            panels.push_back(std::move(hidden));
        }
        addKind(tr("Panels"), std::move(panels));
        const std::array titles{tr("Series"), tr("Names of bars"), tr("Categories"),
                                tr("Groups"), tr("Rows"),          tr("Lanes")};
        for (std::size_t kind = 0; kind < titles.size(); ++kind) {
            const auto part = static_cast<data::FigurePartKind>(kind);
            const std::string word(data::kPartWords[kind]);
            std::vector<Part> parts;
            for (const data::FigurePart& one : data::partsOf(*m_figure, part))
                parts.push_back({{word, one.name},
                                 one.name,
                                 one.meaning,
                                 {},
                                 "name",
                                 parts.size() + 1,
                                 part != data::FigurePartKind::bar && part != data::FigurePartKind::group});
            for (Part& hidden : hiddenParts(word))
                parts.push_back(std::move(hidden));
            addKind(titles[kind], std::move(parts));
        }
        std::vector<Part> references, notes;
        for (std::size_t i = 0; i < m_figure->panels.size(); ++i) {
            const data::FigurePanel& panel = m_figure->panels[i];
            for (std::size_t j = 0; j < panel.references.size(); ++j) {
                if (!panel.references[j].text.empty())
                    references.push_back(
                        {{"panel", numbered(i), "reference", numbered(j)}, panel.references[j].text, {}, {}, "text"});
            }
            for (std::size_t j = 0; j < panel.annotations.size(); ++j)
                notes.push_back(
                    {{"panel", numbered(i), "note", numbered(j)}, panel.annotations[j].text, {}, {}, "text"});
        }
        addKind(tr("Values to compare with"), std::move(references));
        addKind(tr("Notes"), std::move(notes));
    }
    m_filling = false;
    for (QTreeWidgetItemIterator item(m_tree); *item != nullptr; ++item) {
        const QVariant index = (*item)->data(0, kPart);
        if (!index.isValid())
            continue;
        const Part& part = m_parts[static_cast<std::size_t>(index.toInt())];
        if ((!name.empty() && part.name == name) || (!path.empty() && part.path == path)) {
            m_tree->setCurrentItem(*item);
            break;
        }
    }
    showLooks();
}

const PartsEditor::Part* PartsEditor::current() const {
    const QTreeWidgetItem* item = m_tree->currentItem();
    const QVariant index = item != nullptr ? item->data(0, kPart) : QVariant();
    return index.isValid() ? &m_parts[static_cast<std::size_t>(index.toInt())] : nullptr;
}

void PartsEditor::itemChanged(QTreeWidgetItem* item) {
    const QVariant index = item->data(0, kPart);
    if (m_filling || !index.isValid())
        return;
    const Part part = m_parts[static_cast<std::size_t>(index.toInt())];
    const QString name = QString::fromStdString(part.name);
    const bool shown = item->checkState(0) == Qt::Checked;
    const auto edit = [&](const char* key, const std::string& value) {
        std::vector<std::string> path = part.path;
        path.emplace_back(key);
        return data::editText({std::move(path), value});
    };
    // An edit fills the list anew, which must wait until the list is done with its item.
    const auto later = [this](auto report) { QMetaObject::invokeMethod(this, report, Qt::QueuedConnection); };
    if (shown != part.hiddenBy.empty() && shown)
        later([this, hidden = part.hiddenBy, text = tr("Show “%1”").arg(name)] { Q_EMIT shownAgain(hidden, text); });
    else if (shown != part.hiddenBy.empty())
        later([this, hide = edit("hidden", "true"), text = tr("Hide “%1”").arg(name)] { Q_EMIT edited(hide, text); });
    else if (item->text(0) != name)
        later([this, rename = edit(part.nameKey, item->text(0).toStdString()), text = tr("Rename “%1”").arg(name)] {
            Q_EMIT edited(rename, text);
        });
}

void PartsEditor::showLooks() {
    if (m_filling)
        return;
    const Part* part = current();
    m_up->setEnabled(part != nullptr && part->moves && part->place > 1);
    m_down->setEnabled(part != nullptr && part->moves);
    const bool series = part != nullptr && !part->meaning.empty();
    m_looks->setEnabled(series);
    const auto read = series ? data::readMeaning(part->meaning) : std::nullopt;
    const std::array boxes{m_marker, m_line, m_hatch};
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto& index = read ? (*read).*(data::ownLooks()[i].index) : std::nullopt;
        boxes[i]->setCurrentIndex(index ? static_cast<int>(*index) + 1 : 0);
    }
    const int colour =
        series ? m_colour->findData(QString::fromStdString(std::string(data::plainMeaning(part->meaning)))) : 0;
    m_colour->setCurrentIndex(std::max(0, colour));
}

void PartsEditor::move(int by) {
    const Part* part = current();
    if (part == nullptr || (by < 0 && part->place <= 1))
        return;
    std::vector<std::string> path = part->path;
    path.emplace_back("place");
    // Categories and lanes count within their groups; the figure refuses a place outside.
    Q_EMIT edited(data::editText({std::move(path), std::to_string(static_cast<int>(part->place) + by)}),
                  tr("Move “%1”").arg(QString::fromStdString(part->name)));
}

void PartsEditor::changeLook(const char* key, const QString& value) {
    const Part* part = current();
    if (part == nullptr || part->meaning.empty() || value.isEmpty())
        return;
    std::vector<std::string> path = part->path;
    path.emplace_back(key);
    Q_EMIT edited(data::editText({std::move(path), value.toStdString()}),
                  tr("Look of “%1”").arg(QString::fromStdString(part->name)));
}

}  // namespace ui
