# cmake -D DIST=web/dist -D ARCHIVE=web.tar -P pack_web.cmake: the built web page as one archive, an empty
# file when it was not built. The archive changes only when the page does.
if(EXISTS "${DIST}/index.html")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E tar cf "${ARCHIVE}.new" --format=gnutar "--mtime=2000-01-01 00:00:00" .
    WORKING_DIRECTORY "${DIST}"
    COMMAND_ERROR_IS_FATAL ANY)
else()
  file(WRITE "${ARCHIVE}.new" "")
endif()
file(COPY_FILE "${ARCHIVE}.new" "${ARCHIVE}" ONLY_IF_DIFFERENT)
