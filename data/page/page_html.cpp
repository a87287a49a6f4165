#include "data/page/page_html.h"

#include "data/document/base64.h"
#include "data/document/html_text.h"
#include "data/document/packed_bytes.h"
#include "data/document/text_hash.h"

namespace data {
namespace {

/// Returns the source expression of the policy that allows an inline script or style with this content.
std::string allowedSource(std::string_view content) {
    const std::string digits = sha256(content);
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    return "'sha256-" + base64(bytes) + "'";
}

/// Returns the page until its body. `scripts`: what its policy allows of scripts, "script-src …; "; empty: none.
std::string headOf(std::string_view title, const std::string& scripts) {
    const std::string_view style = kPageStyle;
    const std::string policy = "default-src 'none'; " + scripts + "style-src " + allowedSource(style) +
                               "; img-src data:; base-uri 'none'; form-action 'none'";
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
           escapedHtml(policy) +
           "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"generator\" content=\"Ringside\">\n<title>" +
           escapedHtml(title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n";
}

}  // namespace

std::string scriptJson(std::string_view json) {
    std::string escaped;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const std::string_view separator = json.substr(at, 3);
        if (json[at] == '<' || json[at] == '>' || json[at] == '&') {
            escaped += json[at] == '<' ? "\\u003c" : json[at] == '>' ? "\\u003e" : "\\u0026";
        } else if (separator == "\u2028" || separator == "\u2029") {
            escaped += separator == "\u2028" ? "\\u2028" : "\\u2029";
            at += 2;
        } else {
            escaped += json[at];
        }
    }
    return escaped;
}

std::string writePage(const PageParts& parts) {
    const std::string_view script = kPagePlayer;
    const bool isLive = !parts.engine.empty();
    std::string page = headOf(parts.title, "script-src " + allowedSource(script) +
                                               (isLive ? " 'wasm-unsafe-eval'; worker-src blob:; " : "; "));
    page += parts.body + "<script type=\"application/json\" id=\"page\">" + scriptJson(parts.json) + "</script>\n";
    for (std::size_t i = 0; i < parts.runBlocks.size(); ++i)
        page += "<script type=\"application/octet-stream\" id=\"run-" + std::to_string(i) + "\">" +
                base64(gzipped(parts.runBlocks[i])) + "</script>\n";
    if (isLive)
        page += "<script type=\"application/octet-stream\" id=\"engine\">" + std::string(parts.engine) + "</script>\n";
    page += "<script>";
    page += script;
    page += "</script>\n</body>\n</html>\n";
    return page;
}

std::string writeTextPage(std::string_view title, std::string_view body) {
    return headOf(title, {}) + std::string(body) + "</body>\n</html>\n";
}

}  // namespace data
