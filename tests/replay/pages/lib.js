// Tells the server what the page holds (window.state()) and where its elements are on the screen, and goes to another
// page when the server wants one. It changes nothing that can be seen.
(() => {
  const given = new URLSearchParams(location.search).get('n');
  if (given) sessionStorage.n = given;
  sessionStorage.n = sessionStorage.n || '0';
  history.scrollRestoration = 'manual';
  // Where the page is on the screen, learnt from a move of the pointer and kept from page to page.
  let origin = sessionStorage.origin ? JSON.parse(sessionStorage.origin) : null;
  addEventListener('mousemove', e => {
    origin = [e.screenX - e.clientX, e.screenY - e.clientY];
    sessionStorage.origin = JSON.stringify(origin);
  }, true);
  const rects = () => {
    const found = {};
    if (!origin) return found;
    for (const e of document.querySelectorAll('[id]')) {
      const r = e.getBoundingClientRect(), style = getComputedStyle(e);
      if (r.width && r.height && style.visibility !== 'hidden' && r.bottom > 0 && r.top < innerHeight)
        found[e.id] = [r.left + origin[0], r.top + origin[1], r.width, r.height].map(Math.round);
    }
    return found;
  };
  const tell = async () => {
    try {
      const said = {n: sessionStorage.n, page: location.pathname, placed: !!origin, rects: rects(),
                    state: window.state ? window.state() : null};
      const wanted = await (await fetch('/tell', {method: 'POST', body: JSON.stringify(said)})).json();
      if (wanted.n !== sessionStorage.n) {
        sessionStorage.n = wanted.n;
        location.replace('/' + wanted.page);
        return;
      }
    } catch (e) { /* the server is busy, or gone */ }
    setTimeout(tell, 100);
  };
  addEventListener('DOMContentLoaded', tell);
})();
