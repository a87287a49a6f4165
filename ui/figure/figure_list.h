#pragma once

#include <QIcon>
#include <QListWidget>
#include <QStringList>

#include <vector>

namespace ui {

class FigureCollection;

/// Lists the figures of a collection under two headings, with a mark at each figure that has been made. Several can be
/// selected for export; the view shows the current one.
class FigureList final : public QListWidget {
    Q_OBJECT

public:
    /// The collection must outlive the list.
    explicit FigureList(FigureCollection& collection, QWidget* parent = nullptr);

    int currentId() const;                 ///< 0: none
    std::vector<int> selectedIds() const;  ///< from top to bottom; the current one if none is selected
    void setCurrentId(int id);
    /// Sets the figures of the gallery that are being made or are queued.
    void setWaiting(const QStringList& names);
    QSize sizeHint() const override;

Q_SIGNALS:
    void currentIdChanged(int id);
    void activatedId(int id);

private:
    /// The marks of the entries, drawn once for each palette.
    struct Marks {
        QIcon failed, waits, made, open;
    };

    void rebuild();
    void tintMarks();
    void addHeading(const QString& text);
    QListWidgetItem* itemOf(int id) const;

    FigureCollection& m_collection;
    QStringList m_waiting;
    Marks m_marks;
    bool m_rebuilding = false;
};

}  // namespace ui
