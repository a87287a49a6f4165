#pragma once

#include "engine/api/problem.h"

#include <QString>

#include <string_view>

namespace ui {

/// Text of engine and data, which is UTF-8, as the window shows it.
inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Each problem on a line of its own.
QString text(const engine::Problems& problems);

}  // namespace ui
