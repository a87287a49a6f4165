# The window, included from app/CMakeLists.txt when Qt is there.
# Exit codes, the handling of interrupts and progress lines are the same as those of the command line.
add_executable(ringside)
foreach(source ringside interrupt_notifier display ringside_arguments ringside_figure ringside_figure_arguments ringside_figure_sources
       ringside_figure_view ringside_figure_again ringside_frames ringside_handout
       ringside_completion)
  target_sources(ringside PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${source}.cpp)
endforeach()
target_sources(ringside PRIVATE $<TARGET_OBJECTS:ringside_app_both>)
set_target_properties(ringside PROPERTIES WIN32_EXECUTABLE ON)
ringside_moc(ringside ${CMAKE_CURRENT_SOURCE_DIR}/interrupt_notifier.h)
ringside_compile_together(ringside)
target_compile_definitions(ringside PRIVATE RINGSIDE_VERSION="${PROJECT_VERSION}")
target_link_libraries(ringside PRIVATE ringside_ui ringside_data ringside_engine Qt6::Widgets)
# The same optimisation as ringside-cli, because these sources only connect others.
target_compile_options(ringside PRIVATE $<$<CONFIG:Release>:-O1>)
set_target_properties(ringside PROPERTIES INSTALL_RPATH "")
target_link_options(ringside PRIVATE LINKER:-z,relro,-z,now)
install(TARGETS ringside RUNTIME)
