#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "command.hpp"
#include "lab.hpp"
#include "lab/course.hpp"

namespace warpfold::app {
namespace {

void tables(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw data_error(path, "open", "expected a file that can be read");
    std::ostringstream document;
    document << in.rdbuf();
    std::string const made = lab::with_tables(document.str(), lab::own_measurements());
    std::ofstream out(path, std::ios::binary);
    if (!(out << made).flush()) throw data_error(path, "write", "expected a file that can be written");
}

}  // namespace

void add_lab_tables(command const& lab) {
    auto const path = std::make_shared<std::string>();
    command const added = lab.add_command("tables", "Make the tables of counters in a document anew");
    added.option("document", *path, "A Markdown file").required().type_name("FILE");
    added.callback([path] { answer_usage([&] { tables(*path); }); });
}

}  // namespace warpfold::app
