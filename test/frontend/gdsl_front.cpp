// Runs the front end alone: prints the checked tree or the diagnostics. For tests only.
#include "frontend/Frontend.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char **argv) {
  CLI::App app("checks a .gdsl file");
  std::string file;
  bool ast = false, json = false, colour = false, asErrors = false;
  std::vector<std::string> off;
  app.add_option("file", file, "the program; - for the standard input")->required();
  app.add_flag("--ast", ast, "print the checked tree");
  app.add_flag("--json", json, "print the diagnostics as JSON");
  app.add_flag("--colour", colour, "colour the diagnostics");
  app.add_flag("--Werror", asErrors, "treat warnings as errors");
  app.add_option("--no-warning", off, "turn a warning off");
  CLI11_PARSE(app, argc, argv);

  std::stringstream text;
  std::string name = file.substr(file.find_last_of('/') + 1);
  if (file == "-") {
    text << std::cin.rdbuf();
    name = "<stdin>";
  } else {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::cerr << "gdsl_front: cannot read '" << file << "'\n";
      return 2;
    }
    text << in.rdbuf();
  }
  gcompile::Diagnostics diags;
  diags.setWarningsAsErrors(asErrors);
  for (const std::string &warning : off)
    if (!diags.disableWarning(warning)) {
      std::cerr << "gdsl_front: no warning is called '" << warning << "'\n";
      return 2;
    }
  auto program = gcompile::parseAndCheck(name, text.str(), diags);
  std::cout << (json ? diags.renderJson() : diags.render(colour));
  if (program && ast)
    std::cout << gcompile::dumpAst(*program);
  return program ? 0 : 1;
}
