"""What may be published under which licence: the identifiers that the Hub's cards know, and the terms that pass from a
part to the whole. Terms as their texts state them, no legal advice; what is not known here is a person's to read."""

from __future__ import annotations

import re

from curate.model.errors import UsageError
from curate.model.near import did_you_mean

OTHER = "other"
HUB_LICENCES = frozenset("""
    afl-3.0 agpl-3.0 apache-2.0 apple-amlr apple-ascl artistic-2.0 bigcode-openrail-m bigscience-bloom-rail-1.0
    bigscience-openrail-m bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear bsl-1.0 c-uda cc cc-by-2.0 cc-by-2.5
    cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0
    cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0
    cdla-permissive-2.0 cdla-sharing-1.0 creativeml-openrail-m deepfloyd-if-license ecl-2.0 epl-1.0 epl-2.0 etalab-2.0
    eupl-1.1 eupl-1.2 fair-noncommercial-research-license gemma gfdl gpl gpl-2.0 gpl-3.0 h-research intel-research isc
    lgpl lgpl-2.1 lgpl-3.0 lgpl-lr llama2 llama3 llama3.1 llama3.2 llama3.3 llama4 lppl-1.3c mit mpl-2.0 ms-pl ncsa
    odbl odc-by ofl-1.1 open-mdw openrail openrail++ osl-3.0 other pddl postgresql unlicense wtfpl zlib
""".split())  # fmt: skip
"""Identifiers of the Hub's cards (hub-docs, repositories-licenses)."""

_FREE = {"cc0-1.0", "pddl", "unlicense", "wtfpl"}
"""Nothing is asked."""
_NAMED = {
    "mit", "apache-2.0", "bsd", "bsd-2-clause", "bsd-3-clause", "bsd-3-clause-clear", "isc", "zlib", "ncsa", "bsl-1.0",
    "postgresql", "odc-by", "cdla-permissive-1.0", "cdla-permissive-2.0", "c-uda", "etalab-2.0", "ecl-2.0", "afl-3.0",
    "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "artistic-2.0", "ms-pl",
}  # fmt: skip
"""The authors and the licence must be named; the card does (licences by part)."""
_CC = re.compile(r"cc-by((?:-nc|-sa|-nd)*)-(\d\.\d)")
_ALIAS = {
    "apache": "apache-2.0", "apache 2": "apache-2.0", "apache2": "apache-2.0", "apache license 2.0": "apache-2.0",
    "apache license, version 2.0": "apache-2.0", "mit license": "mit", "the mit license": "mit", "cc0": "cc0-1.0",
    "cc by 4.0": "cc-by-4.0", "public domain": "cc0-1.0", "bsd-3": "bsd-3-clause",
}  # fmt: skip


def plain(licence: str) -> str:
    """The Hub's identifier of a licence as records state it; what is not known stays as it is, in small letters."""
    text = " ".join(licence.strip().lower().replace("_", "-").split())
    text = _ALIAS.get(text, text)
    dashed = text.replace(" ", "-")
    return dashed if dashed in HUB_LICENCES else text


def checked_licence(licence: str, name: str | None) -> str:
    """The licence of a publication as the Hub knows it. Raises UsageError."""
    found = plain(licence)
    if found not in HUB_LICENCES:
        raise UsageError(
            f"{licence!r} is no licence that the Hub knows.{did_you_mean(found, HUB_LICENCES)} For another one: "
            "--license other --license-name NAME --license-link URL."
        )
    if found == OTHER and not name:
        raise UsageError("--license other needs --license-name, and --license-link to its text.")
    return found


def why_not(part: str, whole: str) -> str | None:
    """Why a part under one licence may not be published under another; None where it may. Both as `plain` gives
    them."""
    if part == whole or part in _FREE:
        return None
    terms = _terms(part)
    if terms is None:
        return f"its terms are not known here: read them, and accept this by name if they allow {whole}"
    if "nd" in terms:
        return "it forbids changed copies, and curated data is one"
    if "sa" in terms and not _same_terms(part, whole):
        return "it asks that copies stay under it"
    if "nc" in terms and "nc" not in (_terms(whole) or ()):
        return f"it forbids commercial use, which {whole} allows"
    if whole in _FREE:
        return f"it asks that its authors are named, which {whole} does not"
    return None


def _terms(licence: str) -> tuple[str, ...] | None:
    """Conditions beside naming the authors; None where they are not known."""
    found = _CC.fullmatch(licence)
    if found is not None:
        return tuple(found[1].strip("-").split("-")) if found[1] else ()
    if licence in _NAMED or licence in _FREE:
        return ()
    return ("sa",) if licence in ("odbl", "gpl-2.0", "gpl-3.0", "agpl-3.0", "cdla-sharing-1.0", "gfdl") else None


def _same_terms(part: str, whole: str) -> bool:
    """Whether a share-alike licence lets its copies be under the other: itself in a later version."""
    one, other = _CC.fullmatch(part), _CC.fullmatch(whole)
    return one is not None and other is not None and one[1] == other[1] and float(other[2]) >= float(one[2])
