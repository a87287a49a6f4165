#include "ui/look/kernel_style.h"

#include "engine/api/experiment.h"
#include "engine/api/parameters.h"
#include "engine/api/run_parts.h"
#include "ui/look/format.h"
#include "ui/look/palette.h"
#include "ui/look/run_words.h"

#include <QCoreApplication>

#include <array>

namespace ui {
namespace {

// Purple, olive and rose after Paul Tol's "muted". They differ from the roles' colours and are visible on both
// backgrounds.
constexpr std::array<QRgb, 3> kHues{0xff9a5bbf, 0xff8f8d2b, 0xffb8586f};
constexpr std::array kTextures{Texture::falling, Texture::rising, Texture::rows, Texture::crossed, Texture::dots};

QString kernelTr(const char* text) { return QCoreApplication::translate("KernelName", text); }

QString collectiveName(const engine::Experiment& experiment) {
    const engine::RunParts parts = engine::runPartsOf(experiment);
    const bool scatters = parts.reduceScatter || parts.allToAll;
    if (scatters && parts.allGather)
        return kernelTr("collective");
    return scatters ? scatterWord(experiment) : kernelTr("all-gather");
}

}  // namespace

QString companionWord(const engine::Experiment& experiment) {
    if (engine::hasInMemoryPass(experiment))
        return kernelTr("pass inside memory");
    return engine::hasCompanionGemm(experiment) ? kernelTr("GEMM") : text(engine::name(experiment.companion.operation));
}

QString kernelName(const engine::Experiment& experiment, data::KernelNumber kernel) {
    if (kernel < data::kFirstCopy) {
        const QString name = kernel == data::kGemmKernel ? kernelTr("GEMM") : collectiveName(experiment);
        return engine::hasCompanion(experiment) ? kernelTr("own %1").arg(name) : name;
    }
    if (experiment.companion.copies > 1)
        return kernelTr("companion copy %1").arg(kernel - data::kCollectiveKernel);
    return kernelTr("companion %1").arg(companionWord(experiment));
}

Fill fillOf(data::KernelNumber kernel, const Palette& palette, bool shaded) {
    Fill fill;
    if (kernel < data::kFirstCopy) {
        const Role role = kernel == data::kGemmKernel ? Role::gemm : Role::reduceScatter;
        fill.color = shaded ? palette.shaded(role) : palette.of(role);
        fill.texture = kernel == data::kGemmKernel ? Texture::plain : Texture::dots;
    } else {
        const std::size_t copy = kernel - data::kFirstCopy;
        fill.color = QColor::fromRgb(kHues[copy % kHues.size()]);
        if (shaded)
            fill.color = palette.shaded(fill.color);
        fill.texture = kTextures[copy % kTextures.size()];
    }
    fill.ink = Palette::mixed(fill.color, Palette::inkOn(fill.color), 0.55);
    return fill;
}

Fill emptySlotFill(const Palette& palette) { return {palette.stripe, palette.inkFaint, Texture::falling}; }

}  // namespace ui
