"""The automatic choice on real tables, before and now, beside single methods and scikit-learn."""
