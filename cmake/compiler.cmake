# Flags, on targets and never global.

# Where things are built: bin/ and lib/ of the build tree, or where a preset says. A project that
# takes bloomery in with add_subdirectory keeps its own places.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin CACHE PATH "For executables")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib CACHE PATH "For shared libraries")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib CACHE PATH "For static libraries")
endif()

# Elsewhere filters and hashes have their scalar kernel only. Asked of the compiler, as the code does.
include(CheckCXXSymbolExists)
check_cxx_symbol_exists(__x86_64__ cstddef BLOOMERY_HAS_AVX)

# kernels/avx2.cpp and kernels/avx512.cpp of this folder, which need wider instructions than the rest.
function(bloomery_avx_kernels avx2_options avx512_options)
  if(NOT BLOOMERY_HAS_AVX)
    return()
  endif()
  foreach(name IN ITEMS avx2 avx512)
    target_sources(bloomery_objects PRIVATE kernels/${name}.cpp)
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/kernels/${name}.cpp
      DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTIES COMPILE_OPTIONS "${${name}_options}")
  endforeach()
endfunction()

function(bloomery_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # Sizes and rates must not depend on whether a processor multiplies and adds in one step.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(BLOOMERY_DEVELOPER)
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
      $<$<BOOL:${BLOOMERY_WERROR}>:-Werror>)
    # g++ 12 warns about std::string's own operator+ (GCC bug 105651); g++ 13 does not.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
  if(BLOOMERY_SANITIZE)
    target_compile_options(${target} PUBLIC
      -fsanitize=${BLOOMERY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:Clang>:-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitize_ignore.txt>)
    target_link_options(${target} PUBLIC -fsanitize=${BLOOMERY_SANITIZE})
  endif()
endfunction()

# Everything the shared library takes in header-only stays inside it, so that a program may use
# another version of the same thing.
function(bloomery_export_only_own_symbols target)
  set(map ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  target_link_options(${target} PRIVATE LINKER:--version-script=${map})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
endfunction()
