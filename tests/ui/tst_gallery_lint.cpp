#include "tests/gallery_figures.h"
#include "tests/ui/window_test.h"

#include "data/figure/figure_gallery.h"
#include "data/figure/figure_size.h"
#include "ui/figure/figure_lint.h"

class TestGalleryLint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reviewersObjectToNoFigureInAnySizeOrTheme() {
        tests::GalleryFigures figures(tests::GalleryFigures::Use::reads);
        for (const data::GalleryEntry& entry : data::galleryEntries()) {
            data::FigureSpec figure = figures.figure(std::string(entry.name));
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
