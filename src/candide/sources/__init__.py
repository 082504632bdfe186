"""Anything that gives a table batch by batch: files, streams, datasets, lazy frames, iterators of frames."""

from candide.sources.base import Reading, Source, SourceWarning, is_source, open_source

__all__ = ["Reading", "Source", "SourceWarning", "is_source", "open_source"]
