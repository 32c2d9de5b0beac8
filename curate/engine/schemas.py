"""Every JSON Schema of the project by its versioned name, made from the types of all layers. The files in `schemas/`
are these, written by `curate schema --write`; a test holds them equal."""

from __future__ import annotations

from typing import Any

import msgspec

from curate.engine.auditing.results import SCHEMA as AUDIT
from curate.engine.auditing.results import AuditResult
from curate.engine.check.types import SCHEMA as CHECK
from curate.engine.check.types import Check
from curate.engine.mixing.mix_recipe import SCHEMA as MIX_RECIPE
from curate.engine.mixing.mix_recipe import MixRecipe
from curate.engine.recipe import sections
from curate.engine.report.types import Report
from curate.formats import messages
from curate.model.audit_label import ITEM_SCHEMA as AUDIT_ITEM
from curate.model.audit_label import SCHEMA as AUDIT_LABEL
from curate.model.audit_label import AuditItem, AuditLabel
from curate.model.edits import SCHEMA as EDIT
from curate.model.edits import Edit
from curate.model.schemas import schema_of, trajectory_schema
from curate.model.trajectory import SCHEMA as TRAJECTORY
from curate.model.tree import Tree
from curate.stages import registry
from curate.store import accessibility, recording


def all_schemas() -> dict[str, dict[str, Any]]:
    """The schemas by name: of raw events, recordings, records, trees, examples,
    recipes, reports, checks, edits and audits."""
    return {
        "raw-event.v1": schema_of("raw-event.v1", recording.AnyRow, "One row of a recording's events.jsonl"),
        recording.SCHEMA: schema_of(recording.SCHEMA, recording.RecordingInfo, "recording.json of a recording"),
        "a11y-row.v1": schema_of(
            "a11y-row.v1", accessibility.AnyAccessibilityRow, "One row of a recording's a11y.jsonl"
        ),
        "tree.v1": schema_of("tree.v1", Tree, "The accessibility tree of a step (media, packed with zstd)"),
        TRAJECTORY: trajectory_schema(),
        messages.SCHEMA: schema_of(messages.SCHEMA, messages.Example, "One training example, format messages"),
        "recipe.v1": recipe_schema(),
        MIX_RECIPE: schema_of(MIX_RECIPE, MixRecipe, "A mixture: what `curate mix --recipe` reads"),
        "report.v1": schema_of("report.v1", Report, "report.json of a run"),
        EDIT: schema_of(EDIT, Edit, "One line of an edits file: what a reviewer decided of a record"),
        AUDIT_ITEM: schema_of(AUDIT_ITEM, AuditItem, "One line of a sample of an audit"),
        AUDIT: schema_of(AUDIT, AuditResult, "What an audit found: `curate audit RUN --labels FILE --json`"),
        AUDIT_LABEL: schema_of(AUDIT_LABEL, AuditLabel, "One line of a file of audit labels"),
        CHECK: schema_of(CHECK, Check, "check.json of a check"),
    }


def recipe_schema() -> dict[str, Any]:
    """The schema of a recipe's YAML: a section for each stage and for how recordings are read, all of them optional.
    Where an option may be null, `off` (which YAML reads as false) switches it off too."""
    kinds = sections()
    refs, definitions = msgspec.json.schema_components(kinds.values(), ref_template="#/$defs/{name}")
    for definition in definitions.values():
        definition["additionalProperties"] = False
        for option in definition["properties"].values():
            choices = option.get("anyOf", [])
            if {"type": "null"} in choices:
                choices.append({"const": False})
    order = {
        "type": "array",
        "items": {"enum": sorted(registry.stages())},
        "minItems": 1,
        "description": "Stages in the order they decide; the last is unroll.",
        "default": list(registry.DEFAULT_ORDER),
    }
    properties: dict[str, Any] = {
        "about": {"type": "string", "description": "What the recipe is for."},
        "order": order,
        "seed": {"type": "integer", "minimum": 0},
        **dict(zip(kinds, refs, strict=True)),
    }
    head = schema_of("recipe.v1", dict[str, Any], "A recipe of a run")
    return {**head, "type": "object", "properties": properties, "additionalProperties": False, "$defs": definitions}
