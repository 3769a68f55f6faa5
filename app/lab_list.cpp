#include "command.hpp"
#include "lab.hpp"
#include "lab/listing.hpp"

namespace warpfold::app {
namespace {

struct list_options {
    std::string study = "all";
    bool json = false;
};

void list(list_options const& options) {
    std::vector<lab::kernel_entry> const kernels = lab::select(lab::flavour::plain, options.study);
    print(options.json ? lab::list_json(kernels).dump(2) + "\n" : lab::list_text(kernels));
}

}  // namespace

void add_lab_list(command const& lab) {
    auto const options = std::make_shared<list_options>();
    command const added = lab.add_command("list", "All kernels: id, study, name, what they need, idea");
    added.option("--study", options->study, "Only this study").type_name("A|B|C|D|E");
    added.flag("--json", options->json, "Everything known of each kernel, as JSON");
    added.callback([options] { answer_usage([&] { list(*options); }); });
}

}  // namespace warpfold::app
