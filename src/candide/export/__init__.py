"""Scorers for where the data are: a model as SQL, as ONNX and as PMML, all written from its forms and its prior."""
