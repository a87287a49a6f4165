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

/// The arguments of `ringside figure`.
struct FigureArguments {
    /// The output: one file, all files of a figure in a folder or zip, or the names of the gallery.
    enum class Asked { list, file, folder, zip, all };

    Asked asked = Asked::file;
    QString what;  ///< an entry of the gallery, or a file that contains a figure
    bool carried = false;
    QString out;
    std::vector<ui::FigureFormat> formats;  ///< one for a file
    bool bundle = false;                    ///< every format
    std::optional<data::FigureSize> size;   ///< absent: the figure's own; the same for theme and height
    std::optional<data::FigureTheme> theme;
    std::optional<double> height;
    std::optional<double> dpi;  ///< absent: the writers choose
    data::Settings settings;
    int threads = 1;
    bool dated = true;

    /// Returns whether files of several figures would have the same name in one folder.
    bool ownFolders() const;
};

struct FigureArgumentsReading {
    std::optional<FigureArguments> arguments;  ///< absent: print `text` and exit with `exitCode`
    QString text;
    int exitCode = 0;
};

/// Reads the words after "figure". Needs no application. Problems are returned at once, one on each line.
FigureArgumentsReading readFigureArguments(const QStringList& words);

/// Returns the options of `ringside figure`.
std::span<const OptionText> figureOptions();

/// Returns the formats that a bundle contains.
const std::vector<ui::FigureFormat>& bundleFormats();

}  // namespace app
