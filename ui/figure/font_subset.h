#pragma once

#include <QByteArray>
#include <QString>

namespace ui {

/// A font with only the letters of `text`, kerning included: a tenth of the whole one. Empty where `font` is none.
QByteArray fontSubset(const QByteArray& font, const QString& text);

}  // namespace ui
