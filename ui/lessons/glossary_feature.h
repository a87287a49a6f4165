#pragma once

#include <QObject>
#include <QString>

namespace ui {

class Workbench;

/// The glossary in the Help menu.
class GlossaryFeature final : public QObject {
    Q_OBJECT

public:
    /// `workbench` must outlive the feature.
    explicit GlossaryFeature(Workbench& workbench);

    /// Opens the glossary at a term; an empty id for the first one.
    void open(const QString& id = {});

private:
    Workbench& m_workbench;
};

}  // namespace ui
