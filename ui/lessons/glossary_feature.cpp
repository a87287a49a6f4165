#include "ui/lessons/glossary_feature.h"

#include "ui/lessons/glossary_dialog.h"
#include "ui/look/widget_parts.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/spotlight.h"
#include "ui/workbench/workbench.h"

#include <QMainWindow>

namespace ui {
namespace {

constexpr int kGlossaryRank = 25;

}  // namespace

GlossaryFeature::GlossaryFeature(Workbench& workbench) : m_workbench(workbench) {
    workbench.commands().add({.id = QStringLiteral("help.glossary"),
                              .text = tr("&Glossary…"),
                              .group = CommandGroup::help,
                              .keys = {},
                              .hint = tr("Explains terms such as tracker, NMC, MCA, wave and granule"),
                              .rank = kGlossaryRank},
                             this, [this] { open(); });
}

void GlossaryFeature::open(const QString& id) {
    auto* dialog = new GlossaryDialog(&m_workbench.window());
    dialog->showTerm(id);
    connect(dialog, &GlossaryDialog::partRequested, this, [this, dialog](const QString& word) {
        dialog->accept();  // the dialog would cover the picture
        m_workbench.spotlight().pointAt(QStringLiteral("part:") + word);
    });
    openOnce(*dialog);
}

}  // namespace ui
