// Commands and their options. CLI11 parses them; command_line.cpp alone includes it, as each file that does takes ten
// seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace warpfold::app {

/// An option of a command, to say more of it.
class command_option {
  public:
    explicit command_option(CLI::Option& option) : option_{&option} {}

    command_option& required();
    /// What stands for its value in the help: N, FILE.
    command_option& type_name(std::string const& name);
    /// The help shows the value that it has now as its default.
    command_option& shows_default();
    /// --column A --column B, but not --column A B.
    command_option& takes_one_value();
    command_option& excludes(command_option const& other);
    /// Its value is a whole number of this range, in decimal digits alone.
    command_option& from_to(std::uint64_t least, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
    /// `expected` says what was expected of a value, or nothing where it is.
    command_option& check(std::function<std::string(std::string const&)> expected);

  private:
    CLI::Option* option_;
};

/// A command, which lives as long as its program.
class command {
  public:
    explicit command(CLI::App& app) : app_{&app} {}

    /// The command line must name one of a command's commands; what follows the name is the named one's.
    command add_command(std::string const& name, std::string const& does) const;
    /// Text below its help.
    void footer(std::string const& text) const;
    /// What it does, once its options are parsed.
    void callback(std::function<void()> run) const;

    /// Adds an option, by `names` as in "--ddof" or, without dashes, by its place, whose value goes to `value`:
    /// std::string, int, unsigned, std::uint64_t, or a std::vector of std::string or double.
    template <class T>
    command_option option(std::string const& names, T& value, std::string const& does) const;
    /// Adds an option whose value goes to `take`, which throws std::invalid_argument where it expected another one.
    command_option parsed_option(std::string const& name, std::function<void(std::string const&)> take,
                                 std::string const& does) const;
    void flag(std::string const& name, bool& value, std::string const& does) const;

  protected:
    CLI::App* app_;

  private:
    command_option added(CLI::Option& option) const;
};

/// The program: a command of which the command line names another one.
class program : public command {
  public:
    program(std::string const& name, std::string const& does, std::string const& version);
    ~program();
    program(program const&) = delete;
    program& operator=(program const&) = delete;

    /// Runs the command that is named, or prints the help or version that is asked for. Throws a usage_error where the
    /// command line is wrong, and whatever the command throws.
    void run(int argc, char** argv) const;

  private:
    std::unique_ptr<CLI::App> owned_;
};

}  // namespace warpfold::app
