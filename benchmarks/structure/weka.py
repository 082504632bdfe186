"""Weka's tree and average, inside this process: its Java machine is started once, and keeps what it has compiled.

`WEKA_CLASSPATH` names Weka's jar, and others that it needs, with colons between them.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

CLASSPATH = "WEKA_CLASSPATH"
TREE = "-D -Q weka.classifiers.bayes.net.search.local.TAN -- -S BAYES "
TREE += "-E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A 1.0"
"""A tree, its tables held and not counted again at every step, one row added to each cell."""


class WekaClassifier:
    """A classifier of Weka that learns one table, read into Weka beforehand, and predicts it.

    Parameters
    ----------
    instances : weka.core.Instances
        The table.
    classes : ndarray
        The labels, in their order.
    name, options : str
        Its class, and its words on the command line.
    """

    def __init__(self, instances: object, classes: np.ndarray, name: str, options: str = "") -> None:
        import jpype

        self.instances, self.classes = instances, classes
        self.classifier = jpype.JClass(name)()
        if options:
            self.classifier.setOptions(options.split())

    def fit(self, X: object, y: object) -> "WekaClassifier":
        """Build the classifier."""
        self.classifier.buildClassifier(self.instances)
        return self

    def predict(self, X: object) -> np.ndarray:
        """Return labels; Weka's evaluation asks for the probabilities of every row, as its command does."""
        import jpype

        found = jpype.JClass("weka.classifiers.Evaluation")(self.instances).evaluateModel(
            self.classifier, self.instances
        )
        return self.classes[np.asarray(found, dtype=np.int64)]


def weka(X: np.ndarray, y: np.ndarray) -> dict[str, WekaClassifier]:
    """Return Weka's classifiers for a table of codes; none where it cannot be had."""
    try:
        import jpype
    except ImportError:
        print("jpype is not installed: without Weka")
        return {}
    if CLASSPATH not in os.environ:
        print(f"{CLASSPATH} is not set: without Weka")
        return {}
    if not jpype.isJVMStarted():
        jpype.startJVM(classpath=os.environ[CLASSPATH].split(":"))
    with TemporaryDirectory() as folder:
        file = Path(folder, "table.arff")
        file.write_text(arff(X, y))
        instances = jpype.JClass("weka.core.Instances")(jpype.JClass("java.io.FileReader")(str(file)))
    instances.setClassIndex(X.shape[1])
    version = jpype.JClass("weka.core.Version").VERSION
    classes = np.unique(y)
    return {
        f"Weka {version} TAN": WekaClassifier(instances, classes, "weka.classifiers.bayes.BayesNet", TREE),
        f"Weka {version} AODE": WekaClassifier(instances, classes, "weka.classifiers.bayes.AODE"),
    }


def arff(X: np.ndarray, y: np.ndarray) -> str:
    """Return a table of codes as Weka reads it, every column nominal, the class last."""
    columns = [f"@attribute x{j} {{{','.join(map(str, range(int(X[:, j].max()) + 1)))}}}" for j in range(X.shape[1])]
    rows = [",".join([*map(str, row), label]) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    return "\n".join(["@relation table", *columns, f"@attribute class {{{','.join(np.unique(y))}}}", "@data", *rows])
