"""What a run's measured hits mean under a recipe: every piece of evidence, the strongest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from curate.stages.leakage.evidence import REASON, Leak
from curate.stages.leakage.options import LeaksOptions
from curate.stages.measures.app_names import app_key, site_key

_ORDER = {kind: place for place, kind in enumerate(REASON)}


class Rules(NamedTuple):
    """What evidence is weighed with: the recipe, the apps and sites it holds out, and the phrases that are rare in the
    data."""

    options: LeaksOptions
    apps: frozenset[str]
    sites: frozenset[str]
    rare: Collection[str]


def rules(options: LeaksOptions, rare: Collection[str]) -> Rules:
    return Rules(options, frozenset(map(app_key, options.apps)), frozenset(map(site_key, options.sites)), rare)


def leaks_of(row: Mapping[str, Any], by: Rules) -> list[Leak]:
    """Everything that a run gives away by itself, the strongest first. `row`: its measures (`measuring.MEASURES`), and
    its `screens`: Leaks of what it shows."""
    found = [leak for hit in row["hits"] or () if (leak := leak_of(hit, by.options.coverage, by.rare))]
    held_out = set(row["held"])
    for kind, column, places in (("app", "apps", by.apps), ("site", "sites", by.sites)):
        place = next((place for place in row[column] if place in places or place in held_out), None)
        if place is not None:
            found.append(Leak(kind, f"{place} is held out", None))
    if by.options.test_places != "ignore" and row["tested"]:
        found.append(_tested(row))
    found += row.get("screens") or ()
    return strongest_first(found)


def strongest_first(leaks: Iterable[Leak | None]) -> list[Leak]:
    """The evidence there is, in the order of its strength; of one kind, as it was given."""
    return sorted((leak for leak in leaks if leak is not None), key=lambda leak: _ORDER[leak.kind])


def leak_of(hit: Mapping[str, Any], coverage: float, rare: Collection[str], task: str = "test task") -> Leak | None:
    """What one measured hit means; None where it is only phrases that are common in the data. `task`: what is given
    away is called so."""
    kind, test, said = hit["kind"], hit["test"], hit["evidence"]
    of = f"{task} {test}"
    if kind == "phrase" and hit["share"] >= coverage:
        return Leak("coverage", f"{hit['share']:.0%} of the phrases of {of}, such as {said}", test)
    if kind == "template_phrase" and hit["share"] >= coverage:
        return Leak("like_template", f"{hit['share']:.0%} of the phrases of the template of {of}, such as {said}", test)
    if kind in ("phrase", "template_phrase"):
        for phrase in hit["phrases"]:
            if phrase in rare:
                return Leak("phrase", f'shares "{phrase}" with {of}', test)
        return None
    if kind == "canary":
        return Leak(kind, f"holds the canary {said}" + (f" of {of}" if test is not None else ""), test)
    sentences = {
        "task": f"{of}: {said}",
        "template": f"the template of {of} with the same arguments: {said}",
        "id": f"names {said}, which is {of}" if _is(said, test) else f"names {said}, which {of} is of",
        "file": f"names {said}, a file of {of}",
        "like_template": f"the template of {of} with other arguments: {said}",
        "path": f"the {said} that solve {of}",
        "paraphrase": f"means what {of} means ({hit['share']:.2f}): {said}",
    }
    return Leak(kind, sentences[kind], test)


def drops(leak: Leak, options: LeaksOptions) -> bool:
    """Whether evidence puts a run out under the recipe."""
    asked = {
        "tested_app": options.test_places,
        "tested_site": options.test_places,
        "phrase": options.phrases,
        "like_template": options.templates,
        "path": options.paths,
        "screen": options.screens,
        "paraphrase": options.paraphrases,
    }
    return leak.strength == "strong" or asked[leak.kind] == "drop"


def dropping(leaks: Iterable[Leak], options: LeaksOptions) -> Leak | None:
    """The strongest evidence that puts a run out, if any does."""
    return next((leak for leak in leaks if drops(leak, options)), None)


def reasons(leaks: Iterable[Leak]) -> list[str]:
    """The reasons of all evidence, each once."""
    return list(dict.fromkeys(leak.reason for leak in leaks))


def _is(said: str, test: str | None) -> bool:
    """Whether a name is a test task's own, with or without its benchmark, set and domain before it."""
    return test is not None and (said == test or test.endswith((f"/{said}", f":{said}")))


def _tested(row: Mapping[str, Any]) -> Leak:
    place = row["tested"][0]
    kind = "tested_app" if place in row["apps"] else "tested_site"
    return Leak(kind, f"{place} is a place of the test", None)
