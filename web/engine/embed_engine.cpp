// Writes the web engine as a C++ source, which the main project compiles in:
//
//   ringside_embed_engine ringside-engine.wasm web_engine_bytes.cpp
//
// The same engine gives the same source. Exit code 1 if a file cannot be read or written.

#include "data/document/base64.h"
#include "data/document/packed_bytes.h"

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace {

std::string bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file || bytes.empty())
        throw std::runtime_error(path + ": cannot be read, or is empty");
    return bytes;
}

void writeSource(const std::string& path, const std::string& base64) {
    std::ofstream file(path, std::ios::binary);
    file << "#include \"data/page/web_engine_bytes.h\"\n\nstd::string_view data::webEngineBase64() {\n"
         << "    using namespace std::string_view_literals;\n    return \"" << base64 << "\"sv;\n}\n";
    file.close();
    if (!file)
        throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int main(int count, char** arguments) {
    try {
        if (count != 3)
            throw std::runtime_error("usage: ringside_embed_engine ENGINE.wasm SOURCE.cpp");
        writeSource(arguments[2], data::base64(data::gzipped(bytesOf(arguments[1]))));
        return 0;
    } catch (const std::exception& failure) {
        std::cerr << "ringside_embed_engine: " << failure.what() << '\n';
        return 1;
    }
}
