#include "ui/machine/machine_map.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ui {
namespace {

// All sizes are in lines of text.
constexpr double kWordsColumn = 19;
constexpr double kLeastPictureWidth = 14;
constexpr double kLeastPictureHeight = 8;  // if the texts are below the picture
constexpr double kBesideGap = 2;
constexpr double kBeneathGap = 0.6;
constexpr double kGaugeGap = 1.2;
constexpr double kGaugeStep = 2.9;
constexpr double kLeastGaugeStep = 1.65;  // a line of text and its bar
constexpr double kWholeWords = 5.9;       // room for a title and three lines
constexpr double kBriefWords = 1.4;
constexpr double kNumbers = 1.3;
constexpr double kCaptionHeight = 1.3;
constexpr double kLeastNumbered = 4;
constexpr double kLeastCaptioned = 5.5;

/// One arrangement of the texts and gauges.
struct Block {
    bool brief = false;
    std::size_t columns = 1, rows = 0;
    double width = 0, least = 0;
};

double wordsHeight(bool brief, double line) { return (brief ? kBriefWords : kWholeWords) * line; }

Block blockOf(bool brief, std::size_t columns, const DetailNeeds& needs) {
    Block block{brief, columns, (needs.gauges + columns - 1) / columns, 0, 0};
    const double gauges = static_cast<double>(columns) * (needs.gaugeWidth + needs.line * kGaugeGap);
    block.width = std::max(needs.line * kWordsColumn, gauges - needs.line * kGaugeGap);
    block.least = wordsHeight(brief, needs.line) + static_cast<double>(block.rows) * needs.line * kLeastGaugeStep;
    return block;
}

/// Returns the first arrangement that fits. Those with all texts come before those with one line; among these, fewer
/// columns of gauges come first. An empty optional if none fits.
std::optional<Block> blockWithin(QSizeF room, const DetailNeeds& needs) {
    for (const bool brief : {false, true}) {
        for (std::size_t columns = 1; columns <= std::max<std::size_t>(1, needs.gauges); ++columns) {
            const Block block = blockOf(brief, columns, needs);
            if (block.width <= room.width() && block.least <= room.height())
                return block;
        }
    }
    return std::nullopt;
}

void placeBlock(const Block& block, const QRectF& room, const DetailNeeds& needs, DetailLayout& layout) {
    layout.brief = block.brief;
    layout.words = QRectF(room.left(), room.top(), room.width(), wordsHeight(block.brief, needs.line));
    const double left = room.height() - layout.words.height();
    const double step =
        std::min(needs.line * kGaugeStep, left / static_cast<double>(std::max<std::size_t>(1, block.rows)));
    const auto columns = static_cast<double>(block.columns);
    const double width = (room.width() - needs.line * kGaugeGap * (columns - 1)) / columns;
    for (std::size_t i = 0; i < needs.gauges; ++i) {
        const auto column = static_cast<double>(i / block.rows), row = static_cast<double>(i % block.rows);
        layout.gauges.emplace_back(room.left() + column * (width + needs.line * kGaugeGap),
                                   layout.words.bottom() + row * step, width, step);
    }
}

/// Places the picture, the numbers of its chunks and its caption in the middle of `room`.
void placePicture(const QRectF& room, const DetailNeeds& needs, DetailLayout& layout) {
    layout.numbers = room.height() >= needs.line * kLeastNumbered;
    const bool captioned = room.height() >= needs.line * kLeastCaptioned;
    const double above = layout.numbers ? needs.line * kNumbers : 0;
    const double below = captioned ? needs.line * kCaptionHeight : 0;
    const double beside = layout.numbers ? needs.leftOfPicture : 0;
    const QSizeF size =
        needs.pictureWithin(QSizeF(std::max(0.0, room.width() - beside), std::max(0.0, room.height() - above - below)));
    const double top = room.top() + (room.height() - above - size.height() - below) / 2 + above;
    const double left = room.left() + (room.width() - beside - size.width()) / 2 + beside;
    layout.picture = QRectF(QPointF(left, top), size);
    if (!captioned)
        return;
    const auto fits =
        std::find_if(needs.captions.begin(), needs.captions.end(), [&](double width) { return width <= room.width(); });
    if (fits == needs.captions.end())
        return;
    layout.captionText = static_cast<std::size_t>(fits - needs.captions.begin());
    layout.caption = QRectF(0, layout.picture.bottom(), *fits, below);
    const double middle = std::clamp(layout.picture.center().x(), room.left() + *fits / 2, room.right() - *fits / 2);
    layout.caption.moveLeft(middle - *fits / 2);
}

/// Returns the width of picture and caption if they are placed in the middle of `room`.
double widthOfPicture(const QRectF& room, const DetailNeeds& needs) {
    DetailLayout alone;
    placePicture(room, needs, alone);
    const QRectF whole = alone.picture.adjusted(-needs.leftOfPicture, 0, 0, 0);
    return std::max(whole.united(alone.caption).width(), needs.line * kLeastPictureWidth);
}

DetailLayout besideEachOther(const QRectF& room, const Block& block, const DetailNeeds& needs) {
    const double gap = needs.line * kBesideGap;
    QRectF place(room.left(), room.top(), room.width() - block.width - gap, room.height());
    const double width = std::min(place.width(), widthOfPicture(place, needs));
    place.setLeft(room.left() + (place.width() - width) / 2);
    place.setWidth(width);
    DetailLayout layout;
    placePicture(place, needs, layout);
    // The texts begin at the height of the chunk numbers, or higher if the gauges would be cut off.
    const double tall = std::min(room.height(), wordsHeight(block.brief, needs.line) +
                                                    static_cast<double>(block.rows) * needs.line * kGaugeStep);
    const double top = std::clamp(layout.picture.top() - (layout.numbers ? needs.line * kNumbers : 0), room.top(),
                                  room.bottom() - tall);
    placeBlock(block, QRectF(place.right() + gap, top, block.width, room.bottom() - top), needs, layout);
    return layout;
}

}  // namespace

DetailLayout layoutDetail(const QRectF& room, const DetailNeeds& needs) {
    const double taken = needs.line * (kLeastPictureWidth + kBesideGap);
    if (const auto block = blockWithin(QSizeF(room.width() - taken, room.height()), needs))
        return besideEachOther(room, *block, needs);
    DetailLayout layout;
    const double beneath = room.height() - needs.line * (kLeastPictureHeight + kBeneathGap);
    const auto block = blockWithin(QSizeF(room.width(), beneath), needs);
    if (!block) {
        placePicture(room, needs, layout);
        return layout;
    }
    const double tall =
        std::min(room.height() - needs.line * (kLeastPictureHeight + kBeneathGap),
                 wordsHeight(block->brief, needs.line) + static_cast<double>(block->rows) * needs.line * kGaugeStep);
    placePicture(room.adjusted(0, 0, 0, -tall - needs.line * kBeneathGap), needs, layout);
    const double top = std::min(std::max(layout.picture.bottom(), layout.caption.bottom()) + needs.line * kBeneathGap,
                                room.bottom() - tall);
    placeBlock(*block, QRectF(room.left(), top, room.width(), tall), needs, layout);
    return layout;
}

}  // namespace ui
