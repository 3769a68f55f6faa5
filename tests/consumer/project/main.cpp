#include <warpfold/warpfold.hpp>

#include <array>
#include <vector>

int main() {
    std::vector<double> const x{1e100, 1.0, -1e100, 0.5};
    std::array<int, 3> const y{3, 9, 4};
    bool const right = wf::sum(x) == 1.5 && wf::argmax(y) == 1 && wf::dot(x, x) > 1e199;
    return right ? 0 : 1;
}
