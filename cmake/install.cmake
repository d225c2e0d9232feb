# What a stranger's project gets: headers, both libraries, a CMake package and a pkg-config file.
# tests/consumer uses all of it.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bloomery)
install(TARGETS bloomery_static bloomery_shared EXPORT bloomeryTargets FILE_SET HEADERS)
install(EXPORT bloomeryTargets NAMESPACE bloomery:: DESTINATION ${package_dir})

configure_package_config_file(cmake/bloomeryConfig.cmake.in bloomeryConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break the interface.
write_basic_package_version_file(bloomeryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bloomeryConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/bloomeryConfigVersion.cmake
        DESTINATION ${package_dir})

# The prefix is given from where the file lies, so that the installed tree can be moved.
set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix ${pc_dir} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH pc_to_libdir ${pc_dir} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH pc_to_includedir ${pc_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/bloomery.pc.in bloomery.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/bloomery.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
