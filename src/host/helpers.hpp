// Helpers: threads of TBB that stay awake for a while after a small call, so that the next one need not wake them.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

namespace warpfold::host {

/// Work that a helper does if one comes before it is taken back. Any thread may offer, a helper at work too.
class offer {
  public:
    static constexpr std::size_t places = 7;

    /// Work laid out at a place, [0, places), unless other work lies there. Each place has a helper of its own, who
    /// finds in its cache what it read there in the last call.
    template <class Work>
    offer(std::size_t place, Work const& work)
        : do_{[](void const* it) { (*static_cast<Work const*>(it))(); }}, work_{&work} {
        lay_out(place);
    }
    ~offer() {
        if (!withdraw()) wait();
    }
    offer(offer const&) = delete;
    offer& operator=(offer const&) = delete;

    /// Takes the work back, and says so; or waits for the helper who is at it, and throws what the work threw.
    bool left_undone();

  private:
    class desk;
    static desk desks[places];
    struct closing {
        ~closing();
    };
    static closing at_the_end;

    void lay_out(std::size_t place);
    bool withdraw();
    void wait() const;
    void accept(desk& from);

    void (*do_)(void const*);
    void const* work_;
    desk* desk_ = nullptr;
    std::exception_ptr error_;
    std::atomic<bool> done_ = false;
};

/// While one lives, helpers without work leave: TBB has other work for its threads.
class dismissal {
  public:
    dismissal();
    ~dismissal();
    dismissal(dismissal const&) = delete;
    dismissal& operator=(dismissal const&) = delete;
};

}  // namespace warpfold::host
