#pragma once

#include "data/figure/figure_spec.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace ui {

/// Under which a figure's document stands in a PNG.
inline constexpr const char* kSpecKey = "Ringside-Spec";
/// Of the elements in an SVG that say where it comes from, and of the one that holds the document.
inline constexpr const char* kFigureNamespace = "urn:ringside:figure:1.0";
inline constexpr const char* kSpecElement = "spec";
/// Of the document in bundles and PDF attachments.
inline constexpr const char* kSpecFile = "spec.json";

/// What made a figure, in words: "Software" and "Ringside 0.2.0 (engine 0.2.0)", one entry for each experiment with its
/// hash and for each published number with its label. What is not said is left out.
using MetadataEntries = std::vector<std::pair<QString, QString>>;
MetadataEntries metadataOf(const data::FigureSpec& spec);

/// The title; the name where there is none.
QString titleOf(const data::FigureSpec& spec);

/// The same as an XMP packet.
QByteArray xmpOf(const data::FigureSpec& spec);

/// The document as bytes.
QByteArray specBytes(const data::FigureSpec& spec);

}  // namespace ui
