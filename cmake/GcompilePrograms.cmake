# gcompile_programs(TARGET PROGRAM.gdsl... [HEADER | SHARED] [TARGET omp | serial | cuda] [OPTIONS --algorithm=x ...]):
# compiles each program for the sources of TARGET, anew when the program or a header that it imports changes.
#
# HEADER (default): a class in PROGRAM.h, or PROGRAM.cuh for cuda, and TARGET is linked with what it needs.
#
# SHARED: a library with a C interface in ALGORITHM.h, the target TARGET_PROGRAM, which TARGET is linked with. The
# algorithm is the one that OPTIONS names with --algorithm, else the one called as the file.
cmake_policy(PUSH)
cmake_policy(VERSION 3.25)

function(gcompile_programs target)
  cmake_parse_arguments(PARSE_ARGV 1 given "HEADER;SHARED" "TARGET" "OPTIONS")
  set(usage "gcompile_programs(TARGET PROGRAM.gdsl... [HEADER | SHARED] [TARGET omp|serial|cuda] [OPTIONS ...])")
  set(machine omp)
  if(DEFINED given_TARGET)
    set(machine ${given_TARGET})
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "gcompile_programs: there is no target '${target}'. Usage: ${usage}")
  elseif(given_HEADER AND given_SHARED)
    message(FATAL_ERROR "gcompile_programs: HEADER and SHARED exclude each other")
  elseif(NOT given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gcompile_programs: no program is given. Usage: ${usage}")
  elseif(NOT machine MATCHES "^(omp|serial|cuda)$")
    message(FATAL_ERROR "gcompile_programs: TARGET is omp, serial or cuda, not '${machine}'")
  elseif(
    machine STREQUAL "cuda"
    AND NOT given_SHARED
    AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "gcompile_programs: for cuda the project needs the language CUDA")
  elseif(NOT TARGET gcompile::gcompile)
    message(FATAL_ERROR "gcompile_programs: the compiler is not installed, only its runtime")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_programs)
  file(MAKE_DIRECTORY ${folder})
  foreach(program IN LISTS given_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH program NORMALIZE OUTPUT_VARIABLE source)
    cmake_path(GET source STEM name)
    if(given_SHARED)
      _gcompile_shared(${target} ${name} ${source} ${folder} --target=${machine} ${given_OPTIONS})
    else()
      _gcompile_header(${target} ${name} ${source} ${folder} ${machine} ${given_OPTIONS})
    endif()
  endforeach()
endfunction()

# One program as a header.
function(_gcompile_header target name source folder machine)
  set(header ${folder}/${name}.h)
  if(machine STREQUAL "cuda")
    set(header ${folder}/${name}.cuh)
  endif()
  add_custom_command(
    OUTPUT ${header}
    COMMAND gcompile::gcompile --emit=library --target=${machine} ${ARGN} ${source} -o ${header} --MF ${header}.d
    DEPENDS gcompile::gcompile ${source}
    DEPFILE ${header}.d
    COMMENT "Compiling ${name}.gdsl"
    VERBATIM)
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${folder})
  # Integers of the language wrap around.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fwrapv>)
  if(machine STREQUAL "cuda")
    # CMake asks for a standard only of the versions of CUDA that it knows.
    target_compile_options(
      ${target}
      PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;-Xcompiler=-fopenmp;-Xcompiler=-fwrapv>")
  endif()
  if(machine STREQUAL "serial")
    target_link_libraries(${target} PRIVATE gcompile::runtime_serial)
  else()
    target_link_libraries(${target} PRIVATE gcompile::runtime)
  endif()
endfunction()

# One program as a shared library.
function(_gcompile_shared target name source folder)
  set(algorithm ${name})
  foreach(option IN LISTS ARGN)
    if(option MATCHES "^--algorithm=(.*)$")
      set(algorithm ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(library ${folder}/${CMAKE_SHARED_LIBRARY_PREFIX}${name}${CMAKE_SHARED_LIBRARY_SUFFIX})
  add_custom_command(
    OUTPUT ${library} ${folder}/${algorithm}.h ${folder}/${algorithm}.json
    COMMAND gcompile::gcompile --emit=shared ${ARGN} ${source} -o ${library} --MF ${library}.d
    DEPENDS gcompile::gcompile ${source}
    DEPFILE ${library}.d
    COMMENT "Compiling ${name}.gdsl"
    VERBATIM)
  add_custom_target(${target}_${name}_made DEPENDS ${library})
  add_library(${target}_${name} SHARED IMPORTED GLOBAL)
  set_target_properties(
    ${target}_${name}
    PROPERTIES IMPORTED_LOCATION ${library}
               IMPORTED_NO_SONAME ON
               INTERFACE_INCLUDE_DIRECTORIES ${folder})
  add_dependencies(${target}_${name} ${target}_${name}_made)
  target_sources(${target} PRIVATE ${folder}/${algorithm}.h)
  target_link_libraries(${target} PRIVATE ${target}_${name})
endfunction()

cmake_policy(POP)
