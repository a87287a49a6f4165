#include "ui/inside/inside_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {
namespace {

using data::GpuPart;

// All sizes are in lines of text.
constexpr double kTitle = 1.35;
constexpr double kPad = 0.45;
constexpr double kRoomyWidth = 78, kRoomyHeight = 30;  // in smaller views the flows have no labels
constexpr double kKeyColumn = 7;
constexpr double kNarrow = 46;                                            // width of a narrow view
constexpr double kNarrowSide = 0.3;                                       // share of a side column, without the gaps
constexpr double kLow = 20;                                               // height of a low view
constexpr double kRoomyGap = 5.6, kLeastRoomyGap = 4.6, kTightGap = 1.5;  // between columns
constexpr double kRoomyRow = 2.9, kTightRow = 1.1;                        // between rows
constexpr double kMostTightRow = 0.06;                                    // share of the height
constexpr double kWidestChannel = 14;
constexpr double kRoomyNames = 7.4, kTightNames = 5.4;  // width of the names of the rows of the memory controller
constexpr double kNamedRows = 4;                        // height of rows that have room for names
constexpr double kLeastNamedChannel = 0.35;             // width of a channel beside names
constexpr double kLeastBank = 0.25;                     // side of a bank's cell
constexpr double kBankRows = 0.4, kMostBankRows = 3.2;  // height of a bank's cell, and of all of them, at most
constexpr double kLinkBox = 6;                          // largest height of a link
constexpr double kEngineBox = 2.9;
constexpr double kLabel = 2.1;  // height of two lines of small text

// Shares of the height of the middle column.
constexpr double kUnitsShare = 0.37, kLowUnitsShare = 0.27, kCacheShare = 0.13;

struct Columns {
    bool narrow = false;  // the links in are above the tracker; the links out are between address map and DMA
    QRectF linksIn, left, middle, right, linksOut;
    double gap = 0, row = 0;
};

Columns columnsOf(const QRectF& area, double line, bool roomy, bool tracks) {
    Columns columns;
    columns.gap = roomy ? std::clamp(area.width() * 0.05, line * kLeastRoomyGap, line * kRoomyGap) : line * kTightGap;
    columns.row = roomy ? line * kRoomyRow : std::min(line * kTightRow, area.height() * kMostTightRow);
    columns.narrow = area.width() < line * kNarrow;
    if (columns.narrow) {
        const double side = (area.width() - columns.gap * 2) * kNarrowSide;
        columns.left = columns.linksIn = {area.left(), area.top(), side, area.height()};
        columns.right = columns.linksOut = {area.right() - side, area.top(), side, area.height()};
        columns.middle = {area.left() + side + columns.gap, area.top(), area.width() - (side + columns.gap) * 2,
                          area.height()};
        return columns;
    }
    const double links = std::clamp(area.width() * 0.06, line * (roomy ? 4.6 : 4.2), line * 9);
    const double side = std::clamp(area.width() * 0.17, line * (roomy ? 12 : 7), line * 26);
    const auto column = [&](double left, double width) { return QRectF(left, area.top(), width, area.height()); };
    columns.linksIn = column(area.left(), links);
    // Without a tracker the left column contains only the legend.
    columns.left = column(columns.linksIn.right() + columns.gap, tracks ? side : roomy ? line * kKeyColumn : 0);
    columns.linksOut = column(area.right() - links, links);
    columns.right = column(columns.linksOut.left() - columns.gap - side, side);
    const double middle = columns.left.right() + columns.gap;
    columns.middle = column(middle, columns.right.left() - columns.gap - middle);
    return columns;
}

/// Computes the layout, part by part. The members are shared by several steps.
class Builder {
public:
    explicit Builder(const InsideNeeds& needs) : m_needs(needs), m_inventory(needs.inventory), m_line(needs.line) {
        m_layout.line = needs.line;
        m_layout.roomy = needs.area.width() >= m_line * kRoomyWidth && needs.area.height() >= m_line * kRoomyHeight;
        if (hasTrigger())
            m_route = m_layout.roomy ? m_line * 1.7 : std::min(m_line * 0.9, needs.area.height() * kMostTightRow);
        m_columns =
            columnsOf(needs.area.adjusted(0, 0, 0, -m_route), m_line, m_layout.roomy, m_inventory.trackerSets > 0);
        m_layout.widest = std::min(m_columns.gap, m_line * 3.2) * 0.8;
    }

    InsideLayout build() {
        placeMiddle();
        placeSides();
        placeLinks();
        if (!m_layout.has(GpuPart::arbiter))
            return {};
        addFlows();
        if (m_layout.roomy)
            m_layout.key = {m_columns.linksIn.left(), m_columns.middle.top(),
                            m_columns.left.right() - m_columns.linksIn.left(),
                            sideTop() - m_columns.row - m_columns.middle.top()};
        return std::move(m_layout);
    }

private:
    QRectF& part(GpuPart which) { return m_layout.parts[static_cast<std::size_t>(which)]; }
    const QRectF& box(GpuPart which) const { return m_layout.box(which); }

    /// Assigns a part its room, with a title unless it shares that of the part above it; a part without room gets no
    /// box. Returns the room for its contents, which may be empty.
    QRectF place(GpuPart which, const QRectF& room, bool titled = true) {
        if (room.isEmpty())
            return {};
        part(which) = room;
        const double pad = m_line * kPad;
        QRectF inside = room.adjusted(pad, pad / 2, -pad, -pad);
        if (titled) {
            QRectF& title = m_layout.titles[static_cast<std::size_t>(which)];
            title = QRectF(inside.left(), room.top() + pad * 0.4, inside.width(), m_line * kTitle);
            inside.setTop(title.bottom());
        }
        return {inside.topLeft(), inside.size().expandedTo(QSizeF(0, 0))};
    }

    void placeMiddle() {
        const QRectF& middle = m_columns.middle;
        const bool hasUnits = m_inventory.computeUnits > 0, hasCache = m_inventory.hasCache;
        const double gaps = m_columns.row * ((hasUnits ? 1 : 0) + (hasCache ? 1 : 0));
        const double height = middle.height() - gaps;
        double y = middle.top();
        const auto take = [&](double share) {
            const QRectF room(middle.left(), y, middle.width(), height * share);
            y = room.bottom() + m_columns.row;
            return room;
        };
        if (hasUnits)
            placeUnits(take(isLow() ? kLowUnitsShare : kUnitsShare));
        if (hasCache)
            placeCache(take(kCacheShare));
        placeMemory({middle.left(), y, middle.width(), middle.bottom() - y});
    }

    void placeUnits(const QRectF& room) {
        const QRectF inside = place(GpuPart::computeUnits, room);
        const double slots = std::max(1u, m_inventory.slots);
        m_layout.units = gridWithin(inside, m_inventory.computeUnits, std::clamp(slots * 0.8, 0.8, 3.0));
    }

    void placeCache(const QRectF& room) {
        const QRectF inside = place(GpuPart::cache, room);
        if (inside.isEmpty())
            return;
        const double queue = std::min(inside.width() * 0.28, m_line * 14);
        m_layout.cacheBars = inside.adjusted(0, 0, -queue - m_line, 0);
        m_layout.cacheQueue = QRectF(inside.right() - queue, inside.top(), queue, inside.height());
    }

    void placeMemory(const QRectF& room) {
        const double banks = std::min(m_inventory.banksPerGroup * kBankRows, kMostBankRows);
        const double service = std::clamp(room.height() * 0.16, m_line * 0.7, m_line * std::max(1.6, banks));
        const double near = m_inventory.hasNearMemory ? std::min(service, m_line * 1.6) : 0;
        const double channelTitle = isLow() ? 0 : m_line * kTitle;
        const double channelsHeight =
            channelTitle + service + m_line * kPad * 2 + (near > 0 ? near + m_line * kPad : 0);
        const QRectF inside = place(GpuPart::arbiter, room.adjusted(0, 0, 0, -channelsHeight));
        const QRectF below(room.left(), box(GpuPart::arbiter).bottom(), room.width(), channelsHeight);
        const double nearRow = near > 0 ? near + m_line * kPad : 0;
        // In a low view the title of the memory controller is the title of both.
        const QRectF cells = place(GpuPart::channels, below.adjusted(0, 0, 0, -nearRow), !isLow());
        if (near > 0)
            part(GpuPart::nearMemory) = {below.left(), below.bottom() - nearRow, below.width(), nearRow};
        const auto count = std::max(1u, m_inventory.channels);
        const double names = m_line * (m_layout.roomy ? kRoomyNames : kTightNames);
        if (inside.height() >= m_line * kNamedRows && inside.width() - names >= m_line * kLeastNamedChannel * count)
            m_layout.rowNames = names;
        const double width = std::min((inside.width() - m_layout.rowNames) / count, m_line * kWidestChannel);
        const double left =
            inside.left() + m_layout.rowNames + (inside.width() - m_layout.rowNames - width * count) / 2;
        for (std::uint32_t i = 0; i < count; ++i)
            placeChannel({left + width * i, inside.top(), width, inside.height()}, cells, near);
    }

    void placeChannel(const QRectF& room, const QRectF& cells, double near) {
        const double gap = std::min(room.width() * 0.12, m_line * 0.25);
        const QRectF column = room.adjusted(gap / 2, 0, -gap / 2, 0);
        InsideLayout::Channel channel;
        channel.column =
            QRectF(column.left(), column.top(), column.width(), box(GpuPart::channels).bottom() - column.top());
        const double pick = std::min(std::clamp(column.height() * 0.12, m_line * 0.3, m_line * 0.9), column.height());
        const double queues = (column.height() - pick) / 2;
        const double half = column.width() / 2;
        const double split = std::min(1.0, half * 0.15);
        channel.streams[0] = {column.left(), column.top(), half - split, queues};
        channel.streams[1] = {column.left() + half + split, column.top(), half - split, queues};
        channel.pick = {column.left(), column.top() + queues, column.width(), pick};
        channel.queue = {column.left(), channel.pick.bottom(), column.width(), queues};
        channel.service = {column.left(), cells.top(), column.width(), cells.height()};
        const QSizeF bank(column.width() / std::max(1u, m_inventory.bankGroups),
                          cells.height() / std::max(1u, m_inventory.banksPerGroup));
        if (m_inventory.bankGroups > 0 && std::min(bank.width(), bank.height()) >= m_line * kLeastBank)
            channel.banks = {channel.service, m_inventory.bankGroups * m_inventory.banksPerGroup,
                             m_inventory.bankGroups, m_inventory.banksPerGroup};
        if (near > 0)
            channel.nearMemory = {column.left(), box(GpuPart::nearMemory).top() + m_line * kPad / 2, column.width(),
                                  near};
        m_layout.channels.push_back(channel);
    }

    void placeSides() {
        const QRectF& memory = box(GpuPart::arbiter);
        const double bottom = m_columns.middle.bottom();
        if (m_inventory.trackerSets > 0)
            placeTracker({m_columns.left.left(), sideTop(), m_columns.left.width(), bottom - sideTop()});
        if (m_needs.chunks > 0) {
            const double mapBottom = box(GpuPart::computeUnits).isEmpty() ? memory.top() - m_columns.row
                                                                          : box(GpuPart::computeUnits).bottom();
            placeMap({m_columns.right.left(), m_columns.middle.top(), m_columns.right.width(),
                      mapBottom - m_columns.middle.top()});
        }
        if (m_inventory.engines > 0)
            placeDma({m_columns.right.left(), memory.top(), m_columns.right.width(), bottom - memory.top()});
    }

    bool isLow() const { return m_needs.area.height() < m_line * kLow; }
    double sideTop() const {
        const QRectF& above = box(GpuPart::cache).isEmpty() ? box(GpuPart::arbiter) : box(GpuPart::cache);
        return above.top();
    }
    bool hasTrigger() const { return m_inventory.trackerSets > 0 && m_inventory.engines > 0; }

    void placeTracker(const QRectF& room) {
        QRectF inside = place(GpuPart::tracker, room);
        const double words = std::min(inside.height() * 0.55, m_line * (m_layout.roomy ? 7.4 : 4.2));
        m_layout.nearest = QRectF(inside.left(), inside.bottom() - words, inside.width(), words);
        inside.setBottom(m_layout.nearest.top() - m_line * 0.3);
        const std::uint32_t cells = m_inventory.trackerSets * m_inventory.trackerWays;
        m_layout.entries = gridWithin(inside, std::max(1u, cells), 1.0);
        // Updates that wait outside the tracker are drawn beside it, on the side from which they arrive.
        const double width = m_columns.narrow ? 0 : m_line * 0.6;
        m_layout.held =
            QRectF(room.left() - width * 1.5, room.top() + m_line * kTitle, width, room.height() - m_line * kTitle * 2);
    }

    void placeMap(const QRectF& room) {
        const QRectF inside = place(GpuPart::addressMap, room);
        if (inside.isEmpty())
            return;
        const auto columns = static_cast<std::uint32_t>(std::ceil(m_needs.chunks * m_line * 0.9 / inside.height()));
        m_layout.chunks = {inside, m_needs.chunks, columns, (m_needs.chunks + columns - 1) / columns};
    }

    void placeDma(const QRectF& room) {
        const QRectF inside = place(GpuPart::dma, room);
        m_layout.commandWords = QRectF(inside.left(), inside.top(), inside.width(), m_line * kTitle);
        const QRectF rest = inside.adjusted(0, m_layout.commandWords.height(), 0, 0);
        const double engines = std::min(rest.height() * 0.6, m_line * kEngineBox * m_inventory.engines);
        m_layout.engines = stacked(QRectF(rest.left(), rest.bottom() - engines, rest.width(), engines),
                                   m_inventory.engines, m_line * kEngineBox, false);
        const QRectF cells = rest.adjusted(0, 0, 0, -engines - m_line * 0.4);
        if (m_inventory.commands > 0 && cells.height() > m_line * 0.5)
            m_layout.commands = gridWithin(cells, m_inventory.commands, 1.0);
    }

    void placeLinks() {
        const auto& in = m_inventory.linksIn;
        const auto& out = m_inventory.linksOut;
        if (m_columns.narrow)
            return placeLinksBetween();
        if (!in.empty()) {
            const QRectF& beside = box(GpuPart::tracker).isEmpty() ? box(GpuPart::arbiter) : box(GpuPart::tracker);
            placeLinkBoxes(GpuPart::linksIn,
                           {m_columns.linksIn.left(), beside.top(), m_columns.linksIn.width(), beside.height()},
                           in.size(), m_layout.linksIn);
        }
        if (!out.empty())
            placeLinkBoxes(GpuPart::linksOut, m_columns.linksOut, out.size(), m_layout.linksOut);
    }

    void placeLinksBetween() {
        const double top = m_columns.middle.top();
        const double bottom = sideTop() - m_columns.row;
        if (!m_inventory.linksIn.empty())
            placeLinkBoxes(GpuPart::linksIn, {m_columns.left.left(), top, m_columns.left.width(), bottom - top},
                           m_inventory.linksIn.size(), m_layout.linksIn);
        const QRectF& map = box(GpuPart::addressMap);
        const double from = map.isEmpty() ? top : map.bottom() + m_columns.row;
        const QRectF& dma = box(GpuPart::dma);
        const double to = dma.isEmpty() ? m_columns.middle.bottom() : dma.top() - m_columns.row;
        if (!m_inventory.linksOut.empty())
            placeLinkBoxes(GpuPart::linksOut, {m_columns.right.left(), from, m_columns.right.width(), to - from},
                           m_inventory.linksOut.size(), m_layout.linksOut);
    }
    void placeLinkBoxes(GpuPart which, const QRectF& room, std::size_t count, std::vector<QRectF>& boxes) {
        boxes = stacked(place(which, room), static_cast<std::uint32_t>(count), m_line * kLinkBox, true);
    }

    /// Returns boxes below each other, in the middle of `room` if `centred` and if it is higher than they need.
    std::vector<QRectF> stacked(const QRectF& room, std::uint32_t count, double most, bool centred) const {
        std::vector<QRectF> boxes;
        if (room.isEmpty())
            return boxes;
        const double step = std::min(room.height() / count, most);
        const double gap = std::min(step * 0.15, m_line * 0.3);
        const double top = centred ? room.center().y() - step * count / 2 : room.top();
        for (std::uint32_t i = 0; i < count; ++i)
            boxes.emplace_back(room.left(), top + step * i + gap / 2, room.width(), step - gap);
        return boxes;
    }

    void add(FlowKind kind, std::vector<QPointF> path, const QRectF& label, bool right = true) {
        m_layout.flows.push_back({kind, std::move(path), m_layout.roomy ? label : QRectF(), right});
    }
    /// Adds a vertical flow between two parts, with its label at the right.
    void addVertical(FlowKind kind, double x, double from, double to) {
        const double y = (from + to) / 2;
        add(kind, {{x, from}, {x, to}},
            {x + m_layout.widest + m_line * 0.5, y - m_line * kLabel / 2, m_line * 8, m_line * kLabel});
    }
    /// Adds a horizontal flow between columns, with its label above or below.
    void addAcross(FlowKind kind, double y, double from, double to, bool wordsBelow = false) {
        const double top = wordsBelow ? y + m_layout.widest : y - m_layout.widest - m_line * kLabel;
        add(kind, {{from, y}, {to, y}}, {from, top, to - from, m_line * kLabel}, false);
    }

    void addFlows() {
        const QRectF &units = box(GpuPart::computeUnits), &cache = box(GpuPart::cache);
        const QRectF &map = box(GpuPart::addressMap), &memory = box(GpuPart::arbiter);
        const double x = memory.left() + memory.width() * 0.16;
        if (!units.isEmpty() && !cache.isEmpty())
            addVertical(FlowKind::loads, x, cache.top(), units.bottom());
        if (!cache.isEmpty())
            addVertical(FlowKind::misses, x, memory.top(), cache.bottom());
        else if (!units.isEmpty())
            addVertical(FlowKind::misses, x, memory.top(), units.bottom());
        if (!map.isEmpty())
            addMapFlows(units, map, memory);
        addCommunication(memory);
    }

    void addMapFlows(const QRectF& units, const QRectF& map, const QRectF& memory) {
        if (!units.isEmpty())
            addAcross(FlowKind::stores, std::min(units.center().y(), map.center().y()), units.right(), map.left());
        const QRectF& out = box(GpuPart::linksOut);
        const double to = memory.left() + memory.width() * 0.84, y = memory.top() - m_columns.row / 2;
        if (m_columns.narrow) {  // beside the links, which are below the map
            const double from = map.bottom() - m_line * 0.8, x = map.left() - m_columns.gap / 2;
            add(FlowKind::localStores, {{map.left(), from}, {x, from}, {x, y}, {to, y}, {to, memory.top()}}, {});
            if (!out.isEmpty())
                addVertical(FlowKind::directStores, map.center().x(), map.bottom(), out.top());
            return;
        }
        // From the lower edge of the address map, through the gap above the memory controller, to the right part of its
        // top.
        const double from = map.left() + map.width() * 0.3;
        add(FlowKind::localStores, {{from, map.bottom()}, {from, y}, {to, y}, {to, memory.top()}},
            {from + m_layout.widest * 0.75 + m_line * 0.3, map.bottom() + m_line * 0.5, map.width() * 0.6,
             m_line * kLabel});
        if (!out.isEmpty())
            addAcross(FlowKind::directStores, map.center().y(), map.right(), out.left());
    }

    void addCommunication(const QRectF& memory) {
        const QRectF &tracker = box(GpuPart::tracker), &dma = box(GpuPart::dma), &in = box(GpuPart::linksIn);
        const double y = memory.center().y();
        if (!in.isEmpty())
            addArrivals(in, tracker, memory);
        if (!tracker.isEmpty())
            addAcross(FlowKind::updates, y, tracker.right(), memory.left());
        if (!dma.isEmpty()) {
            addAcross(FlowKind::blockReads, y, memory.right(), dma.left(), true);  // label below: stores pass above
            addSends(dma, box(GpuPart::linksOut), y);
        }
        if (!tracker.isEmpty() && !dma.isEmpty()) {
            const double bottom = m_columns.middle.bottom() + m_route * 0.75;
            add(FlowKind::trigger,
                {{tracker.center().x(), tracker.bottom()},
                 {tracker.center().x(), bottom},
                 {dma.center().x(), bottom},
                 {dma.center().x(), dma.bottom()}},
                {tracker.center().x() + m_line * 0.5, bottom - m_line * 1.2,
                 m_columns.middle.right() - tracker.center().x(), m_line * 1.15});
        }
    }

    void addArrivals(const QRectF& in, const QRectF& tracker, const QRectF& memory) {
        const double y = memory.center().y();
        if (!m_columns.narrow)
            addAcross(FlowKind::arrivals, y, in.right(), tracker.isEmpty() ? memory.left() : m_layout.held.left());
        else if (!tracker.isEmpty())
            addVertical(FlowKind::arrivals, in.center().x(), in.bottom(), tracker.top());
        else
            add(FlowKind::arrivals, {{in.center().x(), in.bottom()}, {in.center().x(), y}, {memory.left(), y}}, {});
    }
    void addSends(const QRectF& dma, const QRectF& out, double y) {
        if (out.isEmpty())
            return;
        if (m_columns.narrow)
            addVertical(FlowKind::sends, dma.center().x(), dma.top(), out.bottom());
        else
            addAcross(FlowKind::sends, y, dma.right(), out.left());
    }

    const InsideNeeds& m_needs;
    const data::GpuInventory& m_inventory;
    double m_line;
    double m_route = 0;  // height below all parts, for the path of the trigger
    Columns m_columns;
    InsideLayout m_layout;
};

}  // namespace

InsideLayout layoutInside(const InsideNeeds& needs) { return Builder(needs).build(); }

QRectF CellGrid::cell(std::uint32_t index) const {
    if (index >= count || columns == 0)
        return {};
    const double width = box.width() / columns, height = box.height() / rows;
    return {box.left() + width * (index % columns), box.top() + height * (index / columns), width, height};
}

std::vector<QRectF> CellGrid::cells() const {
    std::vector<QRectF> cells;
    cells.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
        cells.push_back(cell(i));
    return cells;
}

CellGrid gridWithin(const QRectF& room, std::uint32_t count, double aspect) {
    CellGrid grid{room, count, 1, 1};
    if (count == 0 || room.isEmpty())
        return grid;
    const double columns = std::sqrt(count * room.width() / room.height() / aspect);
    grid.columns = std::clamp(static_cast<std::uint32_t>(std::lround(columns)), 1u, count);
    grid.rows = (count + grid.columns - 1) / grid.columns;
    grid.columns = (count + grid.rows - 1) / grid.rows;
    return grid;
}

std::vector<QRectF> InsideLayout::unitBoxes(data::GpuPart part) const {
    const auto ofChannels = [this](const auto& boxOfChannel) {
        std::vector<QRectF> boxes;
        boxes.reserve(channels.size());
        for (const Channel& channel : channels)
            boxes.push_back(boxOfChannel(channel));
        return boxes;
    };
    switch (part) {
    case GpuPart::computeUnits: return units.cells();
    case GpuPart::addressMap: return chunks.cells();
    case GpuPart::tracker: return entries.cells();
    case GpuPart::arbiter:
        return ofChannels([](const Channel& channel) { return channel.streams[0].united(channel.queue); });
    case GpuPart::channels: return ofChannels([](const Channel& channel) { return channel.service; });
    case GpuPart::nearMemory: return ofChannels([](const Channel& channel) { return channel.nearMemory; });
    case GpuPart::dma: return engines;
    case GpuPart::linksIn: return linksIn;
    case GpuPart::linksOut: return linksOut;
    case GpuPart::cache: break;
    }
    return {};
}

QRectF InsideLayout::boxOf(data::GpuPartRef ref) const {
    if (!ref.unit)
        return box(ref.part);
    const std::vector<QRectF> boxes = has(ref.part) ? unitBoxes(ref.part) : std::vector<QRectF>();
    return *ref.unit < boxes.size() ? boxes[*ref.unit] : QRectF();
}

std::vector<InsideLayout::Place> InsideLayout::places() const {
    std::vector<Place> places;
    for (std::size_t i = 0; i < data::kGpuParts; ++i) {
        const auto part = static_cast<GpuPart>(i);
        if (!has(part))
            continue;
        const bool ofMemory = part == GpuPart::arbiter || part == GpuPart::channels || part == GpuPart::nearMemory;
        const std::vector<QRectF> boxes = unitBoxes(part);
        for (std::uint32_t unit = 0; unit < boxes.size(); ++unit) {
            const QRectF& column = ofMemory ? channels[unit].column : boxes[unit];
            places.push_back(
                {{part, unit},
                 ofMemory ? QRectF(column.left(), box(part).top(), column.width(), box(part).height()) : column});
        }
        places.push_back({{part, std::nullopt}, box(part)});
    }
    return places;
}

const InsideLayout::Flow* InsideLayout::flow(FlowKind kind) const {
    const auto found = std::ranges::find(flows, kind, &Flow::kind);
    return found == flows.end() ? nullptr : &*found;
}

}  // namespace ui
