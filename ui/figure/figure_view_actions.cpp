// The commands of the Figure view.
#include "data/document/whole_file.h"
#include "data/figure/figure_combination.h"
#include "data/figure/figure_document.h"
#include "ui/figure/figure_bundle.h"
#include "ui/figure/figure_list.h"
#include "ui/figure/figure_options.h"
#include "ui/figure/figure_view.h"
#include "ui/look/format.h"
#include "ui/workbench/availability.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonObject>
#include <QSplitter>

#include <algorithm>
#include <array>

namespace ui {
namespace {

constexpr std::array kZooms{"figure.true-size", "figure.twice", "figure.fit"};  // by FigureZoom
constexpr qsizetype kMostKept = 8;             // most figures kept in a session, which are read before the window opens
constexpr std::size_t kLargestKept = 400'000;  // largest kept figure in bytes

}  // namespace

void FigureView::buildActions() {
    m_commands.add(
        {.id = "figure.make",
         .text = tr("&Make Selected"),
         .hint = tr(
             "Makes the selected figures from simulation, again if they are already made, with the edits they have")},
        this, &FigureView::make);
    m_commands.add({.id = "figure.make-all",
                    .text = tr("Make &All"),
                    .hint = tr("Makes all figures from simulation that are not made yet")},
                   this, [this] {
                       QStringList names;
                       for (const FigureEntry& figure : m_collection.figures()) {
                           if (!figure.galleryName.isEmpty() && !figure.spec)
                               names << figure.galleryName;
                       }
                       m_session.make(names);
                   });
    auto* cancel = m_commands.add(
        {.id = "figure.cancel", .text = tr("Cancel Making"), .hint = tr("Stops making figures; Escape does the same")},
        &m_session, &FigureSession::cancel);
    setAvailable(*cancel, false, tr("No figure is being made."));
    m_commands.add({.id = "figure.export",
                    .text = tr("&Export Files…"),
                    .hint = tr("Writes the selected figures in the chosen formats into a folder"),
                    .startsSection = true},
                   this, &FigureView::askAndExport);
    m_commands.add({.id = "figure.copy",
                    .text = tr("C&opy Selected"),
                    .hint = tr("Copies as vectors and as an image; the other program takes what it can use")},
                   this, &FigureView::copy);
    m_commands.add(
        {.id = "figure.copy-latex",
         .text = tr("Copy &LaTeX"),
         .hint =
             tr("Copies the LaTeX lines that include the exported PDF in a document, with caption and description")},
        this, &FigureView::copyLatex);
    m_commands.add({.id = "figure.combine",
                    .text = tr("Com&bine Selected"),
                    .hint = tr("Makes one figure of the selected ones, with the panels of all of them")},
                   this, &FigureView::combine);
    m_commands.add(
        {.id = "figure.remove",
         .text = tr("&Remove Figure"),
         .keys = {QKeySequence::Delete},
         .hint = tr("Removes the selected figures; figures from simulation stay in the list and can be made again")},
        this, &FigureView::removeSelected);
    m_zooms = new QActionGroup(this);
    const std::array texts{tr("Show &True Size"), tr("Show T&wice the Size"), tr("&Fit to Preview")};
    const std::array hints{tr("As large as it will be printed"), tr("Twice as large as it will be printed"),
                           tr("As large as the preview allows")};
    for (std::size_t i = 0; i < kZooms.size(); ++i) {
        QAction* zoom = m_commands.add(
            {.id = QString::fromLatin1(kZooms[i]), .text = texts[i], .hint = hints[i], .startsSection = i == 0}, this,
            [this, i] { m_preview->setZoom(static_cast<FigureZoom>(i)); });
        zoom->setCheckable(true);
        m_zooms->addAction(zoom);
    }
}

void FigureView::followZoom() {
    m_commands.actionOf(kZooms[static_cast<std::size_t>(m_preview->zoom())])->setChecked(true);
}

void FigureView::make() {
    for (const int id : m_list->selectedIds()) {
        const FigureEntry* figure = m_collection.find(id);
        if (figure == nullptr || !canMake(*figure))
            continue;
        if (figure->galleryName.isEmpty())
            m_session.makeAgain(figure->key(), *figure->spec);
        else
            m_session.make({figure->galleryName});
    }
}

bool FigureView::canMake(const FigureEntry& figure) const {
    return figure.canBeMade() && (!figure.galleryName.isEmpty() || m_session.makesAgain());
}

void FigureView::removeSelected() {
    for (const int id : m_list->selectedIds())
        m_collection.remove(id);
}

std::vector<ReadyFigure> FigureView::selectedFigures() const {
    std::vector<ReadyFigure> figures;
    for (const int id : m_list->selectedIds()) {
        const FigureEntry* figure = m_collection.find(id);
        if (figure != nullptr && figure->spec)
            figures.push_back(ready(*figure->spec));
    }
    return figures;
}

void FigureView::askAndExport() {
    if (m_formats->chosen().empty()) {
        Q_EMIT failed(tr("No file format is chosen: tick at least one format beside the preview."));
        return;
    }
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export into Folder"), QDir::homePath());
    if (!folder.isEmpty())
        exportTo(folder);
}

void FigureView::exportTo(const QString& folder) {
    const std::vector<ReadyFigure> figures = selectedFigures();
    if (figures.empty() || m_formats->chosen().empty()) {
        Q_EMIT failed(figures.empty() ? tr("None of the selected figures is made yet: make one first.")
                                      : tr("No file format is chosen: tick at least one format beside the preview."));
        return;
    }
    try {
        const QStringList written = exportFigures(folder, figures, m_formats->chosen(), m_formats->zipped());
        Q_EMIT said(written.size() == 1
                        ? tr("Exported: %1").arg(QDir::toNativeSeparators(written.front()))
                        : tr("%1 figures exported into %2").arg(written.size()).arg(QDir::toNativeSeparators(folder)));
    } catch (const data::FileError& error) {
        Q_EMIT failed(tr("Not exported: %1").arg(QString::fromUtf8(error.what())));
    }
}

void FigureView::copy() {
    if (!m_shown)
        return;
    Q_EMIT said(putOnClipboard(*m_shown));
}

void FigureView::combine() {
    std::vector<data::CombinedPart> parts;
    for (const ReadyFigure& figure : selectedFigures())
        parts.push_back({figure.spec.name + ".pdf", figure.spec});
    engine::Problems problems;
    std::vector<std::string> remarks;
    data::FigureSpec combined = data::combined(parts, problems, remarks);
    if (!problems.empty()) {
        Q_EMIT failed(tr("Not combined: %1").arg(text(problems)));
        return;
    }
    combined.letters = true;
    take({std::move(combined), {}});
    QStringList said{tr("The panels of %1 figures are in one.").arg(parts.size())};
    for (const std::string& remark : remarks)
        said << QString::fromStdString(remark) + QLatin1Char('.');
    Q_EMIT this->said(said.join(QLatin1Char('\n')));
}

void FigureView::copyLatex() {
    if (!m_shown)
        return;
    QGuiApplication::clipboard()->setText(latexOf(m_shown->spec, m_shown->laidOut.list.page.width()));
    Q_EMIT said(tr("The LaTeX lines of “%1” are on the clipboard; they need %2.pdf beside the document.")
                    .arg(QString::fromStdString(m_shown->spec.title), QString::fromStdString(m_shown->spec.name)));
}

bool FigureView::stepOut() {
    if (!m_session.isRunning())
        return false;
    m_session.cancel();
    return true;
}

QJsonValue FigureView::save() const {
    QJsonObject kept;
    QJsonArray formats;
    for (const FigureFormat format : m_formats->chosen())
        formats.append(static_cast<int>(format));
    kept[QStringLiteral("formats")] = formats;
    kept[QStringLiteral("zipped")] = m_formats->zipped();
    kept[QStringLiteral("zoom")] = static_cast<int>(m_preview->zoom());
    QJsonArray figures;
    for (const FigureEntry& figure : m_collection.figures()) {
        if (!figure.spec || figures.size() == kMostKept)
            continue;
        const std::string document = data::writeFigure(*figure.spec);
        if (document.size() <= kLargestKept)
            figures.append(QJsonObject{{QStringLiteral("gallery"), figure.galleryName},
                                       {QStringLiteral("document"), QString::fromStdString(document)}});
    }
    kept[QStringLiteral("figures")] = figures;
    return kept;
}

// Restores the figures of a session. Figures that can no longer be read are left out.
bool FigureView::restore(const QJsonValue& kept) {
    const QJsonValue zoom = kept[QStringLiteral("zoom")];
    const QJsonValue formats = kept[QStringLiteral("formats")];
    const QJsonValue figures = kept[QStringLiteral("figures")];
    const int chosenZoom = zoom.toInt(-1);
    if (!formats.isArray() || !figures.isArray() || chosenZoom < 0 || chosenZoom >= static_cast<int>(kZooms.size()) ||
        figures.toArray().size() > kMostKept)
        return false;
    std::vector<FigureFormat> chosen;
    for (const QJsonValue& format : formats.toArray()) {
        const int number = format.toInt(-1);
        if (number < 0 || number > static_cast<int>(FigureFormat::alternative))
            return false;
        chosen.push_back(static_cast<FigureFormat>(number));
    }
    m_formats->choose(chosen);
    m_formats->setZipped(kept[QStringLiteral("zipped")].toBool());
    m_preview->setZoom(static_cast<FigureZoom>(chosenZoom));
    for (const QJsonValue& figure : figures.toArray()) {
        const std::string document = figure[QStringLiteral("document")].toString().toStdString();
        data::FigureReading reading = data::readFigure(document, "the last session");
        if (!reading.figure)
            continue;
        const QString gallery = figure[QStringLiteral("gallery")].toString();
        if (m_collection.ofGallery(gallery) != nullptr)
            m_collection.setMade(gallery, std::move(*reading.figure));
        else
            m_collection.add({std::move(*reading.figure), {}});
    }
    m_collection.undoStack().clear();  // the restored state is where undo ends
    return true;
}

}  // namespace ui
