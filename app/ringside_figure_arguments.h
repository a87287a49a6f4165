#pragma once

#include "app/ringside_arguments.h"
#include "data/figure/figure_spec.h"
#include "ui/figure/figure_writers.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

namespace app {

/// The arguments of `ringside figure`.
struct FigureArguments {
    /// The output: one file, all files of a figure in a folder or zip, the names of the gallery, or what a figure in a file
    /// says about itself.
    enum class Asked { list, file, folder, zip, all, check, about };

    Asked asked = Asked::file;
    QString what;                           ///< an entry of the gallery, a view, or a file
    QStringList combined;                   ///< the files whose figures become one; `what` is "combine"
    bool carried = false;                   ///< `what` contains a figure
    bool again = false;                     ///< its numbers are made again
    data::FigureSource source;              ///< of the figure; unknown for one from a file
    std::vector<std::string> edits;         ///< of --size, --theme, --width, --height and --look
    QString out;                            ///< "-" is standard output
    std::vector<ui::FigureFormat> formats;  ///< one for a file
    bool bundle = false;                    ///< every format
    std::optional<double> dpi;              ///< absent: the writers choose
    std::vector<std::string> settings;      ///< of every experiment, as written
    QString store;                          ///< of sweeps and evaluations; empty: in memory
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
