#include "lab/device_run.hpp"

namespace warpfold::lab {
namespace {

void const* begin_of(item_list const& items) {
    return std::visit([](auto const& list) { return static_cast<void const*>(list.data()); }, items);
}

std::uint64_t bytes_of(item_list const& items) {
    return std::visit([](auto const& list) { return std::uint64_t{list.size() * sizeof(list.front())}; }, items);
}

}  // namespace

device_memory::device_memory(std::uint64_t bytes, std::string const& name) {
    check(cudaMalloc(&bytes_, bytes + 1), "cudaMalloc of the " + name);
    check(cudaMemset(bytes_, 0, bytes + 1), "cudaMemset of the " + name);
}

device_items::device_items(item_list const& items)
    : host_(begin_of(items)), bytes_(bytes_of(items)), memory_(bytes_, "input") {
    check(cudaMemcpy(memory_.data(), host_, bytes_, cudaMemcpyHostToDevice), "cudaMemcpy of the input");
}

device_run::device_run(launch_rule const& rule, unsigned block, std::uint64_t grid,
                       std::shared_ptr<device_items const> items)
    : execution(rule, block, grid), items_(std::move(items)) {}

device_run::~device_run() = default;

void* device_run::input(void const* host) const {
    if (host != items_->host()) throw std::logic_error("these items are not on the GPU");
    return items_->data();
}

void* device_run::allocate(std::uint64_t bytes, std::string const& name) {
    return memory_.emplace_back(std::make_unique<device_memory>(bytes, name))->data();
}

void device_run::launch(std::function<void()> queue) {
    queue();
    check(cudaGetLastError(), "launch");
    launches_.push_back(std::move(queue));
}

void device_run::repeat() const {
    for (auto const& queue : launches_) queue();
}

}  // namespace warpfold::lab
