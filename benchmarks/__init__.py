"""Speed and memory, side by side with scikit-learn and with one pass over the same bytes: `make bench`."""
