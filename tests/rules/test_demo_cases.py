"""Each case of the demo shows what it is named after, and put right it does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tuimon.findings import Findings
from tuimon.ingest import Ingest
from tuimon.rules.base import Severity
from tuimon_writer.demo.cases.base import case_names, find_case, log_case


@pytest.mark.parametrize("name", case_names())
def test_a_case_is_told_and_its_remedy_works(name: str, tmp_path: Path) -> None:
    """The rule that the case is for finds it in the run; in the run put right nothing worse than a hint is found."""
    with np.errstate(all="ignore"):
        log_case(name, tmp_path, seconds=0)
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    findings = Findings(ingest.store)
    findings.look(1.8e9)
    assert findings.errors == {}
    assert find_case(name).finds in {finding.rule for finding in findings.findings_of(name)}
    right = findings.findings_of(f"{name}-fixed")
    assert find_case(name).finds not in {finding.rule for finding in right}
    assert [finding for finding in right if finding.severity > Severity.INFO] == []


def test_a_wrong_name_lists_the_cases() -> None:
    """The message names all cases."""
    with pytest.raises(ValueError, match=r"there is no case 'none'; there are collapsed, .*vanishing"):
        find_case("none")
