# gcompile_programs(TARGET PROGRAM.gdsl... [OPTIONS --threads=4 ...]): compiles each program to a header PROGRAM.h that
# the sources of TARGET can include, and links what it needs. The header is made anew when the program changes.
function(gcompile_programs target)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "OPTIONS")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_programs)
  file(MAKE_DIRECTORY ${folder})
  foreach(program IN LISTS given_UNPARSED_ARGUMENTS)
    get_filename_component(source ${program} ABSOLUTE)
    get_filename_component(name ${program} NAME_WE)
    set(header ${folder}/${name}.h)
    add_custom_command(
      OUTPUT ${header}
      COMMAND gcompile::gcompile --emit=library ${given_OPTIONS} ${source} -o ${header}
      DEPENDS gcompile::gcompile ${source}
      COMMENT "Compiling ${name}.gdsl"
      VERBATIM)
    target_sources(${target} PRIVATE ${header})
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fwrapv>) # integers of the language wrap around
  target_link_libraries(${target} PRIVATE gcompile::runtime)
endfunction()
