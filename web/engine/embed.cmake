# ringside_web_engine_source(source bundled): sets `source` to the path of the C++ source that belongs to
# data/page/web_engine_bytes.h. With RINGSIDE_WEB_ENGINE it has the web engine, which emscripten compiles from this
# folder; otherwise its text is empty. `bundled` is the source with the bundled documents.
function(ringside_web_engine_source source bundled)
  set(written ${CMAKE_CURRENT_BINARY_DIR}/web_engine_bytes.cpp)
  set(${source} ${written} PARENT_SCOPE)
  if(NOT RINGSIDE_WEB_ENGINE)
    file(CONFIGURE OUTPUT ${written} @ONLY CONTENT
         "#include \"data/page/web_engine_bytes.h\"\n\nstd::string_view data::webEngineBase64() { return {}; }\n")
    return()
  endif()

  find_program(RINGSIDE_EMSCRIPTEN em++ HINTS $ENV{EMSDK}/upstream/emscripten)
  find_file(RINGSIDE_EMSCRIPTEN_TOOLCHAIN cmake/Modules/Platform/Emscripten.cmake
            HINTS $ENV{EMSDK}/upstream/emscripten /usr/share/emscripten)
  if(NOT RINGSIDE_EMSCRIPTEN OR NOT RINGSIDE_EMSCRIPTEN_TOOLCHAIN)
    message(FATAL_ERROR "RINGSIDE_WEB_ENGINE=ON needs emscripten, which is not installed (Debian: apt-get install "
                        "emscripten). Without it, configure with -DRINGSIDE_WEB_ENGINE=OFF.")
  endif()

  include(ExternalProject)
  include(ProcessorCount)
  ProcessorCount(jobs)
  set(built ${PROJECT_BINARY_DIR}/web-engine)
  # Options for the compiler of the main project, such as -march, mean nothing to emscripten. Debian's emscripten finds
  # its JavaScript parser only by NODE_PATH.
  set(environment ${CMAKE_COMMAND} -E env --unset=CFLAGS --unset=CXXFLAGS --unset=CPPFLAGS --unset=LDFLAGS
      NODE_PATH=/usr/share/nodejs:$ENV{NODE_PATH})
  ExternalProject_Add(ringside_web_engine
    SOURCE_DIR ${PROJECT_SOURCE_DIR}/web/engine
    BINARY_DIR ${built}
    PREFIX ${built}/project
    CONFIGURE_COMMAND ${environment} ${CMAKE_COMMAND} -S <SOURCE_DIR> -B <BINARY_DIR> -G ${CMAKE_GENERATOR}
                      -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=${RINGSIDE_EMSCRIPTEN_TOOLCHAIN}
                      -DRINGSIDE_BUNDLED=${bundled}
    BUILD_COMMAND ${environment} ${CMAKE_COMMAND} --build <BINARY_DIR> --parallel ${jobs}
    BUILD_ALWAYS ON
    BUILD_BYPRODUCTS ${built}/ringside-engine.wasm
    INSTALL_COMMAND "")

  # The packer has the sources that it uses compiled in, because the library of data needs what it writes.
  find_package(ZLIB REQUIRED)
  add_executable(ringside_embed_engine ${PROJECT_SOURCE_DIR}/web/engine/embed_engine.cpp
                 ${PROJECT_SOURCE_DIR}/data/document/base64.cpp ${PROJECT_SOURCE_DIR}/data/document/packed_bytes.cpp)
  set_target_properties(ringside_embed_engine PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${built}/bin)
  target_link_libraries(ringside_embed_engine PRIVATE ZLIB::ZLIB)
  add_custom_command(OUTPUT ${written} COMMAND ringside_embed_engine ${built}/ringside-engine.wasm ${written}
                     DEPENDS ringside_embed_engine ringside_web_engine ${built}/ringside-engine.wasm
                     COMMENT "Packing the web engine" VERBATIM)
endfunction()
