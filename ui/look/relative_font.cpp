#include "ui/look/relative_font.h"

#include <QEvent>
#include <QWidget>

namespace ui {
namespace {

class RelativeFont final : public QObject {
public:
    RelativeFont(QWidget& widget, double factor, QFont::Weight weight)
        : QObject(&widget), m_widget(widget), m_factor(factor), m_weight(weight) {
        widget.parentWidget()->installEventFilter(this);
        apply();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FontChange && watched == m_widget.parentWidget())
            apply();
        return false;
    }

private:
    void apply() {
        QFont font = m_widget.parentWidget()->font();
        font.setPointSizeF(font.pointSizeF() * m_factor);
        font.setWeight(m_weight);
        m_widget.setFont(font);
    }

    QWidget& m_widget;
    double m_factor;
    QFont::Weight m_weight;
};

}  // namespace

void setRelativeFont(QWidget& widget, double factor, QFont::Weight weight) {
    new RelativeFont(widget, factor, weight);  // the widget's child: it ends with it
}

}  // namespace ui
