#include "ui/figure/figure_list.h"

#include "ui/figure/figure_collection.h"
#include "ui/look/palette.h"
#include "ui/look/plain_tip.h"
#include "ui/look/widget_parts.h"

namespace ui {
namespace {

constexpr int kId = Qt::UserRole;
constexpr int kLargestMark = 64;

/// Returns an icon, which in a selected row has the colour of the row's text.
QIcon markOf(const char* name, const QColor& colour, const Palette& colours) {
    QIcon mark = tintedIcon(QString::fromLatin1(name), colour);
    mark.addPixmap(tintedIcon(QString::fromLatin1(name), colours.onAccent).pixmap(kLargestMark), QIcon::Selected);
    return mark;
}

}  // namespace

FigureList::FigureList(FigureCollection& collection, QWidget* parent) : QListWidget(parent), m_collection(collection) {
    setNames(*this, QStringLiteral("figureList"), tr("Figures"));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setFrameShape(QFrame::NoFrame);
    setTextElideMode(Qt::ElideRight);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSpacing(2);
    setIconSize(QSize(fontMetrics().ascent(), fontMetrics().ascent()));
    connect(&m_collection, &FigureCollection::listChanged, this, &FigureList::rebuild);
    connect(&m_collection, &FigureCollection::changed, this, &FigureList::rebuild);
    connect(this, &QListWidget::currentItemChanged, this, [this] {
        if (!m_rebuilding)
            Q_EMIT currentIdChanged(currentId());
    });
    connect(this, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem* item) { Q_EMIT activatedId(item->data(kId).toInt()); });
    followColours(*this, [this] {
        tintMarks();
        rebuild();
    });
}

QSize FigureList::sizeHint() const {
    const int line = fontMetrics().height();
    return {line * 17, line * 20};
}

void FigureList::tintMarks() {
    const Palette& colours = paletteOf(*this);
    m_marks = {markOf("warning", colours.error, colours), markOf("more", colours.accent, colours),
               markOf("check", colours.better, colours), markOf("play", colours.inkFaint, colours)};
}

void FigureList::addHeading(const QString& text) {
    auto* item = new QListWidgetItem(text, this);
    item->setFlags(Qt::NoItemFlags);
    item->setFont(strongFont(this->font()));
    item->setForeground(paletteOf(*this).inkSoft);
}

QListWidgetItem* FigureList::itemOf(int id) const {
    for (int row = 0; row < count(); ++row) {
        if (id != 0 && item(row)->data(kId).toInt() == id)
            return item(row);
    }
    return nullptr;
}

void FigureList::rebuild() {
    const int current = currentId();
    const std::vector<int> selected = selectedIds();
    m_rebuilding = true;
    clear();
    bool others = false;
    addHeading(tr("From simulation"));
    for (const FigureEntry& figure : m_collection.figures()) {
        if (figure.galleryName.isEmpty() && !others) {
            addHeading(tr("From views and files"));
            others = true;
        }
        auto* entry = new QListWidgetItem(figure.name(), this);
        const bool waits = m_waiting.contains(figure.key());
        entry->setData(kId, figure.id);
        entry->setToolTip(plainTip(figure.what.isEmpty() ? figure.name() : figure.what));
        entry->setIcon(!figure.failure.isEmpty() ? m_marks.failed
                       : waits                   ? m_marks.waits
                       : figure.spec             ? m_marks.made
                                                 : m_marks.open);
        entry->setData(Qt::AccessibleDescriptionRole, waits         ? tr("being made")
                                                      : figure.spec ? tr("made")
                                                                    : tr("not made yet"));
    }
    for (const int id : selected) {
        if (QListWidgetItem* entry = itemOf(id))
            entry->setSelected(true);
    }
    if (QListWidgetItem* entry = itemOf(current))
        setCurrentItem(entry, selected.empty() ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::NoUpdate);
    m_rebuilding = false;
    if (currentId() != current)
        Q_EMIT currentIdChanged(currentId());
}

int FigureList::currentId() const { return currentItem() != nullptr ? currentItem()->data(kId).toInt() : 0; }

std::vector<int> FigureList::selectedIds() const {
    std::vector<int> ids;
    for (int row = 0; row < count(); ++row) {
        if (item(row)->isSelected())
            ids.push_back(item(row)->data(kId).toInt());
    }
    if (ids.empty() && currentId() != 0)
        ids.push_back(currentId());
    return ids;
}

void FigureList::setCurrentId(int id) {
    if (QListWidgetItem* entry = itemOf(id)) {
        setCurrentItem(entry, QItemSelectionModel::ClearAndSelect);
        scrollToItem(entry);
    }
}

void FigureList::setWaiting(const QStringList& names) {
    if (names == m_waiting)
        return;
    m_waiting = names;
    rebuild();
}

}  // namespace ui
