#include "symbolize.hpp"

#include <backtrace.h>
#include <cxxabi.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace simt::detail {

namespace {

// Reading debug information takes libbacktrace tens of milliseconds once; the state lives as long as the program.
backtrace_state* state() {
    static backtrace_state* const read = backtrace_create_state(
        nullptr, 1, [](void*, char const*, int) {}, nullptr);
    return read;
}

std::string demangled(std::string_view symbol) {
    std::string mangled(symbol.substr(0, symbol.find(".checked")));
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 ? text.get() : mangled;
}

bool is_executor_header(std::string_view file) {
    for (std::string_view part : {"/simt/include/", "/bits/", "/include/c++/"}) {
        if (file.find(part) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace

source_line line_of(void const* code) {
    std::vector<source_line> frames;  // innermost first
    auto const collect = [](void* data, std::uintptr_t, char const* file, int line, char const* function) {
        if (file != nullptr) {
            static_cast<std::vector<source_line>*>(data)->push_back(
                {file, line, function == nullptr ? std::string() : demangled(function)});
        }
        return 0;
    };
    if (code == nullptr) return {};
    // the call ends one byte before the address that it returns to
    backtrace_pcinfo(
        state(), reinterpret_cast<std::uintptr_t>(code) - 1, collect, [](void*, char const*, int) {}, &frames);
    for (source_line const& frame : frames) {
        if (!is_executor_header(frame.file)) return frame;
    }
    return frames.empty() ? source_line{} : frames.front();
}

std::string function_name(void const* code) {
    std::string name;
    auto const keep = [](void* data, std::uintptr_t, char const* symbol, std::uintptr_t, std::uintptr_t) {
        if (symbol != nullptr) *static_cast<std::string*>(data) = demangled(symbol);
    };
    backtrace_syminfo(
        state(), reinterpret_cast<std::uintptr_t>(code), keep, [](void*, char const*, int) {}, &name);
    return name;
}

}  // namespace simt::detail
