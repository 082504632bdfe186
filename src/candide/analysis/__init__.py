"""Analysis: from documents to words."""
