#include "ui/workbench/explore_page.h"

#include "ui/look/widget_parts.h"
#include "ui/workbench/own_keys.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/veil.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace ui {

ExplorePage::ExplorePage(QWidget* parent) : QWidget(parent) {
    m_pictures = new Pictures(this);
    m_veil = new Veil(*m_pictures);
    // Beside the caption, which can be cut short: beside the transport it would set the window's least width.
    m_captionRow = new QHBoxLayout;
    m_captionRow->setContentsMargins(0, 0, fontMetrics().averageCharWidth() * 2, 0);
    m_captionRow->addWidget(m_pictures->switcher());
    m_column = flushLayout<QVBoxLayout>(this, 0);
    m_column->addLayout(m_captionRow);
    m_column->addWidget(m_pictures, 1);
    new OwnKeys(*this);
    setFocusProxy(m_pictures);
}

void ExplorePage::setRow(Row row, QWidget* widget) {
    m_rows[row] = widget;
    if (row == Row::caption) {
        m_captionRow->insertWidget(0, widget, 1);
        return;
    }
    // Rows above the caption and the pictures, then those beneath, each behind the rows before it.
    int place = row > Row::caption ? 2 : 0;
    for (const auto& [other, there] : m_rows)
        place += other < row && other != Row::caption && m_column->indexOf(there) >= 0 ? 1 : 0;
    if (m_column->indexOf(widget) != place)
        m_column->insertWidget(place, widget);
}

}  // namespace ui
