#include "ui/figure/figure_collection.h"

#include "data/figure/figure_edits.h"
#include "data/figure/figure_gallery.h"
#include "ui/look/format.h"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace ui {
namespace {

constexpr int kBurstMs = 1500;  // longest time between edits that are merged into one undo step

/// An undo command made of two functions.
class Step final : public QUndoCommand {
public:
    Step(const QString& text, std::function<void()> forth, std::function<void()> back)
        : QUndoCommand(text), m_forth(std::move(forth)), m_back(std::move(back)) {}
    void redo() override { m_forth(); }
    void undo() override { m_back(); }

private:
    std::function<void()> m_forth, m_back;
};

}  // namespace

/// Changes a figure from one value to another.
class FigureCollection::Edit final : public QUndoCommand {
public:
    Edit(FigureCollection& collection, int id, std::optional<data::FigureSpec> before,
         std::optional<data::FigureSpec> after, const QString& text, const QString& kind)
        : QUndoCommand(text), m_collection(collection), m_id(id), m_before(std::move(before)),
          m_after(std::move(after)), m_kind(kind) {
        m_since.start();
    }

    void redo() override { m_collection.put(m_id, m_after); }
    void undo() override { m_collection.put(m_id, m_before); }
    int id() const override { return m_kind.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const Edit*>(other);
        if (next->m_id != m_id || next->m_kind != m_kind || m_since.elapsed() > kBurstMs)
            return false;
        m_after = next->m_after;
        m_since.restart();
        return true;
    }

private:
    FigureCollection& m_collection;
    int m_id;
    std::optional<data::FigureSpec> m_before, m_after;
    QString m_kind;
    QElapsedTimer m_since;
};

QString FigureEntry::name() const {
    const QString own = spec ? QString::fromStdString(spec->title) : QString();
    return !title.isEmpty() ? title : !own.isEmpty() ? own : spec ? QString::fromStdString(spec->name) : QString();
}

QString FigureEntry::key() const { return galleryName.isEmpty() ? QStringLiteral("#%1").arg(id) : galleryName; }

bool FigureEntry::canBeMade() const {
    return !galleryName.isEmpty() || (spec && spec->from.kind != data::FigureSource::Kind::unknown);
}

FigureCollection::FigureCollection(QObject* parent) : QObject(parent) {
    for (const data::GalleryEntry& entry : data::galleryEntries()) {
        FigureEntry figure;
        figure.id = ++m_lastId;
        figure.galleryName = text(entry.name);
        figure.title = text(entry.title);
        figure.what = text(entry.what);
        if (!entry.counterpart.empty())
            figure.what += QLatin1Char('\n') + tr("Asks the same question as %1.").arg(text(entry.counterpart));
        m_figures.push_back(std::move(figure));
    }
}

FigureEntry* FigureCollection::at(int id) {
    const auto found =
        std::find_if(m_figures.begin(), m_figures.end(), [id](const FigureEntry& figure) { return figure.id == id; });
    return found == m_figures.end() ? nullptr : &*found;
}

const FigureEntry* FigureCollection::find(int id) const { return const_cast<FigureCollection*>(this)->at(id); }

const FigureEntry* FigureCollection::ofGallery(const QString& name) const {
    const auto found = std::find_if(m_figures.begin(), m_figures.end(), [&](const FigureEntry& figure) {
        return !name.isEmpty() && figure.galleryName == name;
    });
    return found == m_figures.end() ? nullptr : &*found;
}

const FigureEntry* FigureCollection::withKey(const QString& key) const {
    const auto found = std::ranges::find(m_figures, key, &FigureEntry::key);
    return found == m_figures.end() ? nullptr : &*found;
}

void FigureCollection::put(int id, std::optional<data::FigureSpec> spec) {
    FigureEntry* figure = at(id);
    if (figure == nullptr)
        return;
    const bool other =
        figure->spec.has_value() != spec.has_value() || (spec && figure->spec && spec->title != figure->spec->title);
    figure->spec = std::move(spec);
    figure->failure.clear();
    if (other)
        Q_EMIT listChanged();
    Q_EMIT changed(id);
}

void FigureCollection::insert(const FigureEntry& figure, std::size_t place) {
    const auto index = static_cast<std::ptrdiff_t>(std::min(place, m_figures.size()));
    m_figures.insert(m_figures.begin() + index, figure);
    Q_EMIT listChanged();
    Q_EMIT changed(figure.id);
}

void FigureCollection::take(int id) {
    std::erase_if(m_figures, [id](const FigureEntry& figure) { return figure.id == id; });
    Q_EMIT listChanged();
}

int FigureCollection::add(FigureOffer offer, std::optional<data::FigureSpec> edited) {
    FigureEntry figure;
    figure.id = ++m_lastId;
    figure.spec = std::move(offer.figure);
    if (figure.spec->edits.empty())
        figure.base = figure.spec;
    if (edited)
        figure.spec = std::move(edited);
    figure.redraw = std::move(offer.redraw);
    const QString name = figure.name();
    m_stack.push(new Step(
        tr("Add Figure “%1”").arg(name), [this, figure] { insert(figure, m_figures.size()); },
        [this, id = figure.id] { take(id); }));
    return figure.id;
}

engine::Problems FigureCollection::setMade(const QString& key, data::FigureSpec spec) {
    const FigureEntry* known = withKey(key);
    FigureEntry* figure = known != nullptr ? at(known->id) : nullptr;
    if (figure == nullptr)
        return {};
    if (figure->galleryName.isEmpty()) {
        spec.name = figure->spec ? figure->spec->name : spec.name;
        figure->redraw = {};  // it would draw the earlier picture
    }
    if (spec.edits.empty())
        figure->base = spec;
    if (!figure->spec) {
        put(figure->id, std::move(spec));
        return {};
    }
    engine::Problems stale = data::applyEdits(spec, figure->spec->edits);
    push(*figure, std::move(spec), tr("Make “%1” Again").arg(figure->name()), {});
    return stale;
}

void FigureCollection::setFailed(const QString& key, const QString& text) {
    const FigureEntry* found = withKey(key);
    FigureEntry* figure = found != nullptr ? at(found->id) : nullptr;
    if (figure == nullptr)
        return;
    figure->failure = text;
    Q_EMIT changed(figure->id);
}

void FigureCollection::edit(int id, data::FigureSpec spec, const QString& text, const QString& kind) {
    const FigureEntry* figure = find(id);
    if (figure == nullptr || figure->spec == spec)
        return;
    if (figure->spec && figure->spec->edits == spec.edits) {
        const auto edits = data::editsBetween(*figure->spec, spec);
        for (const std::string& edit : edits.value_or(std::vector<std::string>{}))
            data::addEdit(spec.edits, edit);
    }
    push(*figure, std::move(spec), text, kind);
}

void FigureCollection::push(const FigureEntry& figure, data::FigureSpec spec, const QString& text,
                            const QString& kind) {
    if (figure.spec && (figure.spec->size != spec.size || figure.spec->theme != spec.theme))
        redraw(spec, figure.redraw);
    m_stack.push(new Edit(*this, figure.id, figure.spec, std::move(spec), text, kind));
}

void FigureCollection::remove(int id) {
    const FigureEntry* figure = find(id);
    if (figure == nullptr || !figure->spec)
        return;
    const QString text = tr("Remove “%1”").arg(figure->name());
    if (!figure->galleryName.isEmpty()) {
        m_stack.push(new Edit(*this, id, figure->spec, std::nullopt, text, {}));
        return;
    }
    const auto place = static_cast<std::size_t>(figure - m_figures.data());
    m_stack.push(new Step(
        text, [this, id] { take(id); }, [this, kept = *figure, place] { insert(kept, place); }));
}

}  // namespace ui
