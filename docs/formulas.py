"""Formulas of the pages: a block of TeX, which hosts of repositories typeset by themselves, as MathML on the site.

Browsers set MathML without a script, so that the pages read the same from a disk and without a network.
"""


def typeset(source, *_, **__):
    """Return a block of TeX as MathML, a formula a line; superfences calls it for every block called `math`."""
    from latex2mathml.converter import convert

    return "".join(f"<p>{convert(line, display='block')}</p>" for line in source.split(r"\\"))
