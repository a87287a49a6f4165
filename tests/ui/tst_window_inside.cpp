// Tests a selected part of a GPU in the whole window.
#include "tests/ui/open_window.h"
#include "tests/ui/window_test.h"

#include "data/experiment/link_text.h"
#include "ui/editors/experiment_feature.h"
#include "ui/editors/experiment_form.h"
#include "ui/editors/parameter_field.h"
#include "ui/inside/inside_feature.h"
#include "ui/inside/inside_view.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/scene/scene_feature.h"
#include "ui/workbench/pictures.h"
#include "ui/workbench/spotlight.h"

#include <set>

namespace {

using data::GpuPart;

std::set<QString> framedFields(ui::RingsideWindow& window) {
    std::set<QString> framed;
    for (auto* field : window.editor().form().findChildren<ui::ParameterField*>())
        if (field->parentWidget()->findChild<ui::SpotlightFrame*>(QString(), Qt::FindDirectChildrenOnly) != nullptr) {
            for (auto* mark :
                 field->parentWidget()->findChildren<ui::SpotlightFrame*>(QString(), Qt::FindDirectChildrenOnly))
                if (mark->geometry().contains(field->geometry().center()))
                    framed.insert(field->objectName());
        }
    return framed;
}

}  // namespace

class TestWindowInside final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSelectedPartIsInTheInspectorAndInTheForm() {
        const auto window = tests::openWindow();
        window->workbench().pictures().showView(QStringLiteral("inside"));
        window->viewState().selectPart({GpuPart::tracker, std::nullopt});
        QApplication::processEvents();
        auto* inspector = window->findChild<ui::InspectorPanel*>();
        QVERIFY(inspector->toPlainText().startsWith(QStringLiteral("Tracker")));
        QVERIFY(inspector->toPlainText().contains(QStringLiteral("entries in use")));
        QVERIFY(inspector->toPlainText().contains(QStringLiteral("tracker.entries: 256")));
        QVERIFY(framedFields(*window).contains(QStringLiteral("field:tracker.entries")));
        window->viewState().clearSelection();
        QApplication::processEvents();
        QVERIFY(framedFields(*window).empty());
        QTRY_VERIFY(!inspector->toPlainText().startsWith(QStringLiteral("Tracker")));
    }

    void atMostOneOfSpanAreaAndPartIsSelected() {
        const auto window = tests::openWindow();
        ui::ViewState& state = window->viewState();
        state.selectPart({GpuPart::dma, 0});
        state.selectArea({{1'000'000, 2'000'000}, 0, 1});
        QVERIFY(!state.selectedPart());
        state.selectPart({GpuPart::dma, 0});
        QVERIFY(!state.selectedArea());
        state.selectSpan({0, 0, 0});
        QVERIFY(!state.selectedPart());
        state.selectPart({GpuPart::dma, 0});
        QVERIFY(!state.selectedSpan());
        state.clearSelection();
        QVERIFY(!state.selectedPart());
    }

    void theSpotlightBringsAPartIntoSight() {
        const auto window = tests::openWindow();
        ui::Spotlight& spotlight = window->workbench().spotlight();
        spotlight.pointAt(QStringLiteral("part:channels/0"));
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("inside"));
        QVERIFY((window->viewState().selectedPart() == data::GpuPartRef{GpuPart::channels, 0}));
        spotlight.clear();
        QVERIFY(!window->viewState().selectedPart());
        QVERIFY(!spotlight.pointAt(QStringLiteral("part:gearbox")));
        QVERIFY(!window->viewState().selectedPart());
    }

    void aLinkKeepsTheGpuAndItsPart() {
        const auto window = tests::openWindow();
        window->workbench().pictures().showView(QStringLiteral("inside"));
        window->viewState().setFocusedGpu(5);
        window->viewState().selectPart({GpuPart::tracker, 7});
        const data::Scene scene = window->scenes().scene();
        QCOMPARE(scene.view, std::string("inside"));
        window->viewState().setFocusedGpu(0);
        window->viewState().clearSelection();
        window->workbench().pictures().showView(QStringLiteral("timeline"));
        window->scenes().showScene(scene);
        QCOMPARE(window->workbench().pictures().current(), QStringLiteral("inside"));
        QCOMPARE(window->viewState().focusedGpu(), 5u);
        QVERIFY((window->viewState().selectedPart() == data::GpuPartRef{GpuPart::tracker, 7}));
    }

    void thePictureFollowsTheCursorForthAndBack() {
        const auto window = tests::openWindow();
        window->workbench().pictures().showView(QStringLiteral("inside"));
        QApplication::processEvents();
        ui::InsideView& view = window->inside().view();
        const auto pictureAt = [&](double share) {
            window->viewState().setCursor(
                static_cast<std::int64_t>(share * static_cast<double>(window->viewState().runEnd())));
            QApplication::processEvents();
            return view.grab().toImage();
        };
        const QImage early = pictureAt(0.3), late = pictureAt(0.6);
        QVERIFY(early != late);
        QCOMPARE(pictureAt(0.3), early);
    }
};

RINGSIDE_WINDOW_TEST(TestWindowInside)
#include "tst_window_inside.moc"
