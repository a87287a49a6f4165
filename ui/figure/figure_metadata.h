#pragma once

#include "data/figure/figure_spec.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace ui {

/// The key of a figure's document in a PNG.
inline constexpr const char* kSpecKey = "Ringside-Spec";
/// The namespace of the SVG elements that contain the provenance and the document.
inline constexpr const char* kFigureNamespace = "urn:ringside:figure:1.0";
inline constexpr const char* kSpecElement = "spec";
/// The file name of the document in bundles and PDF attachments.
inline constexpr const char* kSpecFile = "spec.json";

/// The provenance of a figure in words: "Software" and "Ringside 0.2.0 (engine 0.2.0)", one entry for each experiment
/// with its hash and for each published value with its label. Unknown entries are left out.
using MetadataEntries = std::vector<std::pair<QString, QString>>;
MetadataEntries metadataOf(const data::FigureSpec& spec);

/// Returns the title, or the name if there is no title.
QString titleOf(const data::FigureSpec& spec);

/// Returns title and provenance as an XMP packet.
QByteArray xmpOf(const data::FigureSpec& spec);

/// Returns the document as bytes.
QByteArray specBytes(const data::FigureSpec& spec);

}  // namespace ui
