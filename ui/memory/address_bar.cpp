#include "ui/memory/address_bar.h"

#include "engine/api/parameters.h"
#include "ui/look/format.h"
#include "ui/look/texture.h"
#include "ui/look/tile_style.h"
#include "ui/look/widget_parts.h"

#include <QComboBox>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <set>

namespace ui {
namespace {

constexpr std::size_t kMostSquares = 64;
// All sizes are in lines of text.
constexpr double kCellTop = 0.15, kCellHeight = 1.4;
constexpr double kBracketTop = 1.65, kBracketHeight = 0.85;
constexpr double kWalkTop = 2.55, kWalkHeight = 1.05;
constexpr double kWordsTop = 3.65, kHeight = 4.6;
constexpr double kMostLetter = 1.9, kEndCell = 3;
constexpr double kMostSquare = 1.9;
constexpr double kSmall = 0.88;
constexpr char kMappingPath[] = "address.mapping", kHashPath[] = "address.hash", kBankHashPath[] = "address.bank_hash";

QString wordOf(const char* path, const engine::Experiment& experiment) {
    const engine::Parameter& parameter = *engine::findParameter(path);
    return QString::fromStdString(engine::formatValue(parameter, parameter.read(experiment)));
}

bool isCtrlArrow(const QKeyEvent& key) {
    return (key.modifiers() & ~Qt::KeypadModifier) == Qt::ControlModifier &&
           (key.key() == Qt::Key_Left || key.key() == Qt::Key_Right);
}

}  // namespace

AddressBar::AddressBar(QWidget* parent)
    : PartPicture({.name = QStringLiteral("addressBar"),
                   .spoken = tr("Address bits, from the high one to the low one"),
                   .least = {20, 4}},
                  parent),
      m_hash(newHashChoice(kHashPath, QStringLiteral("addressHash"), tr("Channel hash"))),
      m_bankHash(newHashChoice(kBankHashPath, QStringLiteral("addressBankHash"), tr("Bank hash"))),
      m_edit(new QPushButton(tr("Edit as Mapping"), this)) {
    setMouseTracking(true);
    setNames(*m_edit, QStringLiteral("editAsMapping"), tr("Edit as Mapping"));
    connect(m_edit, &QPushButton::clicked, this, [this] {
        Q_EMIT edited({kMappingPath, engine::kUsualMapping, tr("Edit as Mapping")});
    });
    keepKeys(*this, [this](const QKeyEvent& key) { return isCtrlArrow(key) && isMapped(); });
    new ControlKeyFilter(*this);
}

double AddressBar::heightInLines() { return kHeight; }

QComboBox* AddressBar::newHashChoice(const char* path, const QString& name, const QString& spoken) {
    auto* choice = new QComboBox(this);
    setNames(*choice, name, spoken);
    for (const std::string_view word : engine::findParameter(path)->words)
        choice->addItem(text(word));
    choice->setFocusPolicy(Qt::TabFocus);
    connect(choice, &QComboBox::activated, this, [this, path, choice, spoken](int) {
        Q_EMIT edited({path, choice->currentText().toStdString(), tr("Change %1").arg(spoken)});
    });
    return choice;
}

void AddressBar::showExperiment(const engine::Experiment& experiment, const std::optional<engine::AddressConfig>& ran) {
    m_experiment = experiment;
    m_ran = ran;
    m_letters = addressLettersOf(experiment);
    m_walk = engine::firstGranules(experiment, kMostSquares);
    if (m_selected && *m_selected >= m_letters.letters.size())
        m_selected.reset();
    m_hovered.reset();
    if (!m_dragged)
        m_refused.clear();
    for (const auto& [choice, path] : {std::pair{m_hash, kHashPath}, std::pair{m_bankHash, kBankHashPath}}) {
        const QSignalBlocker blocker(choice);
        choice->setCurrentText(wordOf(path, experiment));
        choice->setToolTip(choice->accessibleName());
    }
    m_bankHash->setEnabled(hasBanks());
    if (!hasBanks())
        m_bankHash->setToolTip(tr("Needs memory.model=banks"));
    if (!isMapped()) {
        const QString why = whyNoMapping(experiment);
        m_edit->setEnabled(why.isEmpty());
        m_edit->setToolTip(why.isEmpty() ? tr("Sets address.mapping=usual, whose bits can be moved") : why);
    }
    relayout();
}

void AddressBar::setLeft(double left) {
    if (m_left == left)
        return;
    m_left = left;
    relayout();
}

void AddressBar::layOut() {
    placeControls();
    placeCells(m_right);
    placeSquares();
}

// Places the hashes, or the button that makes a mapping, at the right edge.
void AddressBar::placeControls() {
    const bool shown = !inShapes();
    m_hash->setVisible(shown && isMapped());
    m_bankHash->setVisible(shown && isMapped());
    m_edit->setVisible(shown && !isMapped());
    m_right = width() - line() * 0.6;
    if (inShapes())
        return;
    const QFontMetricsF metrics(font());
    if (!isMapped()) {
        const QSize size = m_edit->sizeHint();
        m_edit->setGeometry(static_cast<int>(m_right) - size.width(), 0, size.width(),
                            std::min(size.height(), static_cast<int>(line() * kWalkTop)));
        m_right = m_edit->x() - line();
        return;
    }
    const int room = static_cast<int>(line() * (kWordsTop - 0.1) / 2);
    const int wide = std::max(m_hash->sizeHint().width(), m_bankHash->sizeHint().width());
    const int height = std::min(m_hash->sizeHint().height(), room);
    const int left = static_cast<int>(m_right) - wide;
    m_hash->setGeometry(left, 0, wide, height);
    m_bankHash->setGeometry(left, room, wide, height);
    const double names = std::max(metrics.horizontalAdvance(m_hash->accessibleName()),
                                  metrics.horizontalAdvance(m_bankHash->accessibleName()));
    m_right = left - line() * 1.2;
    if (m_right - names - line() >
        m_left + line() * 22)  // the names of the hashes stand beside them only if there is room
        m_right -= names + line() * 0.4;
}

void AddressBar::placeCells(double right) {
    m_letterBoxes.clear();
    m_rowBox = m_burstBox = {};
    if (!isMapped())
        return;
    const double top = line() * kCellTop, height = line() * kCellHeight;
    const double room = std::max(line() * 8, right - m_left);
    const auto letters = static_cast<double>(m_letters.letters.size());
    const double cell = std::min(line() * kMostLetter, std::floor(room / (letters + 2 * kEndCell / 1.5)));
    const double end = std::clamp((room - cell * letters) / 2, cell, line() * kEndCell);
    double x = m_left;
    const auto next = [&](double width) {
        const QRectF box(snapped(x), snapped(top), snapped(x + width) - snapped(x), snapped(height));
        x += width;
        return box;
    };
    m_rowBox = next(end);
    for (std::size_t i = 0; i < m_letters.letters.size(); ++i)
        m_letterBoxes.push_back(next(cell));
    m_burstBox = next(end);
}

void AddressBar::placeSquares() {
    m_squareBoxes.clear();
    const QFontMetricsF metrics(scaledFont(font(), kSmall));
    const double least = std::ceil(metrics.horizontalAdvance(QStringLiteral("63")) + line() * 0.3);
    const double room = m_right - m_left;
    const auto fit = static_cast<std::size_t>(std::max(1.0, room / least));
    const std::size_t count = std::min(fit, m_walk.granules.size());
    const double side =
        std::floor(std::min(line() * kMostSquare, room / static_cast<double>(std::max<std::size_t>(1, count))));
    for (std::size_t i = 0; i < count; ++i)
        m_squareBoxes.emplace_back(snapped(m_left + side * static_cast<double>(i)), snapped(line() * kWalkTop), side,
                                   snapped(line() * kWalkHeight));
}

// Returns the size of a burst in the words of the parameters, which count in powers of two.
QString AddressBar::burstText() const {
    return QString::fromStdString(
        engine::formatValue(*engine::findParameter("detail.granule"), engine::ParameterValue(m_letters.burstBytes)));
}

QString AddressBar::letterText(std::size_t letter) const {
    const char kind = m_letters.letters[letter];
    return tr("bit %1, %2").arg(m_letters.bitOf(letter)).arg(nameOfLetter(kind));
}

QString AddressBar::placeText(const engine::PlacedGranule& granule) const {
    const std::uint64_t address = std::uint64_t{granule.granule} * static_cast<std::uint64_t>(m_letters.granuleBytes);
    QString words = tr("0x%1: channel %2").arg(QString::number(address, 16)).arg(granule.place.channel);
    if (!hasBanks())
        return words;
    const auto groups = static_cast<int>(m_experiment.dram.bankGroups);
    const int last = (granule.place.firstGroup + granule.place.groups - 1) % groups;
    words += granule.place.groups == 1 ? tr(", group %1").arg(granule.place.firstGroup)
                                       : tr(", groups %1 to %2").arg(granule.place.firstGroup).arg(last);
    return words + tr(", bank %1, row %2").arg(granule.place.bank).arg(granule.place.row);
}

QString AddressBar::walkText() const {
    std::set<std::uint32_t> channels;
    for (std::size_t i = 0; i < squares(); ++i)
        channels.insert(m_walk.granules[i].place.channel);
    const QString lie = tr("lie in %1 of %2 channels").arg(channels.size()).arg(m_experiment.detail.channels);
    const std::size_t count = squares();
    const bool isPart = m_walk.more || count < m_walk.granules.size();
    switch (m_walk.of) {
    case engine::FirstGranules::Of::requests:
        return isPart ? tr("The first %1 requests of the first stream %2").arg(count).arg(lie)
                      : tr("The %1 requests of the first stream %2").arg(count).arg(lie);
    case engine::FirstGranules::Of::memory: return tr("The first %1 granules of the memory %2").arg(count).arg(lie);
    case engine::FirstGranules::Of::tile: break;
    }
    return isPart ? tr("The first %1 requests of the first tile %2").arg(count).arg(lie)
                  : tr("The %1 requests of the first tile %2").arg(count).arg(lie);
}

QString AddressBar::ruleText() const {
    return tr("spread: neighbouring requests are in neighbouring channels; no address bit names a bank");
}

QString AddressBar::words() const {
    if (m_hovered)
        return placeText(m_walk.granules[*m_hovered]);
    if (!m_refused.isEmpty())
        return m_refused;
    QString words = m_selected ? letterText(*m_selected) + tr(". %1").arg(walkText()) : walkText();
    if (m_ran && *m_ran != m_experiment.address) {
        QStringList ran{QString::fromStdString(m_ran->mapping)};
        engine::Experiment before = m_experiment;
        before.address = *m_ran;
        for (const char* path : {kHashPath, kBankHashPath})
            if (const QString word = wordOf(path, before); word != QLatin1String("none"))
                ran << QString::fromLatin1(path) + QLatin1Char('=') + word;
        words += tr(". The run below has %1").arg(ran.join(QStringLiteral(", ")));
    }
    return words;
}

QString AddressBar::spokenText() const {
    return isMapped() ? tr("Mapping %1. %2").arg(QString::fromStdString(m_letters.letters), words())
                      : tr("%1. %2").arg(ruleText(), words());
}

void AddressBar::select(std::size_t letter) {
    m_selected = letter;
    m_refused.clear();
    repaintAll();
}

void AddressBar::moveLetter(std::size_t to) {
    const std::size_t from = *m_selected;
    if (from == to)
        return;
    if (!canMoveLetter(m_letters, from, to)) {
        m_refused = whyNotMovedTo(m_experiment, from, to);
        return repaintAll();
    }
    const QString step = tr("Move %1 Bit").arg([&] {
        QString name = nameOfLetter(m_letters.letters[from]);
        name[0] = name[0].toUpper();
        return name.replace(QStringLiteral(" g"), QStringLiteral(" G"));
    }());
    m_selected = to;
    if (m_dragged)
        m_dragged = to;
    m_refused.clear();
    Q_EMIT edited({kMappingPath, mappingOf(m_experiment, withMovedLetter(m_letters.letters, from, to)), step});
}

void AddressBar::beginDrag(std::size_t letter) {
    select(letter);
    m_dragged = letter;
    Q_EMIT dragBegan();
    repaintAll();
}

void AddressBar::dragTo(QPointF at) {
    if (!m_dragged || m_letterBoxes.empty())
        return;
    std::size_t to = m_letterBoxes.size() - 1;
    for (std::size_t i = 0; i < m_letterBoxes.size(); ++i)
        if (at.x() < m_letterBoxes[i].right()) {
            to = i;
            break;
        }
    m_selected = m_dragged;
    moveLetter(to);
}

std::vector<Part> AddressBar::parts() {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < m_letterBoxes.size(); ++i)
        parts.push_back({m_letterBoxes[i], [this, i](QPointF) { return letterText(i); },
                         [this, i](QPointF) { beginDrag(i); }, [this](QPointF at) { dragTo(at); }});
    if (isMapped()) {
        parts.push_back(
            {m_rowBox, [this](QPointF) { return tr("row: all bits from %1 on").arg(m_letters.bitOf(0) + 1); }});
        parts.push_back({m_burstBox, [this](QPointF) {
                             return tr("%1: one burst on all pseudo-channels of a channel").arg(burstText());
                         }});
    }
    for (std::size_t i = 0; i < m_squareBoxes.size(); ++i)
        parts.push_back({m_squareBoxes[i], [this, i](QPointF) { return placeText(m_walk.granules[i]); }});
    return parts;
}

std::function<void()> AddressBar::actionOf(int key) {
    if (!isMapped() || (key != Qt::Key_Left && key != Qt::Key_Right))
        return {};
    return [this, key] {
        const std::size_t last = m_letters.letters.size() - 1;
        if (!m_selected)
            return select(key == Qt::Key_Right ? 0 : last);
        const std::size_t at = *m_selected;
        select(key == Qt::Key_Right ? std::min(at + 1, last) : at - std::min<std::size_t>(at, 1));
    };
}

void AddressBar::keyPressEvent(QKeyEvent* event) {
    if (!isCtrlArrow(*event) || !isMapped())
        return PartPicture::keyPressEvent(event);
    if (!m_selected)
        return select(0);
    const std::size_t at = *m_selected;
    if (event->key() == Qt::Key_Right && at + 1 < m_letters.letters.size())
        moveLetter(at + 1);
    else if (event->key() == Qt::Key_Left && at > 0)
        moveLetter(at - 1);
}

void AddressBar::mouseMoveEvent(QMouseEvent* event) {
    PartPicture::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton)
        return;
    std::optional<std::size_t> hovered;
    for (std::size_t i = 0; i < m_squareBoxes.size(); ++i)
        if (m_squareBoxes[i].contains(event->position()))
            hovered = i;
    if (hovered != m_hovered) {
        m_hovered = hovered;
        repaintAll();
    }
}

void AddressBar::mouseReleaseEvent(QMouseEvent* event) {
    PartPicture::mouseReleaseEvent(event);
    if (!m_dragged || event->button() != Qt::LeftButton)
        return;
    m_dragged.reset();
    m_refused.clear();
    Q_EMIT dragEnded();
    repaintAll();
}

void AddressBar::leaveEvent(QEvent* event) {
    PartPicture::leaveEvent(event);
    if (m_hovered) {
        m_hovered.reset();
        repaintAll();
    }
}

void AddressBar::focusInEvent(QFocusEvent* event) {
    PartPicture::focusInEvent(event);
    repaintAll();
}

void AddressBar::focusOutEvent(QFocusEvent* event) {
    PartPicture::focusOutEvent(event);
    repaintAll();
}

Fill AddressBar::fillOf(char letter) const {
    const bool matters = letter == engine::kChannelLetter || hasBanks();
    const auto tinted = [&](Role role) {
        return Palette::mixed(colors().surface, colors().of(role), matters ? 0.35 : 0.1);
    };
    const QColor ink = matters ? colors().inkSoft : colors().grid;
    switch (letter) {
    case engine::kBankLetter: return {tinted(Role::tracker), ink, Texture::falling};
    case engine::kGroupLetter: return {tinted(Role::reduceScatter), ink, Texture::dots};
    case engine::kChannelLetter: return {tinted(Role::gemm), ink, Texture::crossed};
    default: return {colors().surface, ink, Texture::plain};
    }
}

void AddressBar::paintName(QPainter& painter, const QRectF& row, const QString& name) const {
    constexpr double kLeastRoom = 3;  // lines
    if (m_left < line() * kLeastRoom)
        return;
    painter.setFont(font());
    painter.setPen(colors().ink);
    painter.drawText(QRectF(line() * 0.6, row.top(), m_left - line(), row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     name);
}

void AddressBar::paintBackground(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF cells(0, line() * kCellTop, width(), line() * kCellHeight);
    const QRectF walk(0, line() * kWalkTop, width(), line() * kWalkHeight);
    paintName(painter, cells, tr("address bits"));
    paintName(painter, walk, m_walk.of == engine::FirstGranules::Of::tile ? tr("first tile") : tr("first requests"));
    painter.setFont(font());
    if (isMapped()) {
        paintLetters(painter);
        paintBracket(painter);
    } else {
        painter.setPen(colors().ink);
        const QRectF box(m_left, cells.top(), m_right - m_left, line() * (kWalkTop - kCellTop));
        painter.drawText(box, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, ruleText());
    }
    if (isMapped() && !inShapes()) {
        const double left = m_right + line() * 0.2, wide = m_hash->x() - line() * 0.4 - left;
        if (wide > line() * 3) {
            painter.setPen(colors().inkSoft);
            for (const QComboBox* choice : {m_hash, m_bankHash})
                painter.drawText(QRectF(left, choice->y(), wide, choice->height()), Qt::AlignRight | Qt::AlignVCenter,
                                 choice->accessibleName());
        }
    } else if (isMapped()) {
        painter.setPen(colors().inkSoft);
        const double left = m_burstBox.right() + line();
        painter.drawText(QRectF(left, cells.top(), m_right - left, cells.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("channel hash: %1, bank hash: %2")
                             .arg(wordOf(kHashPath, m_experiment), wordOf(kBankHashPath, m_experiment)));
    }
    paintSquares(painter);
    painter.setFont(scaledFont(font(), kSmall));
    painter.setPen(m_refused.isEmpty() || m_hovered ? colors().inkSoft : colors().error);
    const QFontMetricsF metrics(painter.font());
    const QRectF box(m_left, line() * kWordsTop, width() - m_left - line() * 0.6, line() * (kHeight - kWordsTop));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(words(), Qt::ElideRight, box.width()));
}

void AddressBar::paintMoment(QPainter&, const QRegion&) {}

void AddressBar::paintLetters(QPainter& painter) const {
    const QPen frame(colors().inkSoft, pixel());
    const auto paintEnd = [&](const QRectF& box, const QString& name) {
        painter.fillRect(box, colors().stripe);
        painter.setPen(frame);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0, 0, -pixel(), -pixel()));
        painter.setFont(scaledFont(font(), kSmall));
        painter.setPen(colors().ink);
        painter.drawText(box, Qt::AlignCenter,
                         QFontMetricsF(painter.font()).elidedText(name, Qt::ElideRight, box.width()));
    };
    paintEnd(m_rowBox, tr("row"));
    for (std::size_t i = 0; i < m_letterBoxes.size(); ++i) {
        const QRectF& box = m_letterBoxes[i];
        const char letter = m_letters.letters[i];
        const Fill fill = fillOf(letter);
        paintFill(painter, box, fill, textureSpacing(line()));
        if (m_dragged && !canMoveLetter(m_letters, *m_dragged, i)) {
            painter.fillRect(box, colors().surface);
            paintTexture(painter, box, {colors().surface, colors().error, Texture::rising}, textureSpacing(line()));
        }
        painter.setFont(strongFont(font()));
        const QString name = QString(QLatin1Char(letter));
        const QFontMetricsF metrics(painter.font());
        const double wide = std::min(box.width() - 2 * pixel(), metrics.horizontalAdvance(name) + line() * 0.3);
        painter.fillRect(QRectF(box.center().x() - wide / 2, box.center().y() - line() * 0.48, wide, line() * 0.96),
                         fill.color);
        const bool matters = letter == engine::kChannelLetter || hasBanks();
        painter.setPen(matters ? colors().ink : colors().inkFaint);
        painter.drawText(box, Qt::AlignCenter, name);
        painter.setPen(frame);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0, 0, -pixel(), -pixel()));
    }
    paintEnd(m_burstBox, burstText());
    if (m_selected && !inShapes()) {
        const double width = std::max(2 * pixel(), line() * (hasFocus() || m_dragged ? 0.16 : 0.1));
        painter.setPen(QPen(colors().accent, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_letterBoxes[*m_selected].adjusted(width / 2, width / 2, -width / 2, -width / 2));
    }
}

void AddressBar::paintBracket(QPainter& painter) const {
    const double left =
        m_letters.inGranule == 0 ? m_burstBox.left() : m_letterBoxes[m_letterBoxes.size() - m_letters.inGranule].left();
    const double right = m_burstBox.right();
    const double top = line() * kBracketTop, bottom = top + line() * 0.3;
    painter.setPen(QPen(colors().inkSoft, pixel()));
    const double inset = pixel();
    const QPolygonF bracket{{left + inset, top}, {left + inset, bottom}, {right - inset, bottom}, {right - inset, top}};
    painter.drawPolyline(bracket);
    painter.setFont(scaledFont(font(), kSmall));
    painter.setPen(colors().ink);
    const QString words = tr("%1: one request").arg(wordOf("detail.granule", m_experiment));
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(words) + 2;
    // Beside the bracket where there is more room than below it.
    const QRectF box(std::max(m_left, left - wide - line() * 0.4), top - line() * 0.05, wide, line() * kBracketHeight);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, words);
}

void AddressBar::paintSquares(QPainter& painter) const {
    const QFont small = scaledFont(font(), kSmall);
    painter.setFont(small);
    const auto groups = static_cast<int>(m_experiment.dram.bankGroups);
    for (std::size_t i = 0; i < m_squareBoxes.size(); ++i) {
        const QRectF& box = m_squareBoxes[i];
        const engine::DramPlace& place = m_walk.granules[i].place;
        painter.fillRect(box, m_hovered == i ? colors().stripe : colors().surface);
        painter.setPen(QPen(m_hovered == i ? colors().accent : colors().inkSoft, pixel()));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0, 0, -pixel(), -pixel()));
        painter.setPen(colors().ink);
        painter.drawText(box.adjusted(0, -line() * 0.08, 0, -line() * 0.08), Qt::AlignCenter,
                         QString::number(place.channel));
        if (!hasBanks())
            continue;
        // A notch at the lower edge for each bank group that the request covers.
        const double step = (box.width() - 2 * pixel()) / groups;
        for (int covered = 0; covered < place.groups; ++covered) {
            const int group = (place.firstGroup + covered) % groups;
            const double x = box.left() + pixel() + step * (group + 0.5);
            const double wide = std::max(pixel(), std::min(step * 0.5, line() * 0.18));
            painter.fillRect(QRectF(snapped(x - wide / 2), box.bottom() - line() * 0.2,
                                    std::max(pixel(), snapped(wide)), line() * 0.2),
                             colors().ink);
        }
    }
}

}  // namespace ui
