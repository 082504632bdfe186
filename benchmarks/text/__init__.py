"""Documents: speed from raw text to a model and to answers, and how right the answers are, beside scikit-learn."""
