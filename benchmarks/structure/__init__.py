"""Trees, averages and networks: how well and how fast, beside naive Bayes and beside others."""
