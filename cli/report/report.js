// Draws the charts of the page. Colours are the page's own, so light, dark and paper need no second drawing.
"use strict";
(() => {
  const palette = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `var(--series${i})`);
  const ink = "var(--ink)", muted = "var(--muted)", line = "var(--line)";
  const config = {
    background: "transparent",
    font: "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif",
    view: { stroke: null },
    axis: { labelColor: muted, titleColor: ink, gridColor: line, domainColor: muted, tickColor: muted, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, titlePadding: 8 },
    legend: { labelColor: ink, titleColor: muted, orient: "bottom", labelFontSize: 13, symbolSize: 90, symbolOpacity: 1, labelLimit: 320, columns: 4 },
    header: { labelColor: ink, labelFontSize: 13, labelFontWeight: 600, labelLimit: 320 },
    title: { color: ink },
    range: { category: palette },
  };

  // Names of colours in the specs are names of the page's variables.
  const color = (value) => {
    if (Array.isArray(value)) return value.map(color);
    if (value === null || typeof value !== "object") return value;
    const out = {};
    for (const [key, inner] of Object.entries(value)) {
      const isName = (key === "color" || key === "value") && /^(target|series\d)$/.test(inner);
      out[key] = isName ? `var(--${inner})` : key === "values" ? inner : color(inner);
    }
    return out;
  };

  const sized = (spec, width) => {
    if (spec.facet) {
      const columns = width < 520 ? 1 : width < 820 ? 2 : 3;
      const each = Math.floor((width - 20) / columns) - 78;
      return { ...spec, columns, spec: { ...spec.spec, width: each, height: Math.max(150, Math.round(each * 0.7)) } };
    }
    const each = Math.min(width, 820);
    return { ...spec, width: each, height: Math.max(240, Math.round(each * 0.4)), autosize: { type: "fit-x", contains: "padding" } };
  };

  const draw = async (chart) => {
    const at = document.getElementById(chart.id);
    try {
      const spec = sized(color(chart.spec), at.clientWidth);
      const compiled = vegaLite.compile(spec, { config }).spec;
      // The interpreter needs no eval, which the page's policy forbids.
      const runtime = vega.parse(compiled, null, { ast: true });
      if (at.view) at.view.finalize();
      at.view = new vega.View(runtime, { expr: interpreter, renderer: "svg", container: at });
      at.view.logLevel(vega.Warn);
      await at.view.runAsync();
      at.dataset.drawn = "yes";
    } catch (error) {
      at.textContent = `This chart could not be drawn: ${error.message}`;
      at.classList.add("error");
      console.error(chart.id, error);
    }
  };

  const interpreter = vegaInterpreter.expressionInterpreter;
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const drawAll = () => Promise.all(charts.map(draw)).then(() => { document.body.dataset.drawn = "yes"; });
  drawAll();

  let width = window.innerWidth, waiting;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });
  // Paper has no fold.
  window.addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("main details")) fold.open = true;
  });
})();
