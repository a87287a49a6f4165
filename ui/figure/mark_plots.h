#pragma once

#include "data/figure/figure_spec.h"
#include "data/figure/figure_table.h"
#include "ui/figure/display_list.h"

#include <QString>

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace ui {

/// What plots marks from their tables, each where the first of its items would be drawn; its other items are left out.
class MarkPlots {
public:
    /// The figure must outlive this.
    explicit MarkPlots(const data::FigureSpec& figure) : m_figure(figure) {}

    void add(const data::FigureTable& table, QString plot) { m_plots[{table.panel, table.mark}] = std::move(plot); }

    bool replaces(const DisplayItem& item) const;
    /// What comes in place of an item that is replaced: nothing but for the first of its mark.
    QString take(const DisplayItem& item);

private:
    bool isGap(const DisplayItem& item) const;

    const data::FigureSpec& m_figure;
    std::map<std::pair<std::size_t, std::size_t>, QString> m_plots;  // emptied when taken
};

}  // namespace ui
