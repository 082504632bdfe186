"""Speed and memory, before and now, beside scikit-learn and beside one pass over the same bytes.

`make bench` measures this checkout, `make bench AGAINST=PATH` another one as well, in turns. Tables, records (JSON) and
the plot go to `benchmarks/results`. `python -m benchmarks.automatic_choice` scores the default model on real tables.

A run goes through these files: `speed` asks `tasks` what is to be measured, `participants` starts a `server` for each
way in each of the `checkouts`, `turns` lets them take turns, `others` watches the rest of the machine, `results` says
what is met, `report`, `record` and `plot` write it down.
"""
