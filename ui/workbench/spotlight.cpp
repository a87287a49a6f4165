#include "ui/workbench/spotlight.h"

#include "ui/workbench/spot_mark.h"

namespace ui {

Spotlight::Spotlight(QWidget& window) : m_window(window) {}

void Spotlight::add(const QString& kind, Show show, std::function<void()> clear) {
    m_kinds[kind] = {std::move(show), std::move(clear)};
}

bool Spotlight::pointAt(const QString& part) {
    clear();
    const qsizetype colon = part.indexOf(u':');
    const auto kind = m_kinds.find(part.left(colon));
    if (colon > 0 && kind == m_kinds.end())
        return false;
    QWidget* target = colon > 0 ? kind->second.show(part.mid(colon + 1)) : m_window.findChild<QWidget*>(part);
    if (target == nullptr)
        return false;
    m_mark = new SpotMark(*target);
    return true;
}

void Spotlight::clear() {
    delete m_mark;
    for (const auto& [name, kind] : m_kinds) {
        if (kind.clear)
            kind.clear();
    }
}

bool Spotlight::isOn() const { return m_mark != nullptr; }

}  // namespace ui
