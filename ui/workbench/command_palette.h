#pragma once

#include "ui/workbench/overlay.h"

#include <QAbstractListModel>
#include <QList>
#include <QString>
#include <QStringView>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace ui {

/// How well some letters stand for a text, and which of its letters they are.
struct FuzzyMatch {
    int score = 0;         ///< more is better; whole beginnings of words beat scattered letters
    QList<int> positions;  ///< ascending, of `text`
};

/// Each word of `typed` has to be in `text`, in whatever order, its letters in theirs, gaps allowed: "lk bw" finds "Link
/// bandwidth". Letter case does not count. Nothing when a word is not there; an empty `typed` finds everything.
std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text);

/// Something that the palette can find and do.
struct PaletteEntry {
    QString text;   ///< "Zoom In"
    QString where;  ///< "View": what it belongs to
    QString also;   ///< further words that it is found by
    QString keys;   ///< as a person reads them
    std::function<void()> choose;
};

/// The entries that what was typed finds, best first; all of them, in their order, while nothing is typed.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { positions = Qt::UserRole, where, keys };

    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<PaletteEntry> entries);
    void find(const QString& typed);
    const PaletteEntry& entryAt(int row) const { return m_entries[m_found[row].entry]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Found {
        std::size_t entry;
        int score;
        QList<int> positions;  ///< of the entry's text
    };

    std::vector<PaletteEntry> m_entries;
    std::vector<Found> m_found;
};

/// One field over the window that finds every command, parameter and preset by a few of its letters.
/// Return does what is marked, once the palette is gone and the focus is back.
class CommandPalette final : public Overlay {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget& window);

    void openWith(std::vector<PaletteEntry> entries);

protected:
    QRect placeIn(const QRect& area) const override;
    QWidget* firstFocus() override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find(const QString& typed);
    void mark(int row);
    void chooseMarked();

    QLineEdit* m_typed;
    QListView* m_list;
    QLabel* m_nothing;
    PaletteModel* m_model;
};

}  // namespace ui
