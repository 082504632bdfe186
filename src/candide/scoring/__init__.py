"""From a model and rows to scores, decisions, explanations and draws."""
