# bloomery_embed(TARGET NAME FILE): the bytes of FILE in TARGET, as bloomery::cli::embedded::NAME(). A file that is not there is
# empty.
function(bloomery_embed target name file)
  set(BLOOMERY_EMBED_NAME ${name})
  set(BLOOMERY_EMBED_FILE ${file})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}/${name}.cpp)
  if(NOT EXISTS ${file})
    set(BLOOMERY_EMBED_FILE ${CMAKE_CURRENT_BINARY_DIR}/embedded/empty)  # the assembler takes no /dev/null
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/embedded)
    if(NOT EXISTS ${BLOOMERY_EMBED_FILE})
      file(TOUCH ${BLOOMERY_EMBED_FILE})
    endif()
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.cpp.in ${source} @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${BLOOMERY_EMBED_FILE})
  target_sources(${target} PRIVATE ${source})
endfunction()
