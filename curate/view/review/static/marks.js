"use strict";

/* The action drawn over the picture: everything in pixels of the screen, from fractions of the picture, so that it lies
   on the same point at every zoom and rings stay the same size. */
(function (review) {
  const { svg } = review.dom;
  const RING = 15; // px of the screen
  const HEAD = 13;
  const ruler = document.createElement("canvas").getContext("2d"); // letters of a label have many widths
  ruler.font = "600 12px system-ui, sans-serif"; // as in trajectory.css
  const TITLES = {
    click: "click", doubleClick: "double click", tripleClick: "triple click", rightClick: "right click", middleClick: "middle click",
    moveTo: "move here", longPress: "long press", dragTo: "drag", swipe: "swipe", selectOption: "choose",
  };

  /* Draws the marks (of the data: fractions) on an svg that covers a picture shown at width × height. */
  function draw(layer, step, width, height) {
    layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
    layer.replaceChildren();
    const at = ([x, y]) => [x * width, y * height];
    const size = { width, height };
    if (step.pointer?.at) layer.append(pointer(at(step.pointer.at), step.pointer.on_target && !review.blind));
    for (const mark of ordered(step.marks ?? [])) {
      const from = at(mark.at);
      const to = mark.to ? at(mark.to) : null;
      const group = svg("g", { class: `mark ${mark.kind}${mark.sure === false ? " unsure" : ""}`, "data-kind": mark.kind, "data-label": mark.label });
      if (mark.kind === "ring") ring(group, from, mark.label);
      else if (mark.kind === "arrow" && to) arrow(group, from, to);
      else if (mark.kind === "box" && to) box(group, from, to);
      group.append(...label(mark, from, to, size));
      layer.append(group);
    }
  }

  /* Boxes lie under arrows, arrows under rings. */
  function ordered(marks) {
    const rank = { box: 0, arrow: 1, ring: 2 };
    return [...marks].sort((a, b) => rank[a.kind] - rank[b.kind]);
  }

  function circle([x, y], radius, look) {
    return svg("circle", { cx: x, cy: y, r: radius, class: look });
  }

  /* One ring a click; a right click has its right half filled, a middle click a bar, a long press a thick rim. */
  function ring(group, point, label) {
    const rings = { doubleClick: 2, tripleClick: 3 }[label] ?? 1;
    for (const look of ["halo", label === "longPress" ? "line thick" : label === "moveTo" ? "line dashed" : "line"]) {
      for (let k = 0; k < rings; k += 1) group.append(circle(point, RING + 6 * k, look));
    }
    const [x, y] = point;
    if (label === "rightClick") group.append(svg("path", { class: "half", d: `M ${x} ${y - RING} A ${RING} ${RING} 0 0 1 ${x} ${y + RING} Z` }));
    if (label === "middleClick") group.append(svg("path", { class: "line", d: `M ${x} ${y - RING} V ${y - 4} M ${x} ${y + 4} V ${y + RING}` }));
    group.append(circle(point, 4, "dot-halo"), circle(point, 2.5, "dot"));
  }

  function arrow(group, [x, y], [toX, toY]) {
    const angle = Math.atan2(toY - y, toX - x);
    const wing = (turn) => `${toX - HEAD * Math.cos(angle + turn)} ${toY - HEAD * Math.sin(angle + turn)}`;
    for (const look of ["halo", "line"]) group.append(svg("line", { x1: x, y1: y, x2: toX, y2: toY, class: look }));
    group.append(circle([x, y], 6.5, "dot-halo"), circle([x, y], 4.5, "dot"), svg("path", { class: "head", d: `M ${toX} ${toY} L ${wing(0.42)} L ${wing(-0.42)} Z` }));
  }

  function box(group, [x, y], [toX, toY]) {
    const corners = { x: Math.min(x, toX), y: Math.min(y, toY), width: Math.abs(toX - x), height: Math.abs(toY - y) };
    group.append(svg("rect", { ...corners, class: "halo" }), svg("rect", { ...corners, class: "line dashed" }));
  }

  /* Where the pointer was in the picture: an arrow whose tip is the point. */
  function pointer([x, y], onTarget) {
    const shape = `M ${x} ${y} l 0 17 l 4.2 -3.8 l 3 6.6 l 3 -1.3 l -3 -6.6 l 5.6 0 Z`;
    const told = onTarget ? "The pointer was on the target when the picture was taken" : "Where the pointer was when the picture was taken";
    return svg("g", { class: `mark pointer${onTarget ? " on-target" : ""}`, "data-kind": "pointer" }, svg("title", null, told), svg("path", { d: shape, class: "pointer-shape" }));
  }

  /* `scroll -3 notch` of the data as a person says it. */
  function worded(label) {
    const scroll = /^(h?)scroll (-?)([\d.e+]+) (\w+)$/.exec(label);
    if (!scroll) return TITLES[label] ?? label;
    const direction = scroll[1] ? (scroll[2] ? "left" : "right") : scroll[2] ? "down" : "up";
    return `scroll ${direction} ${scroll[3]}${scroll[4] === "notch" ? "" : ` ${scroll[4]}`}`;
  }

  /* As much of a text as so many pixels hold. */
  function fitting(text, most) {
    const letters = [...text];
    while (letters.length && ruler.measureText(letters.join("")).width > most) letters.splice(-2, 2, "…");
    return letters.length > 1 ? letters.join("") : text.length === 1 ? text : "";
  }

  /* The mark's word beside it, moved to where it fits on the picture. */
  function label(mark, from, to, size) {
    const text = fitting(review.text.visible(review.text.short(worded(mark.label ?? ""), 40)), size.width - 16);
    if (!text) return [];
    const wide = Math.ceil(ruler.measureText(text).width) + 12;
    let [x, y] = [from[0] + RING + 9, from[1] - RING - 14];
    if (mark.kind === "box") [x, y] = [Math.max(from[0], to[0]) - wide, Math.max(from[1], to[1]) + 4];
    if (y < 0) y = from[1] + RING + 8;
    if (y + 20 > size.height) y = Math.min(from[1], to ? to[1] : from[1]) - 24;
    x = Math.max(2, Math.min(x, size.width - wide - 2));
    y = Math.max(2, Math.min(y, size.height - 22));
    return [svg("rect", { x, y, width: wide, height: 19, rx: 4, class: "label-ground" }),
      svg("text", { x: x + 6, y: y + 14, class: "label", textLength: null }, text)];
  }

  review.marks = { draw, TITLES };
})(window.review);
