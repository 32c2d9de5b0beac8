"""Flags on a step: what is known to be odd about it, with one sentence each. Flags never drop anything by
themselves; the recipe decides. Report and docs print the sentences from here."""

FLAGS: dict[str, str] = {
    "acted_blind": "The person acted before the previous action's response was on the screen.",
    "auto_repeat": "Presses that the keyboard repeated by itself while the key was held.",
    "clock_unmeasured": "The video's clock could not be measured; the picture may be some tenths of a second off.",
    "closed_by_end": "A button or key was still down when the recording ended; it was closed there.",
    "composed": "Text composed from a dead key and a letter.",
    "drag_path": "The drag returned near its start or bent on its way; dragTo loses the path.",
    "edge": "A raw point up to 2 px beyond the screen was set to its edge.",
    "hidden_before": "Before this step something may have been done that was not recorded: in a pause, a private span, "
    "a password field, or a window that the person kept out.",
    "key_in_drag": "A key was pressed while the button was held; it may have cancelled the drag.",
    "keyframe_missing": "No frame of the video serves for this step.",
    "late_change": "The target itself, or a tenth of the screen, changed within 0.15 s before the action.",
    "long_press": "The button was held for more than a second without a drag.",
    "off_screen": "The point lies outside the picture; its pixels are in raw_point.",
    "picture_damaged": "The picture that the record names for this step is damaged in its archive.",
    "picture_missing": "The record names a picture for this step that is not there.",
    "pointer_inherited": "The pointer was on the target since the previous action, so every picture shows it there.",
    "pointer_near": "The pointer is within 3 % of the target in the picture.",
    "pointer_on_target": "No frame has the pointer away from the target; what it lights up may be seen there.",
    "redacted": "A secret was taken out of the step: of its texts, its tree or its pictures.",
    "screen_changed": "The screen's size or scale changed before this step; element boxes are not believed.",
    "screen_unknown": "The size of the recorded screen is not known; points are null, their pixels are in raw_point.",
    "scroll_units": "The scroll came in fractions of a notch and was summed.",
    "stuck_key": "The release of a key or button before or in this step was not recorded.",
    "text_unverified": "What the keys typed is not known for certain.",
    "unknown_key": "A key whose name the recorder did not know; nothing was typed for it.",
    "unsupported_button": "A mouse button for which there is no action.",
    "words_generated": "The words of the action were made from its type, element and text.",
}
