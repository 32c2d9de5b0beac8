"use strict";

/* How outcomes, fates, flags and reasons look and what they say, everywhere the same. Never by colour alone. */
(function (review) {
  const { make, recorded } = review.dom;
  const OUTCOMES = { completed: ["✓", "completed", "good"], failed: ["✗", "failed", "bad"], unknown: ["?", "outcome unknown", "none"] };
  const FATES = { kept: ["kept", "good"], dropped: ["dropped", "bad"], quarantined: ["quarantined", "look"] };

  function outcome(completed, words = true) {
    const [sign, name, look] = OUTCOMES[completed === true ? "completed" : completed === false ? "failed" : "unknown"];
    if (!words) return make("span", { class: `sign ${look}`, role: "img", "aria-label": name, title: name }, sign);
    return make("span", { class: `badge ${look}` }, make("span", { "aria-hidden": "true" }, `${sign} `), name);
  }

  function fate(name) {
    const [word, look] = FATES[name] ?? [name, "none"];
    return word ? make("span", { class: `badge ${look}` }, word) : null;
  }

  function verdict(word) {
    const look = { keep: "good", drop: "bad", quarantine: "look" }[word] ?? "none";
    return make("span", { class: `badge ${look}` }, word);
  }

  function plain(word, title = null, look = "none") {
    return make("span", { class: `badge ${look}`, title }, recorded(word, 60));
  }

  function flag(name) {
    return plain(name, review.about?.flags?.[name] ?? null, "look");
  }

  /* What a reason code says, in words. */
  function sentence(code) {
    return review.about?.reasons?.[code] ?? "";
  }

  review.badges = { outcome, fate, verdict, plain, flag, sentence };
})(window.review);
