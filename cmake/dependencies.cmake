# What the library needs, found or named: nothing is downloaded at configure time.
find_package(Threads REQUIRED)
find_package(fmt 9 QUIET GLOBAL)
if(NOT fmt_FOUND OR fmt_VERSION VERSION_GREATER_EQUAL 10)  # src/base/fmt.cpp names functions of 9
  message(FATAL_ERROR "fmt 9 is missing: install libfmt-dev of Debian 12, or run ./dev build, which does it")
endif()
# fmt's headers alone: src/base/fmt.cpp compiles the rest into the library, in a namespace of its own
# (docs/decisions/dependencies.md).
add_library(bloomery_fmt INTERFACE)
target_include_directories(bloomery_fmt SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(bloomery_fmt INTERFACE
  "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace in_bloomery {" "FMT_END_NAMESPACE=}}")
find_package(nlohmann_json 3.11 QUIET GLOBAL)
if(NOT nlohmann_json_FOUND)
  message(FATAL_ERROR "nlohmann-json 3.11 is missing: install nlohmann-json3-dev, or run ./dev build, which does it")
endif()
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash IMPORTED_TARGET libxxhash>=0.8.1)
if(NOT xxhash_FOUND)
  message(FATAL_ERROR "xxHash 0.8.1 is missing: install libxxhash-dev, or run ./dev build, which does it")
endif()
pkg_check_modules(zstd IMPORTED_TARGET GLOBAL libzstd>=1.5)
if(NOT zstd_FOUND)
  message(FATAL_ERROR "zstd 1.5 is missing: install libzstd-dev, or run ./dev build, which does it")
endif()
# isa-l reads gzip 2.6 times as fast as zlib, but Debian has it as a shared library only, so a program that must be
# one file takes zlib (docs/decisions/gzip.md).
option(BLOOMERY_ISAL "Read gzip with isa-l where it is installed" ON)
if(BLOOMERY_ISAL)
  pkg_check_modules(isal IMPORTED_TARGET GLOBAL libisal)
endif()
if(isal_FOUND)
  set(BLOOMERY_GZIP isal)
  set(BLOOMERY_GZIP_TARGET PkgConfig::isal)
else()
  set(BLOOMERY_GZIP z)
  set(BLOOMERY_GZIP_TARGET ZLIB::ZLIB)
  find_package(ZLIB GLOBAL)
  if(NOT ZLIB_FOUND)
    message(FATAL_ERROR "no gzip library: install libisal-dev or zlib1g-dev, or run ./dev build, which does it")
  endif()
endif()
