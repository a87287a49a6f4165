#pragma once

#include "engine/api/dram_place.h"
#include "engine/api/experiment.h"
#include "ui/drawing/part_picture.h"
#include "ui/look/texture.h"
#include "ui/memory/address_letters.h"

#include <cstddef>
#include <optional>
#include <string>

class QComboBox;
class QPushButton;

namespace ui {

/// An edit that the address bar asks for: the value of a parameter, and the text of the undo step.
struct AddressEdit {
    std::string path, value;
    QString step;
};

/// Shows the address mapping of an experiment, the high bit on the left, and where it places the first requests. A letter
/// is moved with the mouse or with Ctrl and an arrow. The bar changes no experiment itself: it asks for edits and shows
/// what it is given.
class AddressBar final : public PartPicture {
    Q_OBJECT

public:
    explicit AddressBar(QWidget* parent = nullptr);

    /// Shows a valid experiment. `ran`: that of the run beside which the bar stands, if there is one.
    void showExperiment(const engine::Experiment& experiment, const std::optional<engine::AddressConfig>& ran);
    /// Aligns the first cell with the time axis of the picture.
    void setLeft(double left);

    const AddressLetters& letters() const { return m_letters; }
    const engine::FirstGranules& walk() const { return m_walk; }
    std::optional<std::size_t> selectedLetter() const { return m_selected; }
    QRectF letterBox(std::size_t letter) const { return m_letterBoxes[letter]; }
    QRectF squareBox(std::size_t square) const { return m_squareBoxes[square]; }
    std::size_t squares() const { return m_squareBoxes.size(); }
    /// The line of text below: of the square under the pointer, of the refused move, of the selected letter, or of all
    /// squares.
    QString words() const;
    /// Returns the height that the bar needs, in lines of text.
    static double heightInLines();

Q_SIGNALS:
    void edited(const ui::AddressEdit& edit);
    /// Between these two signals a letter is dragged.
    void dragBegan();
    void dragEnded();

protected:
    void layOut() override;
    std::vector<Part> parts() override;
    void paintBackground(QPainter& painter) override;
    void paintMoment(QPainter& painter, const QRegion& region) override;
    std::function<void()> actionOf(int key) override;
    QString spokenText() const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    bool isMapped() const { return !m_letters.letters.empty(); }
    bool hasBanks() const { return m_experiment.memory.model == engine::DramModel::banks; }
    QComboBox* newHashChoice(const char* path, const QString& name, const QString& spoken);
    void placeControls();
    void placeCells(double right);
    void placeSquares();
    void select(std::size_t letter);
    void moveLetter(std::size_t to);
    void beginDrag(std::size_t letter);
    void dragTo(QPointF at);
    QString burstText() const;
    QString letterText(std::size_t letter) const;
    QString placeText(const engine::PlacedGranule& granule) const;
    QString walkText() const;
    QString ruleText() const;
    Fill fillOf(char letter) const;

    void paintLetters(QPainter& painter) const;
    void paintBracket(QPainter& painter) const;
    void paintSquares(QPainter& painter) const;
    void paintName(QPainter& painter, const QRectF& row, const QString& name) const;

    engine::Experiment m_experiment;
    std::optional<engine::AddressConfig> m_ran;
    AddressLetters m_letters;
    engine::FirstGranules m_walk;
    double m_left = 0;
    double m_right = 0;  // of the cells
    QRectF m_rowBox, m_burstBox;
    std::vector<QRectF> m_letterBoxes, m_squareBoxes;
    std::optional<std::size_t> m_selected, m_dragged, m_hovered;
    QString m_refused;  // why the last move was not made
    QComboBox* m_hash;
    QComboBox* m_bankHash;
    QPushButton* m_edit;
};

}  // namespace ui
