"use strict";

/* A region to blur: dragged with the mouse, or moved and sized with the arrow keys alone. It is an edit with a box in
   fractions of the picture; the picture itself stays as it is until `curate run --edits` makes a blurred one. */
(function (review) {
  const { svg, say, byId } = review.dom;
  const FINE = 0.01;
  const COARSE = 0.05;
  const LEAST = 0.004; // of the picture: a smaller box is a slip of the hand
  let mode = null; // {box, from, done}

  /* Asks for a box on the picture shown; resolves to [x0, y0, x1, y1], or to null where the person leaves it. */
  function ask(start) {
    stop(null);
    return new Promise((resolve) => {
      mode = { box: start ?? [0.4, 0.4, 0.6, 0.6], from: null, done: resolve };
      byId("scroller").classList.add("blurring");
      listen(true);
      review.picture.redraw();
      byId("scroller").focus();
      say("Blur: drag over the picture; or move with the arrow keys, Shift and arrows size it, Alt for small steps; Enter stores, Esc leaves.");
    });
  }

  function stop(box) {
    if (!mode) return;
    const { done } = mode;
    mode = null;
    listen(false);
    byId("scroller")?.classList.remove("blurring");
    review.picture.redraw();
    done(box);
  }

  function listen(on) {
    const change = on ? "addEventListener" : "removeEventListener";
    document[change]("keydown", key, true);
    byId("marks")?.[change]("pointerdown", down);
    window[change]("pointermove", moved);
    window[change]("pointerup", up);
  }

  function key(event) {
    if (!mode || event.ctrlKey || event.metaKey) return;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      stop(null);
      say("Nothing blurred.");
    } else if (event.key === "Enter") stop(rounded(mode.box));
    else if (by) {
      mode.box = pushed(mode.box, by, event.altKey ? FINE : COARSE, event.shiftKey);
      review.picture.redraw();
      say(`Box ${mode.box.map((part) => `${Math.round(100 * part)} %`).join(", ")}.`);
    }
  }

  function pushed([left, top, right, bottom], [x, y], by, sizes) {
    if (sizes) return [left, top, between(right + x * by, left + FINE, 1), between(bottom + y * by, top + FINE, 1)];
    const dx = between(x * by, -left, 1 - right);
    const dy = between(y * by, -top, 1 - bottom);
    return [left + dx, top + dy, right + dx, bottom + dy];
  }

  function between(value, low, high) {
    return Math.min(high, Math.max(low, value));
  }

  function place(event) {
    const box = byId("marks").getBoundingClientRect();
    return [between((event.clientX - box.left) / box.width, 0, 1), between((event.clientY - box.top) / box.height, 0, 1)];
  }

  function down(event) {
    if (!mode || event.button !== 0) return;
    event.preventDefault();
    mode.from = place(event);
  }

  function moved(event) {
    if (!mode?.from) return;
    const [x, y] = place(event);
    const [fromX, fromY] = mode.from;
    mode.box = [Math.min(x, fromX), Math.min(y, fromY), Math.max(x, fromX), Math.max(y, fromY)];
    review.picture.redraw();
  }

  function up(event) {
    if (!mode?.from) return;
    moved(event);
    mode.from = null;
    const [left, top, right, bottom] = mode.box;
    if (right - left < LEAST || bottom - top < LEAST) return;
    stop(rounded(mode.box));
  }

  /* Outwards, so that nothing of what was covered shows at an edge. */
  function rounded([left, top, right, bottom]) {
    const floor = (value) => Math.max(0, Math.floor(value * 10000) / 10000);
    const ceil = (value) => Math.min(1, Math.ceil(value * 10000) / 10000);
    return [floor(left), floor(top), ceil(right), ceil(bottom)];
  }

  /* Blurred regions of the step's edits, and the box that is being made. */
  function draw(layer, { run, index, after }, [width, height]) {
    for (const old of layer.querySelectorAll(".blur")) old.remove();
    if (!after && !review.blind) {
      const edits = review.edits.inForce(run.record.id).filter((edit) => edit.kind === "blur" && edit.step === run.steps[index].index);
      for (const edit of edits) if (Array.isArray(edit.value)) layer.append(rect(edit.value, width, height, "blur stored"));
    }
    if (mode) layer.append(rect(mode.box, width, height, "blur making"));
  }

  function rect([left, top, right, bottom], width, height, look) {
    return svg("rect", { class: look, x: left * width, y: top * height, width: (right - left) * width, height: (bottom - top) * height });
  }

  /* Leaves a box that is being made; whether there was one, for it is never left in silence. */
  function cancel() {
    const was = mode !== null;
    stop(null);
    return was;
  }

  review.blur = { ask, draw, cancel, active: () => mode !== null };
})(window.review);
