#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data {

/// Returns JSON as the text of a script element: <, >, &, U+2028 and U+2029 become escapes of JSON, so that no text in it
/// ends the element. The JSON means the same.
std::string scriptJson(std::string_view json);

/// The program and the style sheet of pages, as web/dist has them.
extern const char* const kPagePlayer;
extern const char* const kPageStyle;

/// The parts of a web page.
struct PageParts {
    std::string title;                   ///< text
    std::string body;                    ///< HTML, complete and escaped
    std::string json;                    ///< the page's document
    std::vector<std::string> runBlocks;  ///< bytes of each run block, in the order of their ids: run-0, run-1
    std::string_view engine{};           ///< the web engine in base64, of a live page; else empty
};

/// Returns the page: one HTML file that loads nothing. Its policy (CSP) allows its own script and style, by their hashes,
/// and nothing else; that of a live page also WebAssembly, and a worker that the page makes itself. The same parts give
/// the same bytes.
std::string writePage(const PageParts& parts);

/// Returns a page without scripts. `body`: HTML, complete and escaped.
std::string writeTextPage(std::string_view title, std::string_view body);

}  // namespace data
