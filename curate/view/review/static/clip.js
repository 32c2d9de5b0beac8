"use strict";

/* The video around a step. The capture leaves the pointer out of the picture; here it is drawn from the events. */
(function (review) {
  const { make, svg, recorded } = review.dom;

  async function show(run, index) {
    const step = run.steps[index];
    const answer = review.exported && !step.clip ? { sentence: "This export holds no video of the step." } : await review.dialogs.wanted(review.load(`clip/${run.position}/${step.index}`), "The video is being made…");
    if (!answer) return;
    const title = `Video around step ${step.index}`;
    if (!answer.src) return void review.dialogs.open(title, make("p", null, recorded(answer.sentence ?? "There is no video of this step.", 400)));
    const video = make("video", { controls: true, muted: true, playsinline: true, preload: "auto", "aria-label": title });
    video.muted = true;
    video.src = answer.src;
    const cursor = svg("path", { class: "pointer-shape", d: "M 0 0 l 0 17 l 4.2 -3.8 l 3 6.6 l 3 -1.3 l -3 -6.6 l 5.6 0 Z" });
    const layer = svg("svg", { class: "clip-layer", "aria-hidden": "true" }, cursor);
    const line = make("p", { class: "dim" }, answer.start !== undefined ? `${review.text.seconds(answer.start)} to ${review.text.seconds(answer.end)} of the recording. The pointer is drawn from the raw events.` : "");
    const stop = follow(video, layer, cursor, answer.pointer ?? []);
    review.dialogs.open(title, make("div", null, make("div", { class: "clip" }, video, layer), line), { wide: true, done: stop });
    video.play().catch(() => {}); // a browser that does not start it by itself has the controls
  }

  /* Moves the drawn pointer with the video, frame by frame. Returns what ends it. */
  function follow(video, layer, cursor, pointer) {
    let going = true;
    const frame = () => {
      if (!going) return;
      const at = last(pointer, video.currentTime);
      cursor.setAttribute("visibility", at ? "visible" : "hidden");
      const box = shownBox(video);
      if (at && box) cursor.setAttribute("transform", `translate(${box.x + at[1] * box.width} ${box.y + at[2] * box.height})`);
      requestAnimationFrame(frame);
    };
    layer.setAttribute("width", "100%");
    layer.setAttribute("height", "100%");
    requestAnimationFrame(frame);
    return () => {
      going = false;
      video.pause();
      video.removeAttribute("src");
      video.load();
    };
  }

  function last(pointer, time) {
    let found = null;
    for (const one of pointer) {
      if (one[0] > time) break;
      found = one;
    }
    return found;
  }

  /* Where the picture lies within the video element, which keeps its shape. */
  function shownBox(video) {
    if (!video.videoWidth) return null;
    const scale = Math.min(video.clientWidth / video.videoWidth, video.clientHeight / video.videoHeight);
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale];
    return { x: (video.clientWidth - width) / 2, y: (video.clientHeight - height) / 2, width, height };
  }

  review.clip = { show };
})(window.review);
