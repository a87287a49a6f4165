#pragma once

#include "ui/shared/figure_offer.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <optional>
#include <vector>

namespace ui {

/// One figure of the list.
struct ShelfFigure {
    int id = 0;
    QString galleryName;                   ///< of those that are made by name; empty for what came from views and files
    QString title, what;                   ///< of the gallery; else those of the figure itself
    std::optional<data::FigureSpec> spec;  ///< nothing: not made yet
    FigureOffer::Redraw redraw;
    QString failure;  ///< why it could not be made

    QString name() const;  ///< for the list
};

/// The figures that a reader works on: those of the gallery, made or not, then what came from views and files. Every edit
/// is a step of the undo stack, and a burst of the same kind is one.
class FigureShelf final : public QObject {
    Q_OBJECT

public:
    explicit FigureShelf(QObject* parent = nullptr);

    const std::vector<ShelfFigure>& figures() const { return m_figures; }
    const ShelfFigure* find(int id) const;
    const ShelfFigure* ofGallery(const QString& name) const;
    QUndoStack& undoStack() { return m_stack; }

    /// A figure from a view or a file; its id.
    int add(FigureOffer offer);
    /// Made from simulation: takes the place of what there was.
    void setMade(const QString& galleryName, data::FigureSpec spec);
    void setFailed(const QString& galleryName, const QString& text);
    /// `spec` has no problems. Pictures are drawn again where size or theme have changed. Edits of the same `kind` that
    /// follow each other at once are one step; empty: never.
    void edit(int id, data::FigureSpec spec, const QString& text, const QString& kind = {});
    /// From the list, or back to not made.
    void remove(int id);

Q_SIGNALS:
    /// Others are there, in another order, or made where they were not.
    void listChanged();
    /// The figure is another one now.
    void changed(int id);

private:
    class Edit;

    ShelfFigure* at(int id);
    void put(int id, std::optional<data::FigureSpec> spec);
    void insert(const ShelfFigure& figure, std::size_t place);
    void take(int id);

    std::vector<ShelfFigure> m_figures;
    QUndoStack m_stack;
    int m_lastId = 0;
};

}  // namespace ui
