"""A run's last word and what is known of its outcome."""

from __future__ import annotations

from curate.model.actions import Action, Terminate


def borne_out(action: Action, completed: bool | None) -> Action:
    """A final status that the run's own outcome bears out, else an unknown one: for sources whose tools end every run
    with a success."""
    if isinstance(action, Terminate) and (completed is None or completed != (action.status == "success")):
        return Terminate()
    return action
