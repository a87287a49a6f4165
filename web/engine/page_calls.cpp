#include "web/engine/web_engine.h"

#include <cstddef>
#include <string>

// The functions that a page calls. A request is written to room(), and simulate() leaves its answer in answer().
extern "C" {

namespace {
std::string theRequest, theAnswer;
}

/// Makes room for a request of `size` bytes and returns its address.
__attribute__((used, export_name("room"))) char* ringsideRoom(std::size_t size) {
    theRequest.assign(size, '\0');
    return theRequest.data();
}
__attribute__((used, export_name("simulate"))) void ringsideSimulate() { theAnswer = web::answerTo(theRequest); }
__attribute__((used, export_name("answer"))) const char* ringsideAnswer() { return theAnswer.data(); }
__attribute__((used, export_name("answerSize"))) std::size_t ringsideAnswerSize() { return theAnswer.size(); }
/// Gives the memory of the request and of the answer back.
__attribute__((used, export_name("release"))) void ringsideRelease() {
    theRequest = {};
    theAnswer = {};
}
}
