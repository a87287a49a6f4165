#include "app/ringside_cli_output.h"

#include "data/document/visible_text.h"

#include <iostream>
#include <streambuf>
#include <string>
#include <utility>

namespace cli {

/// Escapes text and passes it on to the buffer behind it. A character that comes in two pieces waits for the second.
class EscapedOutput::Buffer final : public std::streambuf {
public:
    explicit Buffer(std::streambuf& behind) : m_behind(behind) {}
    ~Buffer() override { pass(m_begun); }

protected:
    int_type overflow(int_type letter) override {
        if (traits_type::eq_int_type(letter, traits_type::eof()))
            return traits_type::not_eof(letter);
        const char text = traits_type::to_char_type(letter);
        return xsputn(&text, 1) == 1 ? letter : traits_type::eof();
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        const std::string piece = std::exchange(m_begun, {}) + std::string(text, static_cast<std::size_t>(count));
        const std::size_t whole = piece.size() - data::incompleteAtEnd(piece);
        m_begun = piece.substr(whole);
        return pass(std::string_view(piece).substr(0, whole)) ? count : 0;
    }
    int sync() override { return m_behind.pubsync(); }

private:
    bool pass(std::string_view text) {
        const std::string visible = data::visibleText(text);
        const auto count = static_cast<std::streamsize>(visible.size());
        return m_behind.sputn(visible.data(), count) == count;
    }

    std::streambuf& m_behind;
    std::string m_begun;
};

class EscapedOutput::Stream {
public:
    explicit Stream(std::ostream& stream) : m_stream(stream), m_before(stream.rdbuf()), m_buffer(*m_before) {
        m_stream.rdbuf(&m_buffer);
    }
    ~Stream() { m_stream.rdbuf(m_before); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    std::streambuf* before() const { return m_before; }

private:
    std::ostream& m_stream;
    std::streambuf* m_before;
    Buffer m_buffer;
};

namespace {

std::streambuf* g_behindError = nullptr;  // of std::cerr, while its text is escaped

}  // namespace

EscapedOutput::EscapedOutput()
    : m_out(std::make_unique<Stream>(std::cout)), m_error(std::make_unique<Stream>(std::cerr)) {
    g_behindError = m_error->before();
}

EscapedOutput::~EscapedOutput() { g_behindError = nullptr; }

std::ostream& rawError() {
    if (g_behindError == nullptr)
        return std::cerr;
    static std::ostream raw(nullptr);
    if (raw.rdbuf() != g_behindError)
        raw.rdbuf(g_behindError);
    return raw;
}

}  // namespace cli
