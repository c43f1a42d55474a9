# `cmake --install build --prefix DIR`: the compiler, the runtime beside it, and a package for find_package(gcompile).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/gcompile)
install(
  TARGETS gcompile gcompile_runtime gcompile_runtime_serial
  EXPORT gcompileTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  ARCHIVE DESTINATION lib) # where the compiler looks for it
install(DIRECTORY runtime/include/gcompile DESTINATION include)
install(
  EXPORT gcompileTargets
  NAMESPACE gcompile::
  DESTINATION ${package})
configure_package_config_file(cmake/gcompileConfig.cmake.in ${CMAKE_BINARY_DIR}/gcompileConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gcompileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/gcompileConfig.cmake ${CMAKE_BINARY_DIR}/gcompileConfigVersion.cmake
              cmake/GcompilePrograms.cmake DESTINATION ${package})
