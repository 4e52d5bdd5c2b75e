/* Classic script, no dependency. Every page works without it; search alone needs it. */
(function () {
  "use strict";
  var root = document.documentElement, KEY = "twiceshy-theme";
  function store(value) {
    try {
      if (value === undefined) return localStorage.getItem(KEY);
      localStorage.setItem(KEY, value);
    } catch (e) { /* pages opened from disk may have no storage */ }
    return null;
  }
  var theme = store();
  if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);

  /* a whole day in words of the page's language, always of the common calendar and in the digits of logs */
  var T8 = window.TwiceshyDays = { day: function (iso) {
    if (!/^\d{4}-\d\d-\d\d/.test(iso || "")) return "";
    try { return new Intl.DateTimeFormat((root.lang || "en") + "-u-ca-gregory-nu-latn", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" }).format(new Date(iso.slice(0, 10) + "T00:00:00Z")); } catch (e) { return ""; }
  } };

  /* a phrase with numbers, in the form that its noun has with the whole */
  T8.phrase = function (forms, numbers) {
    var all = JSON.parse(forms), category = "other";
    try { category = new Intl.PluralRules(root.lang || "en").select(numbers.total === undefined ? numbers.n : numbers.total); } catch (e) { /* a language that the browser does not know */ }
    return Object.keys(numbers).reduce(function (text, name) { return text.replace("{" + name + "}", numbers[name]); }, all[category] || all.other);
  };

  function ready(f) { if (document.readyState !== "loading") f(); else document.addEventListener("DOMContentLoaded", f); }
  function $(selector, within) { return Array.prototype.slice.call((within || document).querySelectorAll(selector)); }

  ready(function () {
    /* a moved page keeps the place that was asked for */
    var moved = document.querySelector("a[data-redirect]");
    if (moved) { location.replace(moved.href + location.hash); return; }

    /* a line that no fact stands on has no anchor of its own: show the passage it belongs to */
    function nearest() {
      var asked = /^#L(\d+)$/.exec(location.hash);
      if (!asked || document.getElementById("L" + asked[1])) return;
      for (var n = +asked[1]; n > 0; n--) {
        if (document.getElementById("L" + n)) { location.replace("#L" + n); return; }
      }
    }
    nearest();
    window.addEventListener("hashchange", nearest);

    /* in a small window the navigation is wider than the page: its present entry is shown */
    $(".mast nav [aria-current]").forEach(function (here) {
      var nav = here.closest("nav"), h = here.getBoundingClientRect(), n = nav.getBoundingClientRect();
      if (h.left < n.left || h.right > n.right) nav.scrollLeft += h.left + h.width / 2 - n.left - n.width / 2;
    });

    /* in another language the same is looked for, at the same place */
    $(".menu a[hreflang]").forEach(function (a) {
      a.addEventListener("click", function () { a.href = a.href.replace(/[?#].*$/, "") + location.search + location.hash; });
    });

    /* theme */
    $("[data-theme-switch]").forEach(function (b) {
      function dark() { var t = root.getAttribute("data-theme"); return t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches; }
      function say() { b.textContent = dark() ? b.dataset.light : b.dataset.dark; }
      b.hidden = false;
      b.addEventListener("click", function () { var t = dark() ? "light" : "dark"; root.setAttribute("data-theme", t); store(t); say(); });
      say();
    });

    /* days in the reader's custom; the build's own form stays where the browser has no such language, and is shown when pointed at */
    $("[data-day]").forEach(function (d) {
      var text = T8.day(d.dataset.day);
      if (!text) return;
      if (!d.closest("[title]")) d.title = d.textContent;
      d.textContent = text; d.className = "local"; d.removeAttribute("dir");
    });

    /* ages and overdue marks are worked out here, never in the build, so that two builds are the same bytes */
    $("time[data-age]").forEach(function (t) {
      var days = Math.floor((Date.now() - new Date(t.getAttribute("datetime"))) / 864e5), span = t.querySelector(".age");
      if (!span || isNaN(days)) return;
      var n = days >= 730 ? [Math.floor(days / 365.25), "year"] : days >= 60 ? [Math.floor(days / 30.44), "month"] : [days, "day"];
      try { span.textContent = new Intl.RelativeTimeFormat((root.lang || "en") + "-u-nu-latn", { numeric: "always" }).format(-n[0], n[1]); } catch (e) { span.textContent = ""; }
      if (days > 730) t.setAttribute("data-old", "");
    });
    $(".st[data-due]").forEach(function (s) {
      if (new Date(s.dataset.due + "T23:59:59") < new Date()) { s.className = "st late"; s.textContent = s.dataset.late; }
    });

    /* copy */
    var live = document.createElement("p");
    live.className = "vh"; live.setAttribute("role", "status"); document.body.appendChild(live);
    function copy(text, el) {
      function done() {
        var said = el.dataset.done || "✓";
        if (el.dataset.was === undefined) el.dataset.was = el.textContent;
        el.textContent = said; live.textContent = said;
        setTimeout(function () { el.textContent = el.dataset.was; live.textContent = ""; }, 1200);
      }
      function old() {
        var area = document.createElement("textarea");
        area.value = text; area.className = "vh"; document.body.appendChild(area); area.select();
        try { document.execCommand("copy"); done(); } catch (e) { /* nothing was copied, so nothing is said */ }
        area.remove(); el.focus();
      }
      if (navigator.clipboard && isSecureContext) navigator.clipboard.writeText(text).then(done, old); else old();
    }
    $("[data-copy]").forEach(function (b) { b.hidden = false; b.addEventListener("click", function () { copy(b.dataset.copy, b); }); });
    $("[data-copy-page]").forEach(function (b) { b.hidden = false; b.addEventListener("click", function () { copy(location.href.split("#")[0].replace(/index\.html$/, location.protocol === "file:" ? "index.html" : ""), b); }); });
    $("a.anchor, a.lno").forEach(function (a) { a.addEventListener("click", function () { copy(a.href, a); }); });

    /* "/" leads to the search from everywhere */
    var box = document.getElementById("q") || document.querySelector(".find input");
    document.addEventListener("keydown", function (e) {
      if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || !box || /INPUT|TEXTAREA|SELECT/.test(document.activeElement.tagName)) return;
      var go = document.querySelector("a.gosearch");
      e.preventDefault();
      if (box.offsetParent === null && go) location.href = go.href; else { box.focus(); box.select(); }
    });
    document.addEventListener("click", function (e) {
      $("details.menu[open]").forEach(function (m) { if (!m.contains(e.target)) m.open = false; });
    });

    /* filters of the lists; what is chosen stands in the address, so that it can be sent to somebody */
    $("form[data-filter]").forEach(function (form) {
      var rows = $("[data-row]"), out = form.querySelector("output"), fields = $("[name]", form);
      var texts = rows.map(function (r) { return fold(r.textContent); });
      function apply() {
        var words = fold(form.elements.text ? form.elements.text.value : "").split(/\s+/).filter(Boolean), shown = 0, kept = [];
        rows.forEach(function (row, i) {
          var ok = words.every(function (w) { return texts[i].indexOf(w) >= 0; }) && fields.every(function (f) {
            if (f.name === "text" || (f.type === "checkbox" && !f.checked) || f.value === "*") return true;
            var has = (row.dataset[f.name] || "").trim();
            return f.name === "severity" || f.value === "" ? has === f.value : has.split(" ").indexOf(f.value) >= 0;
          });
          row.hidden = !ok;
          if (ok) shown++;
        });
        fields.forEach(function (f) {
          if (f.type === "checkbox" ? f.checked : f.value !== "*" && (f.name !== "text" || f.value)) kept.push(encodeURIComponent(f.name) + "=" + encodeURIComponent(f.value));
        });
        try { history.replaceState(null, "", location.pathname + (kept.length ? "?" + kept.join("&") : "") + location.hash); } catch (e) { /* from disk the address stays as it is */ }
        out.textContent = T8.phrase(out.dataset.shown, { n: shown, total: rows.length });
      }
      new URLSearchParams(location.search).forEach(function (value, name) {
        var f = form.elements[name];
        if (!f) return;
        if (f.type === "checkbox") f.checked = true; else f.value = value;
      });
      fields.forEach(function (f) { if (f.tagName === "SELECT" && f.selectedIndex < 0) f.selectedIndex = 0; });
      form.hidden = false;
      form.addEventListener("input", apply);
      form.addEventListener("submit", function (e) { e.preventDefault(); });
      form.addEventListener("reset", function () { setTimeout(apply); });
      apply();
    });
    function fold(text) { return text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, ""); }
  });
})();
