// From files to the states of a gather: the part of every command that reads items.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "error.hpp"
#include "fold_request.hpp"
#include "items.hpp"
#include "progress.hpp"

namespace warpfold::app {

/// Takes the items of `from` into `states`, one a column; positions count from `origin`. Returns the items of a column.
template <class T, class Gather>
index_t gather_source(source& from, Gather const& gather, std::vector<typename Gather::state>& states, index_t origin,
                      host::options const& how) {
    auto const take = [&](typename Gather::state& state, items<T> const& in, index_t first) {
        gather.merge(state, host::gather(gather, in, how, first));
    };
    if (from.size()) {
        take(states[0], items<T>{&from, nullptr, *from.size()}, origin);
        return *from.size();
    }
    constexpr std::size_t block_bytes = std::size_t{1} << 22;
    std::size_t const rows = std::max<std::size_t>(1, block_bytes / sizeof(T) / states.size());
    auto const memory = std::make_unique<T[]>(rows * states.size());
    std::vector<void*> columns(states.size());
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = memory.get() + i * rows;
    index_t total = 0;
    while (index_t const count = from.next_block(static_cast<index_t>(rows), columns)) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            take(states[i], items<T>{nullptr, static_cast<T const*>(columns[i]), count}, origin + total);
        total += count;
    }
    return total;
}

/// What was gathered: a state a column, and the items of each column.
template <class Gather>
struct gathered {
    std::vector<typename Gather::state> states;
    index_t items;
};

/// `Gather` over all items of `files`.
template <class T, class Gather>
gathered<Gather> gather_files(std::unique_ptr<source> first, std::vector<std::string> const& files,
                              fold_request const& request) {
    auto const columns = first->columns();
    dtype const type = first->type();
    host::options const how{request.threads, 0};
    Gather const gather{};
    std::vector<typename Gather::state> states(columns.size(), gather.identity());
    index_t origin = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto const from = i == 0 ? std::move(first) : open_source(files[i], request.read);
        if (i > 0 && from->type() != type)
            throw data_error(from->name(), "type",
                             fmt::format("expected {} as in {}, found {}", name_of(type), printable(files[0]),
                                         name_of(from->type())));
        if (from->columns() != columns)
            throw data_error(from->name(), "columns", fmt::format("expected the columns of {}", printable(files[0])));
        progress_bar const bar(*from);
        if (from->fortran_shape().empty()) {
            origin += gather_source<T>(*from, gather, states, origin, how);
        } else {
            c_order const order(from->fortran_shape(), origin);
            origin += gather_source<T>(*from, reordered(gather, order), states, origin, how);
        }
    }
    return {std::move(states), origin};
}

}  // namespace warpfold::app
