// The flights of examples/data, in both formats.
#include <gtest/gtest.h>

#include "program.hpp"

namespace {

std::string const folder = WARPFOLD_EXAMPLE_DATA "/";

TEST(real_data, arrival_delays) {
    auto const npy_stats = warpfold_run({"stats", "--skip-nan", "--json", folder + "flights-arr-delay.npy"});
    EXPECT_NE(npy_stats.out.find("\"items\":336776,\"nan\":9430,\"sum\":2257174,\"mean\":6.8953767,\"std\":44.633224,"
                                 "\"min\":-86,\"argmin\":199668,\"max\":1272,\"argmax\":7072,\"l2\":25839.469}"),
              std::string::npos)
        << npy_stats.out << npy_stats.err;
    auto const csv_stats =
        warpfold_run({"stats", "--skip-nan", "--json", "--column", "arr_delay", folder + "flights.csv"});
    EXPECT_NE(
        csv_stats.out.find("\"items\":336776,\"nan\":9430,\"sum\":2257174,\"mean\":6.89537675731489,"
                           "\"std\":44.633223515654244,\"min\":-86,\"argmin\":199668,\"max\":1272,\"argmax\":7072"),
        std::string::npos)
        << csv_stats.out << csv_stats.err;
}

}  // namespace
