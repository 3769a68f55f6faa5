#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>

#include "command.hpp"

namespace warpfold::app {
namespace {

/// CLI11 takes a value [a,b] for two, ++ for the end of a command, and what follows -- for the command above. This mark
/// in front of a value hides all that from it; the option that takes the value removes it.
constexpr char value_mark = '\1';

/// The arguments without the program's name, the last one first, as CLI11 wants them.
std::vector<std::string> marked_arguments(int argc, char** argv) {
    std::vector<std::string> arguments;
    bool only_values = false;
    for (int i = 1; i < argc; ++i) {
        std::string const argument = argv[i];
        if (argument == "--" && !only_values) {
            only_values = true;
            continue;
        }
        bool const marked =
            only_values || argument == "++" || argument.starts_with('[') || argument.starts_with(value_mark);
        arguments.push_back(marked ? value_mark + argument : argument);
    }
    std::reverse(arguments.begin(), arguments.end());
    return arguments;
}

std::string unmarked(std::string value) {
    return value.starts_with(value_mark) ? value.substr(1) : value;
}

/// The command that the command line names: `lab run` rather than `lab`.
CLI::App const& named_command(CLI::App const& program) {
    auto const* named = &program;
    while (!named->get_subcommands().empty()) named = named->get_subcommands().front();
    return *named;
}

std::string full_name(CLI::App const& command) {
    auto const* const above = command.get_parent();
    return above ? full_name(*above) + " " + command.get_name() : command.get_name();
}

[[noreturn]] void refuse(CLI::App const& command, std::string_view why) {
    throw usage_error(fmt::format("{} (see {} --help)", why, full_name(command)));
}

/// Refuses a command line that names none of this command's commands, where it has any.
void require_named(CLI::App const& command) {
    if (command.get_subcommands({}).empty()) return;
    auto const given = command.remaining();
    refuse(command,
           given.empty() ? "expected a command" : fmt::format("expected a command, found '{}'", unmarked(given[0])));
}

}  // namespace

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
command_option& command_option::from_to(std::uint64_t least, std::uint64_t most) {
    std::string const range = most == std::numeric_limits<std::uint64_t>::max()
                                  ? fmt::format("from {} on", least)
                                  : fmt::format("from {} to {}", least, most);
    auto const check = [=](std::string& text) -> std::string {
        char const* const end = text.data() + text.size();
        std::uint64_t number = 0;
        auto const [stop, failure] = std::from_chars(text.data(), end, number);
        if (failure != std::errc() || stop != end || number < least || number > most)
            return fmt::format("expected a whole number {}, found '{}'", range, text);
        // CLI11 would take leading zeros for the mark of an octal number.
        text = std::to_string(number);
        return {};
    };
    option_->check(CLI::Validator(check, range));
    return *this;
}
command_option& command_option::check(std::function<std::string(std::string const&)> expected) {
    option_->check(std::move(expected));
    return *this;
}

command command::add_command(std::string const& name, std::string const& does) const {
    // Just one: without a limit, a value that is called like a command would be one more.
    app_->require_subcommand(1);
    return command{*app_->add_subcommand(name, does)->group("Commands")};
}
void command::footer(std::string const& text) const {
    app_->footer(text);
}
void command::callback(std::function<void()> run) const {
    app_->callback(std::move(run));
}

command_option command::added(CLI::Option& option) const {
    return command_option{*option.transform(unmarked)};
}

template <class T>
command_option command::option(std::string const& names, T& value, std::string const& does) const {
    return added(*app_->add_option(names, value, does));
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
    return added(*app_->add_option_function<std::string>(name, taking, does));
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
    try {
        app_->parse(marked_arguments(argc, argv));
    } catch (CLI::ParseError const& e) {
        std::ostringstream out, ignored;
        if (app_->exit(e, out, ignored) == 0) {
            print(out.str() + (out.str().ends_with('\n') ? "" : "\n"));
            return;
        }
        CLI::App const& named = named_command(*app_);
        require_named(named);
        std::string why = e.what();
        std::erase(why, value_mark);
        refuse(named, why);
    }
}

}  // namespace warpfold::app
