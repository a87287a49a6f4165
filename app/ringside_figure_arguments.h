#pragma once

#include "app/ringside_arguments.h"
#include "data/figure/figure_size.h"
#include "data/presets/presets.h"
#include "ui/figure/figure_writers.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

namespace app {

/// What `ringside figure` was asked for.
struct FigureArguments {
    /// One file, all files of a figure in a folder or zip, or the gallery by its names.
    enum class Asked { list, file, folder, zip, all };

    Asked asked = Asked::file;
    QString what;  ///< an entry of the gallery, or a file that carries a figure
    bool carried = false;
    QString out;
    std::vector<ui::FigureFormat> formats;  ///< one for a file
    bool bundle = false;                    ///< every format
    std::optional<data::FigureSize> size;   ///< nothing: the figure's own; so with theme and height
    std::optional<data::FigureTheme> theme;
    std::optional<double> height;
    std::optional<double> dpi;  ///< nothing: as the writers choose
    data::Settings settings;
    int threads = 1;
    bool dated = true;

    /// Whether files of several figures would be called the same in one folder.
    bool ownFolders() const;
};

struct FigureArgumentsReading {
    std::optional<FigureArguments> arguments;  ///< absent: say `text` and leave with `exitCode`
    QString text;
    int exitCode = 0;
};

/// Reads everything after "figure". Needs no application. What is wrong is said at once, a line each.
FigureArgumentsReading readFigureArguments(const QStringList& words);

/// The options of `ringside figure`.
std::span<const OptionText> figureOptions();

/// What a bundle holds.
const std::vector<ui::FigureFormat>& bundleFormats();

}  // namespace app
