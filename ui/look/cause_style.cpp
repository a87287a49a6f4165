#include "ui/look/cause_style.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/palette.h"

#include <QCoreApplication>

#include <array>

namespace ui {
namespace {

// The wine of Paul Tol's scheme "muted". Its darkness distinguishes it from all roles in every kind of colour vision.
constexpr QRgb kMemoryLight = 0xff882255;
constexpr QRgb kMemoryDark = 0xffc86496;
// Paler wine: latency and bandwidth are parts of memory.
constexpr QRgb kLatencyLight = 0xffd68fb8;
constexpr QRgb kLatencyDark = 0xff8a3f66;
// The olive of the same scheme.
constexpr QRgb kSlicesLight = 0xff999933;
constexpr QRgb kSlicesDark = 0xffb8b85c;

struct CauseStyle {
    const char* meaning;
    Texture texture = Texture::plain;
};
/// The meaning and texture of each cause.
constexpr std::array<CauseStyle, engine::kCauses> kStyles{{
    {QT_TRANSLATE_NOOP("Cause", "Compute units computed the work that everything else waited for.")},
    {QT_TRANSLATE_NOOP("Cause", "The latency of memory or cache passed, and the compute unit had nothing to compute.")},
    {QT_TRANSLATE_NOOP("Cause", "DRAM served the request and those before it in the same stream.")},
    {QT_TRANSLATE_NOOP("Cause",
                       "A load waited in the slices of the cache behind others, or for the bandwidth of the cache.")},
    {QT_TRANSLATE_NOOP("Cause",
                       "DRAM served the other stream or another kernel, or the arbiter held the request back."),
     Texture::falling},
    {QT_TRANSLATE_NOOP("Cause", "The compute units of a collective kernel loaded, added and sent at their own pace."),
     Texture::crossed},
    {QT_TRANSLATE_NOOP("Cause", "A packet was queued behind others, being sent, or in transit on a link.")},
    {QT_TRANSLATE_NOOP("Cause",
                       "The run waited for a place in the tracker, its trigger, a DMA engine or its start-up."),
     Texture::dots},
    {QT_TRANSLATE_NOOP("Cause", "The run waited at a barrier, or for data that another part had not produced yet."),
     Texture::rows},
    {QT_TRANSLATE_NOOP(
         "Cause",
         "A workgroup, a kernel or a piece of a GEMM was starting, or waited for room that another kernel held."),
     Texture::rising},
    {QT_TRANSLATE_NOOP("Cause", "The run waited for work of the companion."), Texture::crossed},
}};

}  // namespace

QString textOf(engine::Cause cause) { return text(engine::name(cause)); }

QString meaningOf(engine::Cause cause) {
    return QCoreApplication::translate("Cause", kStyles[static_cast<std::size_t>(cause)].meaning);
}

QColor colourOf(engine::Cause cause, const Palette& palette) {
    const bool dark = palette.theme == Theme::dark;
    switch (cause) {
    case engine::Cause::compute: return palette.of(Role::gemm);
    case engine::Cause::latency: return QColor::fromRgb(dark ? kLatencyDark : kLatencyLight);
    case engine::Cause::cacheSlices: return QColor::fromRgb(dark ? kSlicesDark : kSlicesLight);
    case engine::Cause::memory: return QColor::fromRgb(dark ? kMemoryDark : kMemoryLight);
    case engine::Cause::contention: return palette.of(Role::exposed);
    case engine::Cause::collectiveKernel: return palette.of(Role::reduceScatter);
    case engine::Cause::link: return palette.of(Role::link);
    case engine::Cause::trackerDma: return palette.of(Role::tracker);
    case engine::Cause::dependency: return palette.inkFaint;
    case engine::Cause::dispatch: return Palette::mixed(palette.inkFaint, palette.surface, 0.55);
    case engine::Cause::companion: return fillOf(data::kFirstCopy, palette).color;
    }
    return palette.inkFaint;
}

Fill fillOf(engine::Cause cause, const Palette& palette) {
    Fill fill;
    fill.color = colourOf(cause, palette);
    // Fine lines in a shade of the fill, so that the texture is visible but does not distract.
    fill.ink = Palette::mixed(fill.color, Palette::inkOn(fill.color), 0.45);
    fill.texture = kStyles[static_cast<std::size_t>(cause)].texture;
    return fill;
}

}  // namespace ui
