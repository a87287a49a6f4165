# Run by `cmake --install`, after packaging/CMakeLists.txt has set the folders. string(TIMESTAMP) takes
# SOURCE_DATE_EPOCH if that is set, so that the same sources give the same files.
string(TIMESTAMP RINGSIDE_DATE "%Y-%m-%d" UTC)

# The releases of the metadata are the headings of CHANGELOG.md: "## 0.2.0, 2027-01-31", newest first, and "## 0.3.0,
# not yet released" for the version in development.
file(STRINGS ${RINGSIDE_SOURCE}/CHANGELOG.md headings REGEX "^## " ENCODING UTF-8)
set(RINGSIDE_RELEASES "")
foreach(heading IN LISTS headings)
  if(heading MATCHES "^## ([0-9.]+), not yet released$")
    string(APPEND RINGSIDE_RELEASES "    <release version=\"${CMAKE_MATCH_1}\" date=\"${RINGSIDE_DATE}\" type=\"development\"/>\n")
  elseif(heading MATCHES "^## ([0-9.]+), ([0-9]+-[0-9]+-[0-9]+)$")
    string(APPEND RINGSIDE_RELEASES "    <release version=\"${CMAKE_MATCH_1}\" date=\"${CMAKE_MATCH_2}\" type=\"stable\"/>\n")
  else()
    message(FATAL_ERROR "CHANGELOG.md: ${heading}: expected \"## VERSION, DATE\" or \"## VERSION, not yet released\"")
  endif()
endforeach()

function(ringside_install_dated name folder)
  configure_file(${RINGSIDE_SOURCE}/packaging/desktop/${name}.in ${RINGSIDE_SCRATCH}/${name} @ONLY)
  if(NOT IS_ABSOLUTE ${folder})
    set(folder ${CMAKE_INSTALL_PREFIX}/${folder})
  endif()
  file(INSTALL DESTINATION ${folder} TYPE FILE FILES ${RINGSIDE_SCRATCH}/${name})
endfunction()

ringside_install_dated(ringside-cli.1 ${RINGSIDE_MAN_DIR})
if(RINGSIDE_WINDOW)
  ringside_install_dated(ringside.1 ${RINGSIDE_MAN_DIR})
  ringside_install_dated(org.ringside.ringside.metainfo.xml ${RINGSIDE_METAINFO_DIR})
endif()
