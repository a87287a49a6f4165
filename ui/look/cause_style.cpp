#include "ui/look/cause_style.h"

#include "ui/look/format.h"
#include "ui/look/kernel_style.h"
#include "ui/look/palette.h"

#include <QCoreApplication>

#include <array>

namespace ui {
namespace {

// Paul Tol's "muted" wine, apart from all roles in every kind of colour vision by its darkness.
constexpr QRgb kMemoryLight = 0xff882255;
constexpr QRgb kMemoryDark = 0xffc86496;

struct CauseStyle {
    const char* meaning;
    Texture texture = Texture::plain;
};
/// By cause.
constexpr std::array<CauseStyle, engine::kCauses> kStyles{{
    {QT_TRANSLATE_NOOP("Cause", "Compute units were at work on what everything waited for.")},
    {QT_TRANSLATE_NOOP("Cause", "DRAM or its latency, within the request's own stream.")},
    {QT_TRANSLATE_NOOP("Cause",
                       "DRAM served the other stream or another kernel, or the arbiter held the request back."),
     Texture::falling},
    {QT_TRANSLATE_NOOP("Cause", "The compute units of a collective kernel loaded, added and sent at their own pace."),
     Texture::crossed},
    {QT_TRANSLATE_NOOP("Cause", "A packet on a link, behind others on it, or on its way.")},
    {QT_TRANSLATE_NOOP("Cause", "A place in the tracker, its trigger, a DMA engine or its start-up."), Texture::dots},
    {QT_TRANSLATE_NOOP("Cause", "A barrier, or data that another part had not made yet."), Texture::rows},
    {QT_TRANSLATE_NOOP("Cause", "A workgroup or a kernel that had to start, or room that another kernel held."),
     Texture::rising},
    {QT_TRANSLATE_NOOP("Cause", "The companion was at work."), Texture::crossed},
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
    // Fine lines in a shade of the fill: a texture must be seen where it matters and not heard anywhere else.
    fill.ink = Palette::mixed(fill.color, Palette::inkOn(fill.color), 0.45);
    fill.texture = kStyles[static_cast<std::size_t>(cause)].texture;
    return fill;
}

}  // namespace ui
