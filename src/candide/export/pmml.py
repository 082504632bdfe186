"""PMML."""
