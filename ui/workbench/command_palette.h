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

/// The result of a fuzzy search: how well a typed text matches, and which letters of the searched text it matches.
struct FuzzyMatch {
    int score = 0;         ///< higher is better; whole beginnings of words score more than scattered letters
    QList<int> positions;  ///< indices into `text`, ascending
};

/// Matches `typed` against `text`. Every typed word must occur in `text`; the words may be in any order, the letters of
/// a word must be in order, and gaps between them are allowed: "lk bw" finds "Link bandwidth". Upper and lower case are
/// equal. Returns an empty optional if a word does not occur; an empty `typed` matches everything.
std::optional<FuzzyMatch> fuzzyMatch(QStringView typed, QStringView text);

/// One entry of the command palette.
struct PaletteEntry {
    QString text;   ///< "Zoom In"
    QString where;  ///< "View": the group of the entry
    QString also;   ///< further words by which the entry is found
    QString keys;   ///< the shortcut as shown to the user
    std::function<void()> choose;
    QString whyNot{};  ///< why the command is not available now; empty: it is
};

/// The entries that match the typed text, best first; all entries in their order while the text is empty. Among equal
/// matches, commands that are not available come last.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { positions = Qt::UserRole, where, keys, available };

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
        QList<int> positions;  ///< indices into the entry's text
    };

    std::vector<PaletteEntry> m_entries;
    std::vector<Found> m_found;
};

/// Command palette: a field over the window that finds every command, parameter and preset by a few of its letters.
/// Return runs the selected entry after the palette has closed and the focus is back at its former place.
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
