#include "ui/look/tile_words.h"

#include "engine/api/experiment.h"
#include "engine/api/run_parts.h"

#include <QCoreApplication>

namespace ui {
namespace {

QString stateTr(const char* text) { return QCoreApplication::translate("TileState", text); }

}  // namespace

TileWords::TileWords(const engine::Experiment& experiment)
    : m_reduces(engine::runPartsOf(experiment).reduceScatter),
      m_updates(experiment.collective.reduction == engine::Reduction::nmc),
      m_dataFromStart(engine::runPartsOf(experiment).startsWithData()) {}

QString TileWords::nameOf(data::TileState state) const {
    switch (state) {
    case data::TileState::notProduced: return m_dataFromStart ? stateTr("not here yet") : stateTr("not produced");
    case data::TileState::stored: return stateTr("stored");
    case data::TileState::oneUpdate:
        return m_dataFromStart          ? stateTr("own input")
               : m_updates && m_reduces ? stateTr("one update")
                                        : stateTr("incomplete");
    case data::TileState::ready: return stateTr("ready");
    case data::TileState::inFlight: return stateTr("in flight");
    case data::TileState::sent: return stateTr("sent");
    case data::TileState::reduced: return m_reduces ? stateTr("reduced") : stateTr("complete");
    }
    return {};
}

QString TileWords::meaningOf(data::TileState state) const {
    switch (state) {
    case data::TileState::notProduced:
        return m_dataFromStart ? stateTr("has not come from its GPU") : stateTr("its workgroup has not stored it");
    case data::TileState::stored: return stateTr("computed, on its way to memory or to the neighbour");
    case data::TileState::oneUpdate:
        return m_dataFromStart ? stateTr("what this GPU had from the start; the rest has not come")
                               : stateTr("one contribution has landed, another is missing");
    case data::TileState::ready:
        return m_reduces ? stateTr("all contributions are there, waits for its transfer")
                         : stateTr("is there, waits for its transfer");
    case data::TileState::inFlight: return stateTr("is being read and sent to the neighbour");
    case data::TileState::sent: return stateTr("has left for the neighbour");
    case data::TileState::reduced: return stateTr("whole and final on this GPU");
    }
    return {};
}

}  // namespace ui
