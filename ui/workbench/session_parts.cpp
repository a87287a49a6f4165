#include "ui/workbench/session_parts.h"

#include <algorithm>

namespace ui {

QJsonObject SessionParts::save() const {
    QJsonObject sections;
    for (const SessionPart& part : m_parts) {
        const QJsonValue kept = part.save();
        if (!kept.isNull() && !kept.isUndefined())
            sections.insert(part.name, kept);
    }
    return sections;
}

QStringList SessionParts::restore(SessionScope scope, const QJsonObject& sections) const {
    QStringList left;
    for (const SessionPart& part : m_parts) {
        const auto kept = sections.find(part.name);
        if (part.scope == scope && kept != sections.end() && !part.restore(*kept))
            left << part.name;
    }
    return left;
}

QStringList SessionParts::strangers(const QJsonObject& sections) const {
    QStringList left;
    for (const QString& name : sections.keys()) {
        if (std::none_of(m_parts.begin(), m_parts.end(),
                         [&name](const SessionPart& part) { return part.name == name; }))
            left << name;
    }
    return left;
}

}  // namespace ui
