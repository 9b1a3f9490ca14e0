"""Tables of comma- or tab-separated values: what Lightning, Keras, Stable-Baselines, Ray and many scripts log."""

from __future__ import annotations

from tuimon.formats.base import Format, Parser


class Delimited(Format):
    """The format of tables with a header and a row a step.

    Between the cells stand commas, tabs, semicolons, bars or blanks. Any dialect of quotes, line ends and numbers is
    read as its file shows it.
    """

    name = "CSV"
    rank = 60

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        from tuimon.formats._csv.sniff import is_log

        return is_log(path, head)

    def opens(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.opens`: a column of numbers is enough."""
        from tuimon.formats._csv.sniff import has_numbers

        return has_numbers(path, head)

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._csv.parser import CsvParser

        name = path.rpartition("/")[2]
        return CsvParser(name.rpartition(".")[0] or name)


FORMAT = Delimited()
