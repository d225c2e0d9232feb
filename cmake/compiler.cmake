# Flags, on targets and never global.
function(bloomery_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(BLOOMERY_DEVELOPER)
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
      $<$<BOOL:${BLOOMERY_WERROR}>:-Werror>)
  endif()
  if(BLOOMERY_SANITIZE)
    target_compile_options(${target} PUBLIC
      -fsanitize=${BLOOMERY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${BLOOMERY_SANITIZE})
  endif()
endfunction()
