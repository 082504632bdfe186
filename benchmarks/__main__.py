"""Run the benchmarks: `python -m benchmarks --help`."""

from benchmarks.speed import main

main()
