/* Runs in a page that may look into a frame of the same site, and goes through CHECKS.pages in each of CHECKS.widths and CHECKS.themes: nothing wider
   than the window, no label of a chart on another or cut off, focus seen on everything that takes it, and, where CHECKS.axe names the script of axe-core, nothing that
   axe finds. Writes into #out, as JSON, how much was looked at and what is wrong. */
(function () {
  "use strict";
  var frame = document.createElement("iframe"), faults = [], looked = { pages: 0, labels: 0, focused: 0, rules: 0 };
  frame.height = 900;
  document.body.appendChild(frame);
  function list(x) { return Array.prototype.slice.call(x); }
  function wait(ms) { return new Promise(function (yes) { setTimeout(yes, ms); }); }
  function path(e) {
    var out = [];
    for (; e && e.nodeType === 1 && out.length < 4; e = e.parentElement) out.unshift(e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.getAttribute("class") ? "." + e.getAttribute("class").split(" ")[0] : ""));
    return out.join(" > ");
  }
  function text(e) { return (e.textContent || "").trim().slice(0, 40); }
  function open(page, width, theme) {
    frame.width = width;
    frame.src = "about:blank";
    return wait(20).then(function () { frame.src = page; return until(function () {
      var d = frame.contentDocument;
      return d && d.readyState === "complete" && d.querySelector("main") && frame.contentWindow.location.href !== "about:blank" && (page.indexOf("search/") < 0 || page.indexOf("?q=") < 0 || d.querySelector(".hit"));
    }); }).then(function () {
      frame.contentDocument.documentElement.setAttribute("data-theme", theme);
      list(frame.contentDocument.querySelectorAll("main details")).forEach(function (d) { d.open = true; });
      return wait(40);
    });
  }
  function until(holds) {
    return new Promise(function (yes, no) {
      var tries = 0;
      (function look() { var there = false; try { there = holds(); } catch (e) { /* between two pages */ } if (there) yes(); else if (++tries > 600) no(new Error("the page does not come")); else setTimeout(look, 20); })();
    });
  }
  function wide(say) {
    var d = frame.contentDocument, root = d.documentElement, most = root.clientWidth;
    if (root.scrollWidth <= most) return;
    var guilty = list(d.querySelectorAll("body *")).filter(function (e) {
      var r = e.getBoundingClientRect();
      if (!r.width || (r.right <= most + 1 && r.left >= -1)) return false;
      for (var p = e.parentElement; p; p = p.parentElement) if (/auto|scroll|hidden|clip/.test(frame.contentWindow.getComputedStyle(p).overflowX)) return false;
      return true;
    });
    say("wider than the window: " + root.scrollWidth + " of " + most + ": " + guilty.slice(0, 3).map(path).join("; "));
  }
  function labels(say) {
    list(frame.contentDocument.querySelectorAll("main svg")).forEach(function (svg) {
      var box = svg.getBoundingClientRect();
      if (!box.width) return;
      var all = list(svg.querySelectorAll("text")).map(letters).filter(function (x) { return x.right > x.left && text(x.t); });
      looked.labels += all.length;
      all.forEach(function (a, i) {
        if (a.left < box.left - 1 || a.right > box.right + 1 || a.top < box.top - 2 || a.bottom > box.bottom + 2) say("a label is cut off: " + text(a.t) + " in " + path(svg));
        if (a.size < 9) say("a label is too small (" + a.size.toFixed(1) + " px): " + text(a.t) + " in " + path(svg));
        all.slice(i + 1).forEach(function (b) {
          var x = Math.min(a.right, b.right) - Math.max(a.left, b.left), y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (x > 1 && y > 1) say("labels lie on each other: " + text(a.t) + " / " + text(b.t) + " in " + path(svg));
        });
      });
    });
  }
  /* where the letters of a label stand: the box of its line is as high as the highest and lowest sign that its font has */
  function letters(t) {
    var r = t.getBoundingClientRect(), m = t.getScreenCTM(), y = t.y.baseVal.length ? t.y.baseVal[0].value : 0, x = t.x.baseVal.length ? t.x.baseVal[0].value : 0;
    var size = parseFloat(frame.contentWindow.getComputedStyle(t).fontSize) * Math.abs(m.d), base = m.b * x + m.d * y + m.f;
    return { t: t, left: r.left, right: r.right, top: base - 0.72 * size, bottom: base + 0.18 * size, size: size };
  }
  function focus(say) {
    var d = frame.contentDocument, seen = 0;
    list(d.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")).some(function (e) {
      if (!e.getClientRects().length || e.disabled) return false;
      e.focus({ focusVisible: true, preventScroll: true });
      if (d.activeElement !== e) return false;
      /* a box of several parts shows it as a whole */
      var seenOn = [e, e.closest("form")].some(function (x) {
        var s = x && frame.contentWindow.getComputedStyle(x);
        return s && s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
      });
      if (!seenOn) say("focus is not seen on " + path(e));
      looked.focused++;
      return ++seen >= 150;
    });
  }
  function axe(say) {
    var d = frame.contentDocument, w = frame.contentWindow;
    return new Promise(function (yes, no) {
      var s = d.createElement("script");
      s.src = CHECKS.axe; s.onload = yes; s.onerror = function () { no(new Error("axe cannot be loaded")); };
      d.head.appendChild(s);
    }).then(function () {
      return w.axe.run(d, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } });
    }).then(function (r) {
      looked.rules += r.passes.length + r.violations.length;
      r.violations.forEach(function (v) { say(v.id + " (" + v.impact + "): " + v.nodes.length + " × " + v.nodes.slice(0, 2).map(function (n) { return n.html.slice(0, 160) + " — " + (n.any.concat(n.all, n.none)[0] || {}).message; }).join(" ‖ ")); });
    });
  }
  var todo = [];
  CHECKS.pages.forEach(function (p) { CHECKS.widths.forEach(function (w) { CHECKS.themes.forEach(function (t) { todo.push([p, w, t]); }); }); });
  todo.reduce(function (before, x) {
    return before.then(function () {
      function say(what) { faults.push(x[0] + " " + x[1] + " px " + x[2] + ": " + what); }
      return open(x[0], x[1], x[2]).then(function () {
        looked.pages++;
        if (CHECKS.axe) return axe(say);
        wide(say); labels(say); focus(say);
      }).catch(function (e) { say(String(e.message || e)); });
    });
  }, Promise.resolve()).then(function () {
    document.getElementById("out").textContent = "<<<" + JSON.stringify({ looked: looked, faults: faults }) + ">>>";
  });
})();
