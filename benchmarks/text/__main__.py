"""Documents: speed from raw text to a model and to answers, and how right the answers are, beside scikit-learn.

    python -m benchmarks.text speed        100 MB of made-up English, and the collections
    python -m benchmarks.text accuracy     the collections, all and a tenth of the documents to learn from
    python -m benchmarks.text recipe       beside the recipe that TextNB was built after, draw by draw: half an hour
    python -m benchmarks.text stream [N]   ten million messages through partial_fit, and two thousand classes of a
                                           million words, with the memory that they take

`CANDIDE_DATA` names the folder of the collections. All participants of a line run in one process, one after the other;
accuracy is on the sets' own split, or on five folds where a set has none.
"""

import argparse
import os
from pathlib import Path

from benchmarks.about import about

RESULTS = Path(__file__).parent.parent / "results"


def machine() -> str:
    """Say on what was measured."""
    told = about()
    names = "python", "numpy", "scikit-learn"
    return f"{os.cpu_count()} cores, " + ", ".join(f"{name} {told[name]}" for name in names) + "."


def main() -> None:
    """Run one part and write its results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.text", description=__doc__)
    parser.add_argument("part", choices=["speed", "accuracy", "recipe", "stream"])
    parser.add_argument("--megabytes", type=int, default=100, help="of made-up English, for speed")
    parser.add_argument("documents", type=int, nargs="?", default=10_000_000, help="for stream")
    options = parser.parse_args()
    if options.part == "stream":
        from benchmarks.text.stream import many_classes, stream

        lines = [*stream(options.documents), *many_classes()]
    elif options.part == "speed":
        from benchmarks.text.speed import speed

        lines = speed(options.megabytes)
    elif options.part == "recipe":
        from benchmarks.text.beside_recipe import ladder, side_by_side

        lines = [*ladder(), *side_by_side()]
    else:
        from benchmarks.text.accuracy import accuracy

        lines = accuracy()
    head = [f"# Documents: {options.part}", "", f"`python -m benchmarks.text {options.part}`. {machine()}", ""]
    (RESULTS / f"text_{options.part}.md").write_text("\n".join([*head, *lines, ""]))


if __name__ == "__main__":
    main()
