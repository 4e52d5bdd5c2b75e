// Runs the browser's search outside of a browser: node browser.js ENGINE SITE QUERIES. Prints, for each query, what it understood and what it found;
// with --scoring VECTORS in place of SITE QUERIES it prints the scores of the shared vectors.
"use strict";
const fs = require("fs"), path = require("path");
const [engine, site, queries] = process.argv.slice(2);
const T = require(path.resolve(engine));
if (site === "--scoring") {
  const out = JSON.parse(fs.readFileSync(queries, "utf8")).map(c => ({ name: c.name, corpus: c.corpus, asked: c.asked, expected: T.score(c.corpus, c.asked) }));
  process.stdout.write(JSON.stringify(out));
} else {
  const search = path.join(site, "search"), folder = fs.readdirSync(search).find(d => fs.existsSync(path.join(search, d, "head.js")));
  const load = id => {
    let got;
    new Function("S", fs.readFileSync(path.join(search, folder, id + ".js"), "utf8"))((_, v) => { got = v; });
    return Promise.resolve(got);
  };
  (async () => {
    const e = await new T.Engine(load).open();
    for (const q of fs.readFileSync(queries, "utf8").split("\n").filter(Boolean)) {
      const r = await e.search(q, false);
      const hits = r.hits.map(h => h.doc + ":" + (Math.round(h.score * 1e4) / 1e4).toFixed(4));
      console.log([q, r.language || "", r.concepts.map(c => c.name).join(","), r.patterns.map(p => p[0]).join(","), hits.join(" ")].join("\t"));
    }
  })();
}
