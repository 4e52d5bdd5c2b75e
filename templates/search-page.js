/* The page of the search: results as they are typed, facets, keys. All text is set as text, never as markup. */
(function (T) {
  "use strict";
  if (typeof document === "undefined") return;
  function start() {
    var box = document.getElementById("search"), q = document.getElementById("q");
    if (!box || !q) return;
    var say = box.dataset, lang = document.documentElement.lang, here = say.here, SHOWN = 10;
    var list = document.getElementById("hits"), none = document.getElementById("none"), read = document.getElementById("read"), facets = document.getElementById("facets"), keys = document.getElementById("keys"), more = document.getElementById("more"), status = document.getElementById("status");

    /* data arrives as S(id, …) from scripts beside this page */
    var waiting = {};
    window.S = function (id, data) { if (waiting[id]) { waiting[id](data); delete waiting[id]; } };
    function load(id) {
      return new Promise(function (yes, no) {
        var s = document.createElement("script");
        waiting[id] = yes;
        s.src = say.data + id + ".js";
        s.onload = function () { s.remove(); };
        s.onerror = function () { s.remove(); no(new Error(id)); };
        document.head.appendChild(s);
      });
    }
    var engine = new T.Engine(load, say.head), titles = {};
    Array.prototype.forEach.call(box.querySelectorAll("[data-title]"), function (t) { titles[t.dataset.title] = t.textContent; });

    function el(tag, cls, text) {
      var e = document.createElement(tag);
      if (cls) e.className = cls;
      if (text !== undefined) e.textContent = text;
      for (var i = 3; i < arguments.length; i++) if (arguments[i]) e.appendChild(arguments[i]);
      return e;
    }
    function label(tag) { return box.querySelector('[data-tag="' + tag + '"]'); }
    function doc(card, text) { var s = el("span", "doc", text), l = label(card.l); s.lang = card.l; s.dir = l ? l.dir : "auto"; return s; }
    /* whether two neighbours are letters of one word, in scripts that part words */
    function joined(a, b) { return [a, b].every(function (c) { return c && /[\p{L}\p{N}]/u.test(c) && !/[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/.test(c); }); }
    /* a document's words, with those that answer the query marked */
    function answering(card, text, words) {
      var s = doc(card, ""), at = 0;
      while (at < text.length) {
        var next = null;
        words.forEach(function (w) {
          var i = text.indexOf(w, at);
          while (i >= 0 && (joined(text[i - 1], w[0]) || joined(w[w.length - 1], text[i + w.length]))) i = text.indexOf(w, i + 1);
          if (i >= 0 && (!next || i < next[0] || (i === next[0] && w.length > next[1].length))) next = [i, w];
        });
        s.appendChild(document.createTextNode(text.slice(at, next ? next[0] : text.length)));
        if (!next) break;
        s.appendChild(el("mark", "", next[1]));
        at = next[0] + next[1].length;
      }
      return s;
    }
    function link(href, child) { var a = el("a"); a.href = here + href; a.appendChild(child); return a; }
    function cite(card, place) { if (!place) return null; var at = place > 0 ? ["#L" + place, "L" + place] : place, a = el("a", "cite", at[1]); a.href = here + card.h + at[0]; return a; }
    function span(seconds) {
      var units = [[86400, say.days], [3600, say.hours], [60, say.minutes], [1, say.seconds]], out = [], rest = seconds;
      units.forEach(function (u, i) { var n = Math.floor(rest / u[0]); rest %= u[0]; if (n > 0) out.push([i, n + "\u00A0" + u[1]]); });
      return out.filter(function (o) { return o[0] <= out[0][0] + 1; }).map(function (o) { return o[1]; }).join(" ");
    }
    function stamp(card) {
      if (!card.d) { var no = el("span", "stamp", say.noDate); no.setAttribute("data-old", ""); return no; }
      var machine = card.m === undefined ? card.d : card.m, local = window.TwiceshyDays && TwiceshyDays.day(machine), t = el("time", "stamp", undefined, el("bdi", local ? "local" : "", local || card.d));
      t.title = card.k || card.d;
      if (machine) {
        t.dateTime = machine;
        if (Date.now() - new Date(machine) > 730 * 864e5) t.setAttribute("data-old", "");
      } else t.setAttribute("data-old", "");
      return t;
    }

    /* why, cause and fix of a hit */
    function show(hit, card, found) {
      var a = el("article", "hit"), dl = el("dl"), why = el("dd", "w"), seen = {};
      T.unpack(card.w[0]).forEach(function (n, k, all) { if (k % 2) seen[all[k - 1]] = [card.w[(k + 1) / 2], n]; });
      a.appendChild(el("div", "hd", undefined, el("h2", "", undefined, link(card.h, doc(card, card.t))), stamp(card)));
      var meta = el("p", "meta", undefined, card.l !== lang ? el("span", "lang", label(card.l) ? label(card.l).textContent : card.l) : null);
      (card.v || []).forEach(function (v) { meta.appendChild(el("span", "", v)); });
      meta.appendChild(el("span", "", card.u ? span(card.u) : say.noDuration));
      if (card.s) meta.appendChild(el("span", "", card.s));
      a.appendChild(meta);
      found.patterns.forEach(function (p) {
        var proof = card.p.filter(function (x) { return x[0] === p[0]; })[0];
        if (proof) why.appendChild(el("span", "", undefined, el("b", "", titles[p[0]] || p[0]), document.createTextNode(" "), cite(card, proof[1])));
      });
      found.concepts.slice(0, 8).forEach(function (c) {
        var at = seen[c.number];
        if (!at) return;
        var m = doc(card, "");
        m.appendChild(el("mark", "", at[0]));
        var asked = c.asked || c.name, same = T.fold(asked) === T.fold(at[0]);
        why.appendChild(el("span", "", undefined, same ? null : document.createTextNode(asked + " = "), m, document.createTextNode(" "), cite(card, at[1])));
      });
      found.units.forEach(function (u) {
        var has = u.postings.some(function (p) { return p[0] === hit.doc; }), told = found.concepts.some(function (c) { return seen[c.number] && T.fold(c.asked || "").indexOf(u.text) >= 0; });
        if (has && !told && u.kind !== T.GRAM) why.appendChild(el("span", "", u.text.replace(/^=/, "")));
      });
      if (why.firstChild) { dl.appendChild(el("dt", "", say.matched)); dl.appendChild(why); }
      var words = found.concepts.map(function (c) { return seen[c.number] ? seen[c.number][0] : ""; }).filter(function (w) { return w; });
      if (card.c) { dl.appendChild(el("dt", "", say.cause)); dl.appendChild(el("dd", "", undefined, answering(card, card.c[0], words), document.createTextNode(" "), cite(card, card.c[1]))); }
      card.f.forEach(function (f, i) {
        dl.appendChild(el("dt", "", i ? "" : say.fix));
        var dd = el("dd", "fix", undefined, answering(card, f[1], words), document.createTextNode(" "), cite(card, f[2]));
        if (!f[0]) dd.appendChild(el("span", "st planned", say.planned));
        if (f[3]) { dd.appendChild(document.createTextNode(" ")); dd.appendChild(el("code", "cmd", f[3])); }
        dl.appendChild(dd);
      });
      a.appendChild(dl);
      /* other documents about the incident, which take no places of their own */
      if (hit.same && hit.same.length) {
        var also = el("p", "meta", say.same + ": ");
        hit.same.forEach(function (d) { engine.card(d).then(function (c) { also.appendChild(el("span", "", undefined, link(c.h, doc(c, c.t)))); }); });
        a.appendChild(also);
      }
      return a;
    }

    /* facets */
    var chosen = {}, GROUPS = ["pattern", "service", "lang", "year", "severity"];
    GROUPS.forEach(function (g) { chosen[g] = []; });
    /* whoever comes back from a hit finds what was chosen; services are numbers, which are good for this head alone */
    try { if (history.state && history.state.head === say.head) chosen = history.state.chosen; } catch (e) { /* no history from disk */ }
    function keep() { try { history.replaceState({ head: say.head, chosen: chosen }, ""); } catch (e) { /* from disk the address stays as it is */ } }
    function values(d, group) {
      if (group === "pattern") return d.patterns;
      if (group === "service") return d.services;
      if (group === "lang") return [engine.head.languages[d.language]];
      if (group === "year") return [d.year];
      return [d.severity];
    }
    function passes(d, except) {
      return GROUPS.every(function (g) { return g === except || !chosen[g].length || values(d, g).some(function (v) { return chosen[g].indexOf(v) >= 0; }); });
    }
    function name(group, v, services) {
      if (group === "pattern") return titles[v] || v;
      if (group === "service") return services.get(v);
      if (group === "year" && v === "") return say.noDate;
      if (group === "severity" && v === "") return say.noSeverity;
      if (group === "lang") return label(v) ? label(v).textContent : v;
      return v;
    }
    /* of a large corpus the patterns are counted where somebody asks for them: they are as much to load as all else */
    var LARGE = 2000, wide = chosen.pattern.length > 0, all = {};
    function groups() { return GROUPS.filter(function (g) { return g !== "pattern" || engine.tells; }); }
    function counted(found, g) {
      var counts = new Map();
      found.hits.forEach(function (h) { var d = engine.docs[h.doc]; if (passes(d, g)) new Set(values(d, g)).forEach(function (v) { counts.set(v, (counts.get(v) || 0) + 1); }); });
      chosen[g].forEach(function (v) { if (!counts.has(v)) counts.set(v, 0); });
      var rows = Array.from(counts).sort(function (a, b) { return g === "year" ? (a[0] < b[0] ? 1 : -1) : b[1] - a[1] || (a[0] < b[0] ? -1 : 1); });
      if (rows.length < 2 && !chosen[g].length) return [];
      var shown = all[g] ? rows : rows.slice(0, 8).concat(rows.slice(8).filter(function (r) { return chosen[g].indexOf(r[0]) >= 0; }));
      shown.left = rows.length - shown.length;
      return shown;
    }
    function paint(found) {
      var rows = {}, named;
      groups().forEach(function (g) { rows[g] = counted(found, g); });
      named = rows.service.map(function (r) { return r[0]; });
      return engine.services(named).then(function (names) {
        if (found !== latest) return;
        var focused = document.activeElement && document.activeElement.name ? document.activeElement.name + "=" + document.activeElement.value : "";
        var services = new Map(named.map(function (n, i) { return [n, names[i]]; }));
        facets.textContent = "";
        painted = found;
        GROUPS.forEach(function (g) {
          if (!rows[g]) {
            var ask = el("button", "btn", say[g]);
            ask.type = "button";
            ask.setAttribute("aria-expanded", "false");
            ask.addEventListener("click", function () { wide = true; count(found).then(function () { var first = facets.querySelector("[name=pattern]"); if (first) first.focus(); }); });
            facets.appendChild(el("p", "ask", undefined, ask));
            return;
          }
          if (!rows[g].length) return;
          var set = el("fieldset", "", undefined, el("legend", "", say[g]));
          rows[g].forEach(function (r) {
            var input = el("input"), label = el("label", r[1] ? "" : "zero", undefined, input, el("bdi", "", name(g, r[0], services)), el("span", "", String(r[1])));
            input.type = "checkbox"; input.name = g; input.value = r[0]; input.checked = chosen[g].indexOf(r[0]) >= 0;
            input.addEventListener("change", function () {
              chosen[g] = input.checked ? chosen[g].concat([r[0]]) : chosen[g].filter(function (v) { return v !== r[0]; });
              keep();
              draw(found, SHOWN);
            });
            set.appendChild(label);
            if (focused === g + "=" + r[0]) setTimeout(function () { input.focus(); });
          });
          if (rows[g].left > 0) {
            var rest = el("button", "btn", "+" + rows[g].left);
            rest.type = "button";
            rest.setAttribute("aria-label", say[g] + " +" + rows[g].left);
            rest.addEventListener("click", function () { all[g] = true; paint(found).then(function () { var at = facets.querySelectorAll("[name=" + g + "]")[8]; if (at) at.focus(); }); });
            set.appendChild(rest);
          }
          facets.appendChild(set);
        });
      });
    }

    var turn = 0, now = -1, limit = SHOWN, drawn = null, latest = null, painted = null, fold = document.getElementById("narrow");
    var small = matchMedia("(max-width: 59.99rem)");
    function fit() { fold.open = !small.matches; }
    if (small.matches) fold.open = false;
    if (small.addEventListener) small.addEventListener("change", fit);
    function draw(found, upto) {
      var mine = ++turn, shown = found.hits.filter(function (h) { return passes(engine.docs[h.doc]); });
      limit = upto;
      return Promise.all(shown.slice(0, limit).map(function (h) { return engine.card(h.doc); })).then(function (cards) {
        if (mine !== turn) return;
        drawn = q.value;
        list.textContent = "";
        cards.forEach(function (c, i) { list.appendChild(show(shown[i], c, found)); });
        now = -1;
        if (list.firstChild) list.firstChild.classList.add("now");
        var asked = q.value.trim() !== "";
        more.hidden = shown.length <= limit;
        more.onclick = function () { draw(found, limit + SHOWN); };
        keys.hidden = !shown.length;
        none.hidden = !asked || shown.length > 0;
        tell(found, shown.length, asked);
        return count(found);
      });
    }
    /* facets tell of every document: they are loaded where they are looked at, once the hits are shown */
    function count(found) {
      latest = found;
      fold.hidden = !found.hits.length;
      if (!found.hits.length || !fold.open) return null;
      return Promise.all([engine.facets(), wide || engine.docs.length <= LARGE ? engine.tagged() : null]).then(function () { return found === latest ? paint(found) : null; });
    }
    fold.addEventListener("toggle", function () { if (latest && latest !== painted) count(latest); });
    function tell(found, n, asked) {
      read.textContent = "";
      status.textContent = asked ? TwiceshyDays.phrase(say.count, { n: n, total: engine.docs.length }) : "";
      if (!asked) { read.textContent = say.hint; return; }
      read.appendChild(el("span", "", undefined, el("b", "", status.textContent)));
      var corrected = Object.keys(found.corrected).map(function (k) { return k + " → " + found.corrected[k].word; });
      var words = found.concepts.map(function (c) { return c.name.replace(/-/g, " "); }).concat(corrected);
      if (words.length) read.appendChild(el("span", "", say.understood + " ", el("b", "", words.join(" · "))));
      found.patterns.slice(0, 4).forEach(function (p) { read.appendChild(link("patterns/" + encodeURIComponent(p[0]) + "/index.html", document.createTextNode(titles[p[0]] || p[0]))); });
      if (found.query.faults.length) read.appendChild(el("span", "st late", found.query.faults.join(" ")));
      Array.prototype.forEach.call(document.querySelectorAll("[data-q]"), function (e) { e.textContent = q.value; });
    }

    var asking = 0;
    function run(typing) {
      var mine = ++asking, text = q.value;
      try { history.replaceState({ head: say.head, chosen: chosen }, "", location.pathname + (text ? "?q=" + encodeURIComponent(text) : "")); } catch (e) { /* from disk the address stays as it is */ }
      return engine.open().then(function () {
        return text.trim() ? engine.search(text, typing) : { hits: [], concepts: [], patterns: [], units: [], corrected: {}, query: { faults: [] } };
      }).then(function (found) { if (mine === asking) return draw(found, SHOWN); }).catch(function (e) {
        if (mine !== asking) return;
        read.textContent = say.failed + ": " + e.message;
        engine = new T.Engine(load, say.head);
      });
    }
    var asked = /[?&]q=([^&]*)/.exec(location.search);
    if (asked) { try { q.value = decodeURIComponent(asked[1].replace(/\+/g, " ")); } catch (e) { q.value = asked[1]; } }
    var timer = null;
    q.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(function () { run(!/\s$/.test(q.value)); }, 120); });
    q.form.addEventListener("submit", function (e) {
      e.preventDefault();
      clearTimeout(timer);
      /* the hits that are shown are those of what is written: the first is meant */
      if (drawn === q.value && list.firstChild) open(0); else run(false);
    });
    function open(i) { var a = list.children[i] && list.children[i].querySelector("h2 a"); if (a) location.href = a.href; }
    function mark(i) {
      var hits = Array.prototype.slice.call(list.children);
      if (!hits.length) return;
      hits.forEach(function (h) { h.classList.remove("now"); });
      now = Math.max(0, Math.min(i, hits.length - 1));
      hits[now].classList.add("now");
      hits[now].querySelector("h2 a").focus();
    }
    document.addEventListener("keydown", function (e) {
      var at = document.activeElement, inside = at === q || at === document.body || list.contains(at);
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === "ArrowDown" && inside) { e.preventDefault(); mark(now + 1); }
      else if (e.key === "ArrowUp" && inside && now >= 0) { e.preventDefault(); if (now === 0) { now = -1; q.focus(); } else mark(now - 1); }
      else if (e.key === "Escape" && at === q) { q.value = ""; GROUPS.forEach(function (g) { chosen[g] = []; }); run(false); }
    });
    run(false);
    if (!asked) q.focus();
  }
  if (document.readyState !== "loading") start(); else document.addEventListener("DOMContentLoaded", start);
})(TwiceshySearch);
