/* Runs inside a browser, on a page that has loaded the search's engine and ASKED: { head, queries, vectors }. It writes into #out, as JSON, what the
   engine scores for each shared vector, and for each query what was understood and found. */
(function (T) {
  "use strict";
  var waiting = {}, out = { vectors: [], queries: [] };
  window.S = function (id, data) { waiting[id](data); delete waiting[id]; };
  function load(id) {
    return new Promise(function (yes, no) {
      var s = document.createElement("script");
      waiting[id] = yes;
      s.src = "search/" + id + ".js";
      s.onerror = function () { no(new Error(id)); };
      document.head.appendChild(s);
    });
  }
  window.onerror = function (what) { out.fault = String(what); show(); };
  function show() { document.getElementById("out").textContent = "<<<" + JSON.stringify(out) + ">>>"; }
  out.vectors = ASKED.vectors.map(function (c) { return T.score(c.corpus, c.asked).map(function (s) { return [s.doc, s.score, s.passage]; }); });
  new T.Engine(load, ASKED.head).open().then(function (e) {
    return ASKED.queries.reduce(function (before, q) {
      return before.then(function () { return e.search(q, false); }).then(function (r) {
        out.queries.push({
          query: q, language: r.language || "", concepts: r.concepts.map(function (c) { return c.name; }), patterns: r.patterns.map(function (p) { return p[0]; }),
          hits: r.hits.map(function (h) { return h.doc + ":" + (Math.round(h.score * 1e4) / 1e4).toFixed(4); })
        });
      });
    }, Promise.resolve());
  }).then(show, function (e) { out.fault = String(e && e.stack || e); show(); });
})(TwiceshySearch);
