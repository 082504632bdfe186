"""Reports: blocks of text, tables and figures, as Markdown and HTML."""
