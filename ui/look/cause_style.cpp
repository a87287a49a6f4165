#include "ui/look/cause_style.h"

#include "ui/look/format.h"
#include "ui/look/palette.h"

#include <QCoreApplication>

namespace ui {
namespace {

// Paul Tol's "muted" wine, apart from all roles in every kind of colour vision by its darkness.
constexpr QRgb kMemoryLight = 0xff882255;
constexpr QRgb kMemoryDark = 0xffc86496;

QString translated(const char* text) { return QCoreApplication::translate("Cause", text); }

}  // namespace

QString textOf(engine::Cause cause) { return text(engine::name(cause)); }

QString meaningOf(engine::Cause cause) {
    switch (cause) {
    case engine::Cause::compute: return translated("Compute units were at work on what everything waited for.");
    case engine::Cause::memory: return translated("DRAM or its latency, within the request's own stream.");
    case engine::Cause::contention:
        return translated("DRAM served the other stream, or the arbiter held the request back for it.");
    case engine::Cause::collectiveKernel:
        return translated("The compute units of a collective kernel loaded, added and sent at their own pace.");
    case engine::Cause::link: return translated("A packet on a link, behind others on it, or on its way.");
    case engine::Cause::trackerDma:
        return translated("A place in the tracker, its trigger, a DMA engine or its start-up.");
    case engine::Cause::dependency: return translated("A barrier, or data that another part had not made yet.");
    case engine::Cause::dispatch: return translated("A workgroup that had to start, or a kernel.");
    }
    return {};
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
    }
    return palette.inkFaint;
}

Fill fillOf(engine::Cause cause, const Palette& palette) {
    Fill fill;
    fill.color = colourOf(cause, palette);
    // Fine lines in a shade of the fill: a texture must be seen where it matters and not heard anywhere else.
    fill.ink = Palette::mixed(fill.color, Palette::inkOn(fill.color), 0.45);
    switch (cause) {
    case engine::Cause::compute:
    case engine::Cause::memory:
    case engine::Cause::link: break;
    case engine::Cause::contention: fill.texture = Texture::falling; break;
    case engine::Cause::collectiveKernel: fill.texture = Texture::crossed; break;
    case engine::Cause::trackerDma: fill.texture = Texture::dots; break;
    case engine::Cause::dependency: fill.texture = Texture::rows; break;
    case engine::Cause::dispatch: fill.texture = Texture::rising; break;
    }
    return fill;
}

}  // namespace ui
