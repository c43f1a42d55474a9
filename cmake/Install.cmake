# `cmake --install build --prefix DIR`, in three components: the compiler with its manual page, completions, documents
# and examples; development, the runtime with packages for find_package(gcompile) and pkg-config; and the Python
# package. What is installed may be moved: everything finds the rest from its own place.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/gcompile)
set(documents ${CMAKE_INSTALL_DATADIR}/doc)

# What gcompile says of its options.
set(described ${PROJECT_BINARY_DIR}/described)
file(MAKE_DIRECTORY ${described})
add_custom_command(
  OUTPUT ${described}/gcompile.1.gz ${described}/gcompile.bash ${described}/_gcompile ${described}/gcompile.fish
  COMMAND gcompile describe man > ${described}/gcompile.1
  COMMAND gzip -9nf ${described}/gcompile.1
  COMMAND gcompile describe bash > ${described}/gcompile.bash
  COMMAND gcompile describe zsh > ${described}/_gcompile
  COMMAND gcompile describe fish > ${described}/gcompile.fish
  DEPENDS gcompile
  COMMENT "Describing the options"
  VERBATIM)
add_custom_target(describe_options ALL DEPENDS ${described}/gcompile.1.gz)

install(
  TARGETS gcompile
  EXPORT gcompileCompiler
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler)
install(
  TARGETS gcompile_runtime gcompile_runtime_serial
  EXPORT gcompileTargets
  ARCHIVE DESTINATION lib COMPONENT development) # where the compiler looks for it
install(
  DIRECTORY runtime/include/gcompile
  DESTINATION include
  COMPONENT development)
foreach(export gcompileCompiler=compiler gcompileTargets=development)
  string(REPLACE "=" ";" export ${export})
  list(GET export 1 component)
  list(GET export 0 export)
  install(
    EXPORT ${export}
    NAMESPACE gcompile::
    DESTINATION ${package}
    COMPONENT ${component})
endforeach()
configure_package_config_file(cmake/gcompileConfig.cmake.in ${PROJECT_BINARY_DIR}/gcompileConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gcompileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/gcompileConfig.cmake ${PROJECT_BINARY_DIR}/gcompileConfigVersion.cmake
        cmake/GcompilePrograms.cmake
  DESTINATION ${package}
  COMPONENT development)

cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE
           GCOMPILE_PREFIX_FROM_PC)
foreach(suffix "" -serial)
  set(GCOMPILE_PC_SUFFIX ${suffix})
  set(GCOMPILE_PC_WHAT ", with OpenMP")
  set(GCOMPILE_PC_FLAGS " -fopenmp")
  set(GCOMPILE_PC_LIBRARY gcompile_runtime)
  if(suffix)
    set(GCOMPILE_PC_WHAT ", for one thread")
    set(GCOMPILE_PC_FLAGS "")
    set(GCOMPILE_PC_LIBRARY gcompile_runtime_serial)
  endif()
  configure_file(cmake/gcompile.pc.in ${PROJECT_BINARY_DIR}/gcompile${suffix}.pc @ONLY)
  install(
    FILES ${PROJECT_BINARY_DIR}/gcompile${suffix}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endforeach()

install(
  FILES ${described}/gcompile.1.gz
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  COMPONENT compiler)
install(
  FILES ${described}/gcompile.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME gcompile
  COMPONENT compiler)
install(
  FILES ${described}/_gcompile
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT compiler)
install(
  FILES ${described}/gcompile.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT compiler)
install(
  FILES README.md
  DESTINATION ${documents}/gcompile
  COMPONENT compiler)
install(
  DIRECTORY docs examples
  DESTINATION ${documents}/gcompile
  COMPONENT compiler)
install(
  DIRECTORY python/gcompile
  DESTINATION lib/python3/dist-packages # where python3 of Debian looks, and gcompile is found from
  COMPONENT python
  PATTERN __pycache__ EXCLUDE)
