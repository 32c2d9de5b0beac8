"use strict";

/* The big picture of a step with the action drawn over it: fit, 1:1 (one pixel of the picture, one of the screen), 2×.
   Only the picture shown and the next step's are asked for. */
(function (review) {
  const { make, svg, byId, recorded } = review.dom;
  /* Why this moment of the recording is the picture, by the rule's name in the record. */
  const CHOSEN = { latest_away: "the latest with the pointer away from the target", farthest: "the one with the pointer farthest from the target",
    before_change: "the last before the screen changed", last_before: "the last before the action", last: "the last before the action" };
  const ZOOMS = [["fit", "Fit"], ["one", "1:1"], ["two", "2×"]];
  let zoom = "fit";
  let drawn = true; // whether the marks are shown
  let next = null; // the next step's picture, held so that the browser keeps it
  let state = null; // {run, index, after}

  function make_() {
    const zooms = ZOOMS.map(([name, label]) => make("button", { type: "button", "data-zoom": name, "aria-pressed": "false", click: () => setZoom(name) }, label));
    const image = make("img", { id: "picture", alt: "", decoding: "sync", draggable: "false" });
    const layer = svg("svg", { id: "marks", "aria-hidden": "true" });
    const canvas = make("div", { id: "canvas" }, image, layer);
    image.addEventListener("load", fit);
    image.addEventListener("error", broken);
    const scroller = make("div", { id: "scroller", tabindex: "0", role: "region", "aria-label": "Picture; scrolls when it is larger than its place" }, canvas, make("p", { id: "no-picture", class: "waiting", hidden: true }));
    const observer = new ResizeObserver(fit);
    observer.observe(scroller);
    const bar = make("div", { class: "picture-bar" },
      make("h2", { id: "step-title", tabindex: "-1" }), make("p", { id: "caption" }),
      make("div", { class: "group", role: "group", "aria-label": "Zoom" }, zooms),
      review.dom.button("After", "o", toggleAfter, { id: "after-button", "aria-pressed": "false" }),
      review.dom.button("Marks", "h", toggleMarks, { id: "marks-button", "aria-pressed": "true" }));
    const holder = make("section", { class: "picture", "aria-label": "Picture of the step" }, bar, scroller, make("p", { id: "picture-note" }));
    return { holder, close: () => observer.disconnect() };
  }

  /* What came after a step: its own picture of that, else the next step's, else the run's last. */
  function afterOf(run, index) {
    const step = run.steps[index];
    if (step.image_after) return [step.image_after, "after the step"];
    const following = run.steps[index + 1];
    if (following?.image) return [following.image, "before the next step"];
    if (!following && run.final_image) return [run.final_image, "at the end of the run"];
    return [null, null];
  }

  function show(run, index) {
    state = { run, index, after: false };
    refresh();
  }

  function refresh() {
    const { run, index, after } = state;
    const step = run.steps[index];
    const [picture, moment] = after ? afterOf(run, index) : [step.image, "as the person acted on it"];
    const image = byId("picture");
    image.alt = alternative(step, after);
    if (picture && image.getAttribute("src") !== picture.src) image.src = picture.src;
    if (!picture) image.removeAttribute("src");
    note(picture, moment, step, after);
    byId("after-button").setAttribute("aria-pressed", String(after));
    byId("scroller").classList.toggle("after", after);
    fit();
    preload(run.steps[index + 1]?.image ?? run.final_image);
  }

  function alternative(step, after) {
    const words = step.lines?.[0] ?? "";
    return after ? `The screen after step ${step.index}` : `The screen at step ${review.text.visible(words)}`;
  }

  function note(picture, moment, step, after) {
    const line = byId("picture-note");
    const named = state.run.record.steps[state.index]?.image; // by the record, whether it is there or not
    without(picture ? null : after ? "Nothing shows what came after this step." : named ? "The picture that the record names is not there." : "This step has no picture.");
    if (!picture) return;
    const screen = state.run.record.steps[state.index]?.screen;
    const parts = [review.blind && !after ? "Picture of the step" : `Picture ${moment}`]; // an audit asks what it is of
    if (picture.width) parts.push(`${picture.width} × ${picture.height}`);
    if (screen && picture.width && (screen.width !== picture.width || screen.height !== picture.height)) parts.push(`of a screen of ${screen.width} × ${screen.height}`);
    const keyframe = state.run.record.steps[state.index]?.keyframe;
    if (!after && keyframe?.rule && !review.blind) parts.push(CHOSEN[keyframe.rule] ?? `chosen by ${keyframe.rule}`);
    return line.replaceChildren(recorded(parts.join(" · "), 200));
  }

  function preload(picture) {
    next = picture ? new Image() : null;
    if (next) next.src = picture.src;
  }

  function broken() {
    without("The picture cannot be shown: the file is missing or damaged.");
  }

  /* In the picture's place, why there is none; null where there is one. */
  function without(sentence) {
    byId("canvas").hidden = sentence !== null;
    byId("no-picture").hidden = sentence === null;
    byId("no-picture").textContent = sentence ?? "";
    if (sentence !== null) byId("picture-note").replaceChildren();
  }

  /* The size the picture is shown at, in CSS pixels. */
  function shownSize() {
    const image = byId("picture");
    const { run, index, after } = state;
    const picture = after ? afterOf(run, index)[0] : run.steps[index].image;
    const width = image.naturalWidth || picture?.width || 0;
    const height = image.naturalHeight || picture?.height || 0;
    if (!width || !height) return null;
    const ratio = window.devicePixelRatio || 1;
    if (zoom !== "fit") return [(width / ratio) * (zoom === "two" ? 2 : 1), (height / ratio) * (zoom === "two" ? 2 : 1)];
    const box = byId("scroller");
    const scale = Math.min(box.clientWidth / width, box.clientHeight / height, 2 / ratio);
    return [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
  }

  function fit() {
    const image = byId("picture");
    if (!image || !state) return;
    const size = shownSize();
    for (const button of document.querySelectorAll("[data-zoom]")) button.setAttribute("aria-pressed", String(button.dataset.zoom === zoom));
    byId("scroller").dataset.zoom = zoom;
    if (!size) return;
    for (const element of [image, byId("marks"), byId("canvas")]) {
      element.style.width = `${size[0]}px`;
      element.style.height = `${size[1]}px`;
    }
    const shown = drawn && !state.after;
    byId("marks").classList.toggle("off", !shown);
    if (shown) review.marks.draw(byId("marks"), state.run.steps[state.index], size[0], size[1]);
    review.blur.draw(byId("marks"), state, size);
  }

  function setZoom(name) {
    zoom = name;
    fit();
    if (zoom !== "fit") centre();
    review.dom.say(`Zoom ${ZOOMS.find(([one]) => one === zoom)[1]}.`);
  }

  function cycle() {
    const place = ZOOMS.findIndex(([name]) => name === zoom);
    setZoom(ZOOMS[(place + 1) % ZOOMS.length][0]);
  }

  /* What is acted on comes to the middle. */
  function centre() {
    const mark = state.run.steps[state.index].marks?.find((one) => one.kind !== "box") ?? null;
    const size = shownSize();
    if (!mark || !size) return;
    const box = byId("scroller");
    box.scrollTo(mark.at[0] * size[0] - box.clientWidth / 2, mark.at[1] * size[1] - box.clientHeight / 2);
  }

  function toggleAfter() {
    state.after = !state.after;
    const [picture, moment] = afterOf(state.run, state.index);
    refresh();
    review.dom.say(state.after ? (picture ? `The screen ${moment}.` : "Nothing shows what came after this step.") : "The screen before the step.");
  }

  function toggleMarks() {
    drawn = !drawn;
    byId("marks-button").setAttribute("aria-pressed", String(drawn));
    fit();
    review.dom.say(drawn ? "Marks shown." : "Marks hidden.");
  }

  review.picture = { make: make_, show, redraw: fit, cycle, toggleAfter, toggleMarks, centre: () => zoom !== "fit" && centre() };
})(window.review);
