#pragma once

#include <QByteArray>

#include <cstddef>
#include <optional>

namespace ui {

/// The text that stands under `key` in a PNG, as UTF-8. Reads text chunks alone and never decodes the picture; nothing where
/// there is none, where its chunk is damaged, or where it would unpack to more than `limit`.
std::optional<QByteArray> textInPng(const QByteArray& png, const QByteArray& key, std::size_t limit);

}  // namespace ui
