#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "command.hpp"

namespace warpfold::app {

command_option& command_option::required() {
    option_->required();
    return *this;
}
command_option& command_option::type_name(std::string const& name) {
    option_->type_name(name);
    return *this;
}
command_option& command_option::shows_default() {
    option_->capture_default_str();
    return *this;
}
command_option& command_option::takes_one_value() {
    option_->allow_extra_args(false);
    return *this;
}
command_option& command_option::excludes(command_option const& other) {
    option_->excludes(other.option_);
    return *this;
}
command_option& command_option::from_to(int least, int most) {
    option_->check(CLI::Range(least, most));
    return *this;
}
command_option& command_option::not_negative() {
    option_->check(CLI::NonNegativeNumber);
    return *this;
}
command_option& command_option::check(std::function<std::string(std::string const&)> expected) {
    option_->check(std::move(expected));
    return *this;
}

command command::add_command(std::string const& name, std::string const& does) const {
    return command{*app_->add_subcommand(name, does)};
}
void command::requires_command() const {
    app_->require_subcommand(1);
}
void command::hide() const {
    app_->group("");
}
void command::footer(std::string const& text) const {
    app_->footer(text);
}
void command::callback(std::function<void()> run) const {
    app_->callback(std::move(run));
}

template <class T>
command_option command::option(std::string const& names, T& value, std::string const& does) const {
    return command_option{*app_->add_option(names, value, does)};
}
template command_option command::option(std::string const&, std::string&, std::string const&) const;
template command_option command::option(std::string const&, int&, std::string const&) const;
template command_option command::option(std::string const&, unsigned&, std::string const&) const;
template command_option command::option(std::string const&, std::uint64_t&, std::string const&) const;
template command_option command::option(std::string const&, std::vector<std::string>&, std::string const&) const;
template command_option command::option(std::string const&, std::vector<double>&, std::string const&) const;

command_option command::parsed_option(std::string const& name, std::function<void(std::string const&)> take,
                                      std::string const& does) const {
    auto const taking = [name, take](std::string const& text) {
        try {
            take(text);
        } catch (std::invalid_argument const& e) {
            throw CLI::ValidationError(name, e.what());
        }
    };
    return command_option{*app_->add_option_function<std::string>(name, taking, does)};
}
void command::flag(std::string const& name, bool& value, std::string const& does) const {
    app_->add_flag(name, value, does);
}

program::program(std::string const& name, std::string const& does, std::string const& version)
    : command{*new CLI::App{does, name}}, owned_{app_} {
    app_->set_version_flag("--version", name + " " + version, "Show the version and leave");
    // One vocabulary: what CLI11 calls a subcommand is a command here, in its messages and in ours.
    app_->get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_->get_formatter()->label("REQUIRED", "");
}
program::~program() = default;

void program::run(int argc, char** argv) const {
    for (CLI::App* const each : app_->get_subcommands({})) each->group("Commands");
    try {
        app_->parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        std::ostringstream out, ignored;
        if (app_->exit(e, out, ignored) == 0) {
            print(out.str() + (out.str().ends_with('\n') ? "" : "\n"));
            return;
        }
        auto const chosen = app_->get_subcommands();
        throw usage_error(fmt::format("{} (see {} {}--help)", e.what(), app_->get_name(),
                                      chosen.empty() ? "" : chosen[0]->get_name() + " "));
    }
    if (app_->get_subcommands().empty())
        throw usage_error(fmt::format("expected a command (see {} --help)", app_->get_name()));
}

}  // namespace warpfold::app
