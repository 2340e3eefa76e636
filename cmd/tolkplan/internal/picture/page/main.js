// Starting the page.

function listenToTheme(map) {
  const button = byId("theme"), root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const show = () => {
    button.setAttribute("aria-pressed", isDark());
    map.resize();
  };
  button.onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  };
  prefersDark.addEventListener("change", show);
  show();
}

/** A window that moves to another screen, or is zoomed, may get finer pixels. */
function listenToDensity(map) {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => {
    map.resize();
    listenToDensity(map);
  }, { once: true });
}

/** Paper is white, of a fixed width, and fine. */
function listenToPrinter(map) {
  const root = document.documentElement;
  addEventListener("beforeprint", () => {
    map.screenTheme = root.dataset.theme;
    root.dataset.theme = "light";
    map.painter.readColours(byId("map"));
    map.painter.fit(map.view, 1040, 560, 3);
    map.drawNow();
  });
  addEventListener("afterprint", () => {
    if (map.screenTheme) root.dataset.theme = map.screenTheme;
    else delete root.dataset.theme;
    // Until the next frame the colours are those of paper.
    requestAnimationFrame(() => map.resize());
  });
}

function showLegend(map) {
  const entries = map.source.classes.map(({ name }, i) => name && element("span", {}, element("i", { className: `swatch c${i}` }), name)).filter(Boolean);
  if (map.source.buffers.held.includes(1)) entries.push(element("span", {}, element("i", { className: "swatch held" }), "held"));
  byId("legend").replaceChildren(element("b", {}, "Lifetime in entries"), ...entries);
}

function start() {
  const source = JSON.parse(byId("data").textContent);
  if (!source.plans.length) {
    document.body.classList.add("empty");
    byId("summary").textContent = "Nothing was planned.";
    return;
  }
  const map = new MemoryMap(source);
  showLegend(map);
  map.showChoices();
  map.showAll();
  listenToTheme(map);
  listenToPrinter(map);
  listenToPointer(map);
  listenToKeys(map);
  listenToControls(map);
  listenToDensity(map);
  new ResizeObserver(() => map.resize()).observe(byId("map"));
}

start();
