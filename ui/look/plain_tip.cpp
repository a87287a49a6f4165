#include "ui/look/plain_tip.h"

#include <QTextDocument>

namespace ui {

QString plainTip(const QString& text) {
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

}  // namespace ui
