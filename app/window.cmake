# The window, included from app/CMakeLists.txt when Qt is there.
# Exit codes, the watch over interrupts and the line of progress are those of the command line.
add_executable(ringside)
foreach(source ringside interrupt_notifier display ringside_arguments ringside_figure ringside_figure_arguments ringside_frames
       ringside_completion ringside_cli_completion_bash ringside_cli_completion_fish ringside_cli_completion_script
       ringside_cli_completion_values ringside_cli_completion_zsh ringside_cli_draft ringside_cli_exit ringside_cli_table ringside_cli_watch)
  target_sources(ringside PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${source}.cpp)
endforeach()
set_target_properties(ringside PROPERTIES WIN32_EXECUTABLE ON)
ringside_moc(ringside ${CMAKE_CURRENT_SOURCE_DIR}/interrupt_notifier.h)
target_compile_definitions(ringside PRIVATE RINGSIDE_VERSION="${PROJECT_VERSION}")
target_link_libraries(ringside PRIVATE ringside_ui ringside_data ringside_engine Qt6::Widgets)
# As with ringside-cli.
set_target_properties(ringside PROPERTIES INSTALL_RPATH "")
target_link_options(ringside PRIVATE LINKER:-z,relro,-z,now)
install(TARGETS ringside RUNTIME)
