#pragma once

#include "engine/api/problem.h"
#include "ui/shared/figure_offer.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>
#include <vector>

namespace ui {

/// An entry of the list of figures.
struct FigureEntry {
    int id = 0;
    QString galleryName;                   ///< for figures of the gallery; empty for figures from views and files
    QString title, what;                   ///< from the gallery, or else from the figure itself
    std::optional<data::FigureSpec> spec;  ///< empty: not made yet
    std::optional<data::FigureSpec> base;  ///< the figure without its edits, if it is known: it has what they hide
    FigureOffer::Redraw redraw;
    QString failure;  ///< why it could not be made

    QString name() const;  ///< as shown in the list
    /// Returns the name under which it is made: that of the gallery or, for others, one of its own.
    QString key() const;
    /// Returns whether it can be made: it is of the gallery, or it says where its numbers come from.
    bool canBeMade() const;
};

/// The figures that the user works on: those of the gallery, whether made or not, then those from views and files.
/// Every edit is a step of the undo stack; consecutive edits of one kind are one step.
class FigureCollection final : public QObject {
    Q_OBJECT

public:
    explicit FigureCollection(QObject* parent = nullptr);

    const std::vector<FigureEntry>& figures() const { return m_figures; }
    const FigureEntry* find(int id) const;
    const FigureEntry* ofGallery(const QString& name) const;
    const FigureEntry* withKey(const QString& key) const;
    QUndoStack& undoStack() { return m_stack; }

    /// Adds a figure from a view or a file and returns its id. `edited` is the figure with edits that it begins with.
    int add(FigureOffer offer, std::optional<data::FigureSpec> edited = {});
    /// Stores a figure that was made from simulation, in place of an earlier one, whose edits are applied to it. Returns
    /// what is wrong with those that no longer can be.
    engine::Problems setMade(const QString& key, data::FigureSpec spec);
    void setFailed(const QString& key, const QString& text);
    /// Changes a figure. Precondition: `spec` has no problems. Draws pictures again if size or theme have changed. The
    /// change is added to the figure's edits, unless `spec` has other edits already.
    /// Consecutive edits of the same `kind` are merged into one undo step; an empty kind is never merged.
    void edit(int id, data::FigureSpec spec, const QString& text, const QString& kind = {});
    /// Removes a figure from the list. A figure of the gallery stays in the list as not made.
    void remove(int id);

Q_SIGNALS:
    /// Figures were added, removed or made, or their order has changed.
    void listChanged();
    /// This figure has changed.
    void changed(int id);

private:
    class Edit;

    FigureEntry* at(int id);
    void push(const FigureEntry& figure, data::FigureSpec spec, const QString& text, const QString& kind);
    void put(int id, std::optional<data::FigureSpec> spec);
    void insert(const FigureEntry& figure, std::size_t place);
    void take(int id);

    std::vector<FigureEntry> m_figures;
    QUndoStack m_stack;
    int m_lastId = 0;
};

}  // namespace ui
