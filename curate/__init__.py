"""Record, audit and curate computer-use trajectories.

The Python interface is what `__all__` names (docs/api.md); everything else may change without notice. Names are
imported when they are first used, so `import curate` is quick and touches neither a display nor the network:

    import curate

    for record in curate.read_records("RUN"):        # curate.Trajectory
        print(record.instruction, [curate.render(step.actions) for step in record.steps])
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_WHERE = {
    "Trajectory": "model.trajectory",
    "Step": "model.trajectory",
    "decode": "model.trajectory",
    "encode": "model.trajectory",
    "render": "model.render",
    "parse": "model.parse",
    "canonical": "model.render",
    "CurateError": "model.errors",
    "read_records": "store.dataset",
    "RunFolder": "store.run_folder",
    "load_recipe": "engine.recipe",
    "make_plan": "engine.plan",
    "run": "engine.run",
    "read_report": "view.report",
    "write_report": "view.report",
    "sample_pairs": "engine.pair_sample",
    "threshold_rows": "view.pair_labels",
    "draw_sample": "engine.auditing.sampling",
    "audit_labels": "engine.auditing.evaluating",
    "Answer": "judge.audit",
    "confusion_matrix": "judge.audit",
    "figures": "judge.audit",
    "mix": "engine.mixing.mix",
    "MixOptions": "engine.mixing.mix",
    "Score": "engine.planning.scores",
    "scaling": "engine.planning.scores",
    "marks_of": "view.drawn_action",
}

__all__ = ["__version__", *_WHERE]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'curate' has no attribute {name!r}")
    return getattr(importlib.import_module(f"curate.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
