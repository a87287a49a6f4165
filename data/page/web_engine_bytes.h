#pragma once

#include <string_view>

namespace data {

/// Returns the web engine (web/engine), which is the engine as WebAssembly, packed with gzip and as base64. Returns an
/// empty text if Ringside was built without it (CMake option RINGSIDE_WEB_ENGINE).
std::string_view webEngineBase64();

}  // namespace data
