#include "ui/shared/tile_words.h"

#include "engine/api/experiment.h"
#include "ui/shared/collective_words.h"

#include <QCoreApplication>

namespace ui {
namespace {

QString stateTr(const char* text) { return QCoreApplication::translate("TileState", text); }

}  // namespace

TileWords::TileWords(const engine::Experiment& experiment)
    : m_reduces(scattersOutput(experiment) && !exchangesOutput(experiment)),
      m_updates(experiment.collective.reduction == engine::Reduction::nmc),
      m_dataFromStart(startsWithData(experiment)) {}

QString TileWords::nameOf(TileState state) const {
    switch (state) {
    case TileState::notProduced: return m_dataFromStart ? stateTr("not here yet") : stateTr("not produced");
    case TileState::stored: return stateTr("stored");
    case TileState::oneUpdate:
        return m_dataFromStart          ? stateTr("own input")
               : m_updates && m_reduces ? stateTr("one update")
                                        : stateTr("incomplete");
    case TileState::ready: return stateTr("ready");
    case TileState::inFlight: return stateTr("in flight");
    case TileState::sent: return stateTr("sent");
    case TileState::reduced: return m_reduces ? stateTr("reduced") : stateTr("complete");
    }
    return {};
}

QString TileWords::meaningOf(TileState state) const {
    switch (state) {
    case TileState::notProduced:
        return m_dataFromStart ? stateTr("has not come from its GPU") : stateTr("its workgroup has not stored it");
    case TileState::stored: return stateTr("computed, on its way to memory or to the neighbour");
    case TileState::oneUpdate:
        return m_dataFromStart ? stateTr("what this GPU had from the start; the rest has not come")
                               : stateTr("one contribution has landed, another is missing");
    case TileState::ready:
        return m_reduces ? stateTr("all contributions are there, waits for its transfer")
                         : stateTr("is there, waits for its transfer");
    case TileState::inFlight: return stateTr("is being read and sent to the neighbour");
    case TileState::sent: return stateTr("has left for the neighbour");
    case TileState::reduced: return stateTr("whole and final on this GPU");
    }
    return {};
}

}  // namespace ui
