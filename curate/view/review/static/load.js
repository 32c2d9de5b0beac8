"use strict";

/* Data comes through one function, `load(name)`: from the server of `curate view` as JSON; from an exported folder as a
   script that calls `curateData(name, object)`, because a page opened from a folder may not fetch. */
(function (review) {
  const KEPT = 12; // answers remembered: the run shown, its neighbours, their witnesses
  const said = document.querySelector('meta[name="curate-mode"]')?.content; // an export says so
  let exported = said === "export" || location.protocol === "file:";
  const waiting = new Map();
  const kept = new Map();

  window.curateData = function (name, object) {
    const found = waiting.get(name);
    waiting.delete(name);
    if (found) found.resolve(object);
  };

  async function fetched(name) {
    let answer;
    try {
      answer = await fetch(`api/${name}.json`, { credentials: "same-origin" });
    } catch {
      throw new Error("curate view does not answer: it was stopped. Start it again and reload this page.");
    }
    return told(answer);
  }

  /* The first question also finds out who answers: a static host has no api, but the scripts of an export. */
  async function begun() {
    try {
      return await fetched("about");
    } catch (error) {
      const about = await scripted("about").catch(() => null);
      if (!about) throw error;
      exported = true;
      return about;
    }
  }

  /* The object of an answer; an error is the server's own sentence. */
  async function told(answer) {
    let body = null;
    try {
      body = await answer.json();
    } catch {
      throw new Error(`The server's answer (${answer.status}) cannot be read.`);
    }
    if (!answer.ok) throw new Error(body && body.error ? body.error : `The server answered ${answer.status}.`);
    return body;
  }

  function scripted(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const fail = () => {
        waiting.delete(name);
        reject(new Error(`data/${name}.js is not in this export.`));
      };
      waiting.set(name, { resolve });
      script.addEventListener("load", () => {
        script.remove();
        if (waiting.has(name)) fail();
      });
      script.addEventListener("error", () => {
        script.remove();
        fail();
      });
      script.src = `data/${name}.js`;
      document.head.append(script);
    });
  }

  /* The object of that name. Answers about single runs are remembered, the last few of them. */
  function load(name) {
    if (kept.has(name)) return kept.get(name);
    const answer = exported ? scripted(name) : name === "about" ? begun() : fetched(name);
    kept.set(name, answer);
    answer.catch(() => kept.delete(name));
    const runs = [...kept.keys()].filter((key) => key.includes("/"));
    for (const old of runs.slice(0, Math.max(0, runs.length - KEPT))) kept.delete(old);
    return answer;
  }

  function forget(name) {
    kept.delete(name);
  }

  async function post(name, body) {
    const headers = { "Content-Type": "application/json", "X-Curate": "1" };
    const request = { method: "POST", headers, body: JSON.stringify(body), credentials: "same-origin" };
    let answer;
    try {
      answer = await fetch(`api/${name}`, request);
    } catch {
      throw new Error("curate view does not answer: nothing was stored.");
    }
    return told(answer);
  }

  review.load = load;
  review.forget = forget;
  review.post = post;
  Object.defineProperty(review, "exported", { get: () => exported });
})(window.review);
