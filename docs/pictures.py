"""Draw the pictures of the README and the guide: python docs/pictures.py

They are of the reference environment's requests, which come with the library, and the same byte for byte each time.
"""

from pathlib import Path

from candide import NaiveBayes, plot
from candide.datasets import insurance
from candide.report.figures import draw

FOLDER = Path(__file__).parent / "pictures"
ROWS = 2000


def main():
    requests = insurance(ROWS).frame.rename(columns={"horse_power": "power"})
    requests["wheels"] = requests["wheels"].map("{:.0f}".format, na_action="ignore")
    bins = dict.fromkeys(["weight", "power"], "equal-frequency(5)")
    nb = NaiveBayes(distributions=bins).fit(requests, "desk")
    row = requests[requests["desk"] == "professional truck"].iloc[[11]]
    FOLDER.mkdir(exist_ok=True)
    nomogram = draw(lambda ax: plot.nomogram(nb, ax, label="professional truck"), (7.4, 4.8))
    evidence = draw(lambda ax: plot.evidence(nb.explain(row), ax=ax), (6.4, 3.0))
    (FOLDER / "nomogram.svg").write_bytes(nomogram)
    (FOLDER / "evidence.svg").write_bytes(evidence)


if __name__ == "__main__":
    main()
