"""What the papers report: facts, written down once."""

from __future__ import annotations

from candide.frozen import frozen

CITATIONS = {
    "indifferent": "J. Cerquides, R. López de Màntaras: The Indifferent Naive Bayes Classifier. Proceedings of the "
    "Sixteenth International Florida Artificial Intelligence Research Society Conference (FLAIRS), AAAI Press, 2003.",
    "robust": "B. Chandra, M. Gupta, M. P. Gupta: Robust Approach for Estimating Probabilities in Naive-Bayes "
    "Classifier. Pattern Recognition and Machine Intelligence (PReMI), Lecture Notes in Computer Science 4815, "
    "Springer, 2007.",
    "summation": "P. Barabás, L. Kovács: Usability of Summation Hack in Bayes Classification. University of Miskolc, "
    "Department of Information Technology.",
}

# the paper's data set: ours
INDIFFERENT_SETS = {
    "DCREDITS": "german",
    "ADULT": "adult",
    "BREAST": "breast",
    "CAR": "car",
    "CHESS": "chess",
    "CLEVE": "cleve",
    "CRX": "crx",
    "GLASS": "glass_window",
    "IRIS": "iris",
    "LETTER": "letter",
    "MUSHROOM": "mushroom",
    "NURSERY": "nursery",
    "OPTDIGITS": "optdigits",
    "PIMA": "pima",
    "SOYBEAN": "soybean",
    "VOTES": "votes",
}


@frozen(eq=True)
class Wins:
    """On how many of 16 data sets IndifferentNB is better with 10 % of the data, and by how much at most."""

    wins: int
    largest: float


INDIFFERENT_WINS = {
    ("bibl", "accuracy"): Wins(12, 0.06),
    ("bibl", "log_score"): Wins(11, 0.11),
    ("mapnb", "accuracy"): Wins(10, 0.40),
    ("mapnb", "log_score"): Wins(14, 1.00),
}


@frozen(eq=True)
class Table1:
    """A row of the robust paper's Table 1: ten-fold accuracies in per cent, and verdicts on "proposed"."""

    dataset: str
    basic: float
    estimate: float
    proposed: float
    against_basic: str
    against_estimate: str


ROBUST_TABLE = {
    "Letter": Table1("letter", 70.78, 70.75, 70.82, "yes 97.8 %", "yes 97.4 %"),
    "Pendigit": Table1("pendigits", 87.65, 87.43, 87.65, "equal", "yes 99 %"),
    "Segmentation": Table1("segmentation", 90.61, 89.96, 91.08, "yes 99.9 %", "yes 95 %"),
    "Vowel": Table1("vowel", 69.49, 70.51, 70.00, "yes 97.4 %", "equal"),
    "Vehicle": Table1("vehicle", 62.71, 62.12, 62.47, "equal", "equal"),
    "P-I-Diabetes": Table1("pima", 75.32, 75.58, 75.06, "equal", "equal"),
    "Wdbc": Table1("wdbc", 91.4, 94.21, 93.33, "yes 99.1 %", "equal"),
    "Ionosphere": Table1("ionosphere", 85.43, 90.57, 88.00, "yes 99.8 %", "equal"),
    "Liver": Table1("liver", 64.71, 64.71, 65.00, "equal", "equal"),
    "New-Thyroid": Table1("new_thyroid", 90.00, 92.86, 90.00, "equal", "equal"),
    "Glass": Table1("glass", 50.95, 55.24, 55.71, "yes 97.4 %", "equal"),
    "Sonar": Table1("sonar", 70.00, 65.24, 74.29, "yes 97.9 %", "yes 100 %"),
    "Wpbc": Table1("wpbc", 73.16, 70.00, 73.16, "equal", "equal"),
    "Wine": Table1("wine", 81.11, 96.67, 91.67, "yes 100 %", "no 99.8 %"),
    "Iris": Table1("iris", 94.67, 95.33, 95.33, "equal", "equal"),
}

# the three pairs of curves in figure 2 of the summation paper
SUMMATION_MAX_VALUES = (20, 100, 500)
