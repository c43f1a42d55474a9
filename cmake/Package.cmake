# `cpack --config build/CPackConfig.cmake`: the packages gcompile, libgcompile-dev and python3-gcompile for Debian 12,
# from the components of Install.cmake. scripts/test-packages makes and tries them.
set(GCOMPILE_MAINTAINER
    "The gcompile authors <maintainers@gcompile.invalid>"
    CACHE STRING "The maintainer of the packages: a name and an address")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gcompile)
set(CPACK_PACKAGE_CONTACT ${GCOMPILE_MAINTAINER})
set(CPACK_COMPONENTS_ALL compiler development python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME gcompile)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SHLIBDEPS ON)
# What programs are compiled with is part of the compiler.
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "libgcompile-dev (= ${PROJECT_VERSION}), g++")
set(CPACK_DEBIAN_COMPILER_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, libopenmpi-dev, openmpi-bin")
set(CPACK_COMPONENT_COMPILER_DESCRIPTION
    "compiler for graph programs
A graph program says what each vertex and edge computes. The compiler proves
that it is free of races, chooses how it runs, and writes parallel C++ with
OpenMP, CUDA C++ for a GPU, or C++ with MPI for several machines.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgcompile-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "zlib1g-dev, libzstd-dev, liblzma-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "gcompile (= ${PROJECT_VERSION}), cmake, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "runtime of graph programs that gcompile compiles
The headers and the static libraries that graph programs are compiled with:
readers of graphs, generators, frontiers, the command line of programs. With
packages for CMake and pkg-config.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gcompile)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3:any, python3-numpy, gcompile (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS
    "python3-scipy, python3-networkx, python3-igraph, python3-pandas, python3-ipython, python3-matplotlib")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
    "graph programs as functions in Python
Compiles a graph program once and calls it on files, matrices of scipy,
graphs of NetworkX or igraph, tables of pandas or arrays. Results are arrays
of numpy that are not copied.")

# The documents that every package has, and the scripts of the Python one.
set(debian ${PROJECT_BINARY_DIR}/debian)
configure_file(cmake/debian/copyright.in ${debian}/copyright @ONLY)
configure_file(cmake/debian/changelog.in ${debian}/changelog @ONLY)
execute_process(COMMAND gzip -9nkf ${debian}/changelog)
foreach(of compiler=gcompile development=libgcompile-dev python=python3-gcompile)
  string(REGEX MATCH "^(.*)=(.*)$" of ${of})
  install(
    FILES ${debian}/copyright ${debian}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CMAKE_MATCH_2}
    COMPONENT ${CMAKE_MATCH_1})
  if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/debian/${CMAKE_MATCH_2}.lintian-overrides)
    install(
      FILES cmake/debian/${CMAKE_MATCH_2}.lintian-overrides
      DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
      RENAME ${CMAKE_MATCH_2}
      COMPONENT ${CMAKE_MATCH_1})
  endif()
endforeach()
foreach(script postinst prerm)
  configure_file(cmake/debian/python-${script} ${debian}/${script} COPYONLY)
  list(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${debian}/${script})
endforeach()
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
