#pragma once

#include "ui/why/reason_chain.h"

#include <QListWidget>

#include <cstddef>
#include <memory>
#include <optional>

namespace ui {

/// The cause chain as a list, from a time backwards: a dozen links, and a last row that loads earlier ones. The arrow
/// keys go from link to link, and the list emits linkChosen() for each selected link.
class ChainList final : public QListWidget {
    Q_OBJECT

public:
    explicit ChainList(QWidget* parent = nullptr);

    /// Shows a chain from link `from`; empty if `chain` is null or has no links.
    void showChain(std::shared_ptr<const ReasonChain> chain, std::optional<std::size_t> from);
    /// Returns the link in the current row; an empty optional in the row "earlier".
    std::optional<std::size_t> currentLink() const;
    /// Returns the link with which the list begins.
    std::optional<std::size_t> from() const { return m_from; }
    static constexpr int kLinks = 12;

Q_SIGNALS:
    void linkChosen(std::size_t link);

private:
    void append(int count);
    void reach(QListWidgetItem* item);

    std::shared_ptr<const ReasonChain> m_chain;
    std::optional<std::size_t> m_from;
    bool m_filling = false;
};

}  // namespace ui
