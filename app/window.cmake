# The window, included from app/CMakeLists.txt when Qt is there.
add_executable(ringside ${CMAKE_CURRENT_SOURCE_DIR}/ringside.cpp ${CMAKE_CURRENT_SOURCE_DIR}/ringside_arguments.cpp)
set_target_properties(ringside PROPERTIES WIN32_EXECUTABLE ON)
target_compile_definitions(ringside PRIVATE RINGSIDE_VERSION="${PROJECT_VERSION}")
target_link_libraries(ringside PRIVATE ringside_ui ringside_data ringside_engine Qt6::Widgets)
# As with ringside-cli.
set_target_properties(ringside PROPERTIES INSTALL_RPATH "")
target_link_options(ringside PRIVATE LINKER:-z,relro,-z,now)
install(TARGETS ringside RUNTIME)
