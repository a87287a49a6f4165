#pragma once

#include "ui/workbench/overlay.h"

#include <QList>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace ui {

class PaletteModel;

/// Something that the palette can find and do.
struct PaletteEntry {
    QString text;   ///< "Zoom In"
    QString where;  ///< "View": what it belongs to
    QString also;   ///< further words that it is found by
    QString keys;   ///< as a person reads them
    std::function<void()> choose;
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
