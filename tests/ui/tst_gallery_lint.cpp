#include "tests/ui/window_test.h"

#include "data/figure/figure_gallery.h"
#include "data/figure/figure_size.h"
#include "ui/figure/figure_lint.h"

namespace {

/// Returns all figures of the gallery, which are simulated once.
const std::vector<data::FigureSpec>& galleryFigures() {
    static const std::vector<data::FigureSpec> kFigures = [] {
        data::GalleryOptions options;
        options.settings["detail.level"] = std::string("interactive");
        options.threads = 2;
        data::Gallery gallery(options);
        std::vector<data::FigureSpec> figures;
        for (const data::GalleryEntry& entry : data::galleryEntries())
            figures.push_back(gallery.make(entry.name));
        return figures;
    }();
    return kFigures;
}

}  // namespace

class TestGalleryLint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reviewersObjectToNoFigureInAnySizeOrTheme() {
        for (data::FigureSpec figure : galleryFigures()) {
            for (const data::FigureSizePreset& size : data::figureSizes()) {
                for (const std::string& theme : data::figureThemeNames()) {
                    figure.size = size.size;
                    figure.theme = *data::figureThemeNamed(theme);
                    for (const ui::LintFinding& finding : ui::lint(figure, ui::layOut(figure)))
                        QFAIL(qPrintable(QStringLiteral("%1, %2, %3: %4")
                                             .arg(QString::fromStdString(figure.name),
                                                  QString::fromStdString(std::string(size.name)),
                                                  QString::fromStdString(theme), finding.text)));
                }
            }
        }
    }
};

RINGSIDE_WINDOW_TEST(TestGalleryLint)
#include "tst_gallery_lint.moc"
