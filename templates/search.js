/* The search, as the terminal does it: the same words, concepts, patterns, filters and order, over the same exact counts.
   Classic script without dependency; data comes as S(id, […]) from small scripts, so that it works from disk.
   The engine is a function of a loader, and knows nothing of the page: it is tested without one. */
var TwiceshySearch = (function () {
  "use strict";

  /* ── texts: folding and tokens ────────────────────────────────────── */
  var DROP = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u0640\u00AD\u200B-\u200F\u2060\uFEFF]/g;
  var SAME = { "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "ς": "σ", "ٱ": "ا", "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك" };
  function ascii(s) { return /^[\x00-\x7F]*$/.test(s); }
  function fold(word) {
    if (ascii(word)) return word.toLowerCase();
    return word.normalize("NFKC").toLowerCase().normalize("NFD").replace(DROP, "").replace(/[ßæœþøđðłıςٱةىیک]/g, function (c) { return SAME[c]; }).normalize("NFC");
  }
  var ALNUM = /[\p{Alphabetic}\p{N}]/u, MARK = /\p{M}/u;
  function inWord(c) { return ALNUM.test(c) || (c > "\x7F" && (MARK.test(c) || /[\u00AD\u200B-\u200D\u2060\uFEFF]/.test(c))); }
  function within(c, ranges) { var n = c.codePointAt(0); return ranges.some(function (r) { return n >= r[0] && n <= r[1]; }); }
  var GRAMS = [[0xE00, 0xEFF], [0x1000, 0x109F], [0x1780, 0x17FF], [0x1100, 0x11FF], [0x3005, 0x3007], [0x3040, 0x30FF], [0x31F0, 0x31FF], [0x3400, 0x9FFF], [0xAC00, 0xD7AF], [0xF900, 0xFAFF], [0xFF66, 0xFF9F], [0x20000, 0x3FFFF]];
  function gram(c) { return within(c, GRAMS); }
  function connects(c) { return "_-./:@#\\~$+=".indexOf(c) >= 0; }
  var WORD = 0, GRAM = 1, WHOLE = 2, PART = 3;

  function tokens(text) {
    var t = Array.from(text), out = [], position = 0, run = [], runStart = 0, at = 0;
    function slice(a, b) { return t.slice(a, b).join(""); }
    function all(a, b) { for (var i = a; i < b; i++) if (!connects(t[i])) return false; return true; }
    function whole() {
      var words = run; run = [];
      if (!words.length) return;
      var first = out[words[0]], start = Math.min(runStart, first.start), end = out[words[words.length - 1]].end, piece = slice(start, end);
      var code = /[_\/\\@$=]/.test(piece) || piece.indexOf("::") >= 0 || piece.indexOf("--") === 0 || /[0-9]/.test(piece) ||
        (/[-.:]/.test(piece) && /[A-Z]/.test(piece) && !/[a-z]/.test(piece)) || (piece.indexOf(".") >= 0 && words.length > 2);
      if ((words.length > 1 || start < first.start) && code && piece.length <= 120) out.push({ kind: WHOLE, text: "=" + fold(piece), start: start, end: end, position: first.position });
    }
    function grams(a, b) {
      var chars = [];
      for (var i = a; i < b; i++) {
        var joins = MARK.test(t[i]) || t[i] === "\uFF9E" || t[i] === "\uFF9F";
        if (joins && chars.length) chars[chars.length - 1].end = i + 1; else chars.push({ start: i, end: i + 1 });
      }
      chars.forEach(function (c) { c.text = fold(slice(c.start, c.end)); });
      chars = chars.filter(function (c) { return c.text; });
      chars.forEach(function (c, k) {
        var next = chars[k + 1];
        out.push({ kind: GRAM, text: next ? c.text + next.text : c.text, start: c.start, end: next ? next.end : c.end, position: position });
        position++;
      });
    }
    function parts(a, b) {
      var word = slice(a, b), cuts = [0];
      if (!ascii(word)) return;
      for (var i = 1; i < word.length; i++) {
        var x = word[i - 1], y = word[i], z = word[i + 1] || "";
        if ((/[a-z]/.test(x) && /[A-Z]/.test(y)) || (/[A-Z]/.test(x) && /[A-Z]/.test(y) && /[a-z]/.test(z))) cuts.push(i);
      }
      /* the number within a word: hexadecimal digits behind 0x, decimal ones before a unit */
      var number = /^0[xX]([0-9a-fA-F]{4,})$/.exec(word) || /^([0-9]{3,})[a-zA-Z]{1,3}$/.exec(word);
      if (number) {
        var from = a + (word[1] === "x" || word[1] === "X" ? 2 : 0);
        out.push({ kind: PART, text: number[1].toLowerCase(), start: from, end: from + number[1].length, position: position });
        return;
      }
      if (cuts.length === 1) return;
      cuts.push(word.length);
      for (var k = 1; k < cuts.length; k++) {
        if (cuts[k] - cuts[k - 1] >= 2) out.push({ kind: PART, text: word.slice(cuts[k - 1], cuts[k]).toLowerCase(), start: a + cuts[k - 1], end: a + cuts[k], position: position });
      }
    }
    while (at < t.length) {
      var c = t[at];
      if (!inWord(c)) {
        var next = at + 1, n = t[next];
        var goesOn = connects(c) && n !== undefined && (/[A-Za-z0-9]/.test(n) || (connects(n) && ":/-".indexOf(c) >= 0));
        if (!run.length && runStart < at && all(runStart, at) && goesOn) { /* another sign of those that the run begins with */ }
        else if (!run.length) runStart = goesOn && "/-.$~@".indexOf(c) >= 0 && !(out.length && out[out.length - 1].end === at) ? at : next;
        else if (!goesOn) { whole(); runStart = next; }
        at = next;
        continue;
      }
      var end = at;
      while (end < t.length && inWord(t[end]) && gram(t[end]) === gram(c)) end++;
      if (gram(c)) { whole(); grams(at, end); runStart = end; } else {
        var written = slice(at, end), word = fold(written);
        if (word) {
          if (ascii(written)) {
            if (!run.length && runStart !== at && !all(runStart, at)) runStart = at;
            run.push(out.length);
          } else { whole(); runStart = end; }
          out.push({ kind: WORD, text: word, start: at, end: end, position: position });
          parts(at, end);
          position++;
        }
      }
      at = end;
    }
    whole();
    var words = out.filter(function (w) { return w.kind === WORD; });
    for (var i = 1; i < words.length; i++) {
      var a = words[i - 1], b = words[i], left = slice(a.start, a.end), right = slice(b.start, b.end);
      if (/^[A-Z]{2,}$/.test(left) && /^[0-9]{2,}$/.test(right) && slice(a.end, b.start) === " ") out.push({ kind: WHOLE, text: "=" + left.toLowerCase() + "-" + right, start: a.start, end: b.end, position: a.position });
    }
    return out.sort(function (a, b) { return a.position - b.position || a.kind - b.kind || a.start - b.start || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0); });
  }

  /* the words, grams and wholes of a query, each once; a last character alone only where it is all there is */
  function askedTokens(text) {
    var out = [], last = -1;
    tokens(text).forEach(function (t) {
      var tail = t.kind === GRAM && t.end === last;
      if (t.kind === GRAM) last = t.end;
      if (!tail && t.kind !== PART && !out.some(function (o) { return o.text === t.text && o.kind === t.kind; })) out.push(t);
    });
    return out;
  }
  function plain(text) {
    var out = [], last = -1;
    tokens(text).forEach(function (t) {
      if (t.kind !== WORD && t.kind !== GRAM) return;
      var tail = t.kind === GRAM && t.end === last;
      last = t.end;
      if (!tail) out.push(t.text);
    });
    return out;
  }

  /* ── words that are near ──────────────────────────────────────────── */
  function kinPrefix(word) {
    var c = Array.from(word);
    if (c.length < 5 || /[0-9]/.test(word)) return null;
    return c.slice(0, Math.max(Math.ceil(c.length * 3 / 5), 4)).join("");
  }
  function kin(word, other) {
    var prefix = kinPrefix(word);
    if (prefix === null) return false;
    var a = Array.from(word), b = Array.from(other), common = 0;
    while (common < a.length && common < b.length && a[common] === b[common]) common++;
    return common >= Array.from(prefix).length && common * 5 >= b.length * 3;
  }
  function distance(x, y, limit, change) {
    var a = Array.from(x), b = Array.from(y), before = [], last = [], i, j;
    if (Math.abs(a.length - b.length) > limit) return null;
    for (j = 0; j <= b.length; j++) last.push(j);
    for (i = 1; i <= a.length; i++) {
      var row = [i];
      for (j = 1; j <= b.length; j++) {
        var d = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : change));
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, before[j - 2] + 1);
        row.push(d);
      }
      if (Math.min.apply(null, row) > limit) return null;
      before = last; last = row;
    }
    return last[b.length] <= limit ? last[b.length] : null;
  }

  /* ── the query language ───────────────────────────────────────────── */
  var NAMES = { cause: "cause", causes: "cause", fix: "fix", fixes: "fix", remediation: "fix", service: "service", services: "service", pattern: "pattern", patterns: "pattern", lang: "lang", language: "lang", severity: "severity", sev: "severity", since: "since", after: "since", until: "until", before: "until" };
  var QUOTES = { "\"": "\"", "“": "”“\"", "„": "”“\"", "”": "”“\"", "«": "»", "「": "」", "『": "』" };
  function days(date) {
    var day = date.split("T")[0].trim(), parts = day.split("-"), low = 0, high = 0, spec = [[4, 9999], [2, 99], [2, 99]];
    if (parts.length > 3) return null;
    for (var i = 0; i < 3; i++) {
      var part = parts[i], size = Math.pow(10, spec[i][0]);
      if (part === undefined) { low *= size; high = high * size + spec[i][1]; continue; }
      if (part.length !== spec[i][0] || !/^[0-9X]*$/.test(part) || (i === 0 && part[0] === "X")) return null;
      low = low * size + +part.replace(/X/g, "0");
      high = high * size + +part.replace(/X/g, "9");
    }
    return Math.floor(low / 100) % 100 <= 12 && low % 100 <= 31 ? [low, high] : null;
  }
  function parse(text) {
    var q = { text: "", phrases: [], without: [], filters: [], faults: [] }, rest = text.replace(/^\s+/, "");
    while (rest) {
      var chars = Array.from(rest), c = chars[0], n = chars[1], after = rest.slice(c.length);
      var not = (c === "-" || c === "−") && n !== undefined && (inWord(n) || QUOTES[n] !== undefined), body = not ? after : rest, key = null;
      var colon = body.search(/[:：]/);
      if (colon >= 0) {
        var name = body.slice(0, colon).toLowerCase();
        if (Object.prototype.hasOwnProperty.call(NAMES, name)) { key = NAMES[name]; body = body.slice(colon).replace(/^[:：]+/, ""); }
      }
      var v = value(body);
      rest = v.rest.replace(/^\s+/, "");
      if (v.text.trim()) {
        if (key) {
          if ((key === "since" || key === "until") && !days(v.text)) q.faults.push(key + ":" + v.text);
          q.filters.push({ key: key, value: v.text, not: not });
        } else if (not) q.without.push(v.text); else if (v.phrase) q.phrases.push(v.text);
        if (!not && (!key || key === "cause" || key === "fix")) q.text += (q.text ? " " : "") + v.text;
      }
    }
    return q;
  }
  function value(text) {
    var open = Array.from(text)[0], ends = open === undefined ? undefined : QUOTES[open];
    if (ends) {
      for (var i = open.length; i < text.length; i++) if (ends.indexOf(text[i]) >= 0) return { text: text.slice(open.length, i), phrase: true, rest: text.slice(i + 1) };
      return { text: text.slice(open.length), phrase: true, rest: "" };
    }
    var end = text.search(/\s/);
    if (end < 0) end = text.length;
    return { text: text.slice(0, end), phrase: false, rest: text.slice(end) };
  }

  /* ── the one scoring function ─────────────────────────────────────── */
  function idf(docs, having) { return Math.round(Math.log(1 + (docs - having + 0.5) / (having + 0.5)) * 1024) / 1024; }
  /* a word is worth the mean of how rare it is among all documents and among those of its language */
  function among(rare, documents, having) {
    var local = Math.round(Math.log((documents + 1) / (having + 0.5)) * 1024) / 1024;
    return Math.sqrt(rare * local) * (1 - (having - 1) / Math.max(documents, 8));
  }
  function bm25(count, k, length, average) { return count * (k + 1) / (count + k * (1 - 0.75 + 0.75 * length / average)); }
  function mean(docs, field) { var sum = 0; for (var i = 0; i < docs.length; i++) sum += docs[i][field]; return Math.max(sum / Math.max(docs.length, 1), 1); }
  /* what is gathered for a document stands in lists by its number: most queries touch most documents */
  function score(corpus, asked) {
    var docs = corpus.docs, n = docs.length, touched = new Uint8Array(n), words = new Float64Array(n), share = new Float64Array(n), worded = new Uint8Array(n);
    var cc = new Float64Array(n), conceptual = new Uint8Array(n), patterns = new Float64Array(n), passage = new Int32Array(n).fill(-1);
    function plus(d, x) { cc[d] += x; conceptual[d] = touched[d] = 1; }
    var per = corpus.languages.map(function () { return 0; });
    docs.forEach(function (d) { per[d.language]++; });
    var length = mean(docs, "words"), total = corpus.languages.map(function () { return 0; });
    asked.words.forEach(function (word) {
      var list = word.postings, rare = idf(n, list.length), having = corpus.languages.map(function () { return 0; });
      list.forEach(function (p) { having[docs[p[0]].language]++; });
      var kind = word.gram ? 0.7 : 1;
      var worth = having.map(function (h, l) { return word.neutral ? kind * rare : h === 0 ? 0 : kind * among(rare, per[l], h); });
      worth.forEach(function (w, l) { total[l] += w; });
      list.forEach(function (p) {
        var d = docs[p[0]], weight = worth[d.language];
        share[p[0]] += weight;
        words[p[0]] += weight * bm25(p[1], 1.2, d.words, length);
        worded[p[0]] = touched[p[0]] = 1;
      });
    });
    for (var w = 0; w < n; w++) {
      if (!worded[w]) continue;
      var all = total[docs[w].language];
      words[w] *= all > 0 ? 1.3 * Math.sqrt(share[w] / all) : 0;
    }
    length = mean(docs, "concepts");
    var rare = asked.concepts.map(function (c, k) { var part = (asked.parts || [])[k]; return idf(n, c.length) * Math.sqrt(part === undefined ? 1 : part); });
    asked.concepts.forEach(function (c, k) {
      c.forEach(function (p) { plus(p[0], rare[k] * bm25(p[1].length, 2, docs[p[0]].concepts, length)); });
    });
    /* each place as one number: its sentence, and in it the concept */
    var many = asked.concepts.length, places = new Array(n), here = new Uint8Array(many);
    asked.concepts.forEach(function (c, k) {
      c.forEach(function (p) { var list = places[p[0]] || (places[p[0]] = []); for (var i = 0; i < p[1].length; i++) list.push(p[1][i] * many + k); });
    });
    for (var doc = 0; doc < n; doc++) {
      var list = places[doc], best = -1;
      if (!list) continue;
      if (many > 1) list.sort(function (a, b) { return a - b; });
      for (var i = 0; i < list.length; i++) {
        var sentence = Math.floor(list[i] / many), end = (sentence + 4) * many, sum = 0;
        here.fill(0);
        for (var j = i; j < list.length && list[j] < end; j++) here[list[j] % many] = 1;
        for (var k = 0; k < many; k++) if (here[k]) sum += rare[k];
        if (sum > best) { best = sum; passage[doc] = sentence; }
      }
      if (list.length) plus(doc, 0.5 * best);
    }
    length = mean(docs, "pairs");
    var chosen = asked.concepts.slice(0, 24), where = chosen.map(function (c) {
      var at = new Int32Array(n).fill(-1);
      c.forEach(function (p, i) { at[p[0]] = i; });
      return at;
    });
    chosen.forEach(function (a, i) {
      for (var k = i + 1; k < chosen.length; k++) {
        var b = chosen[k], at = where[k], both = [];
        for (var m = 0; m < a.length; m++) {
          if (at[a[m][0]] < 0) continue;
          /* sentences stand in order */
          for (var one = a[m][1], other = b[at[a[m][0]]][1], x = 0, y = 0, shared = 0; x < one.length; x++) {
            while (y < other.length && other[y] < one[x]) y++;
            if (other[y] === one[x]) shared++;
          }
          if (shared) both.push([a[m][0], shared]);
        }
        var r = idf(n, both.length);
        for (m = 0; m < both.length; m++) plus(both[m][0], 0.3 * (r * bm25(both[m][1], 2, docs[both[m][0]].pairs, length)));
      }
    });
    asked.patterns.forEach(function (p) {
      var r = idf(n, p[1].length);
      p[1].forEach(function (t) { patterns[t[0]] += 2 * p[0] * t[1] * r; touched[t[0]] = 1; });
    });
    var out = [];
    for (var d = 0; d < n; d++) {
      if (!touched[d]) continue;
      var foreign = asked.language !== null && asked.language !== undefined && asked.language !== corpus.languages[docs[d].language];
      var concepts = conceptual[d] && foreign ? cc[d] * 1.25 : cc[d];
      out.push({ doc: d, score: words[d] + concepts + patterns[d], words: words[d], concepts: concepts, patterns: patterns[d], passage: passage[d] < 0 ? null : passage[d] });
    }
    return out;
  }

  /* ── the data, by key: a head names directories, a directory names files, each with their first keys ── */
  function Store(load, head) {
    var files = new Map();
    /* what changes only as a whole is numbered */
    function file(name) { if (typeof name === "number") name = head + "-" + name; if (!files.has(name)) files.set(name, load(name)); return files.get(name); }
    this.open = function () { return file(head).then(function (h) { firsts = h.directories; return h; }); };
    var firsts = null;
    /* of a list of first keys and names those in which keys from one to another may stand; a third tells that the key goes on from the one before */
    function around(list, from, to) {
      function last(key, orAt) {
        var lo = 0, hi = list.length;
        while (lo < hi) { var mid = (lo + hi) >> 1; if (orAt ? list[mid][0] <= key : list[mid][0] < key) lo = mid + 1; else hi = mid; }
        return lo - 1;
      }
      /* the one before the first that begins at or behind it may hold it too: not where it is of another kind, or the key begins there */
      var first = last(from, false) + 1, before = list[first - 1], here = list[first];
      if (before && before[0][0] === from[0] && !(here && here[0] === from && !here[2])) first--;
      return list.slice(first, last(to, true) + 1).map(function (e) { return e[1]; });
    }
    function all(names) { return Promise.all(names.map(file)).then(function (lists) { return [].concat.apply([], lists); }); }
    function between(from, to, wanted) {
      return all(around(firsts, from, to)).then(function (list) { return all(around(list, from, to)); }).then(function (list) {
        return list.filter(function (e) { return wanted(e[0]); }).map(function (e) { return [e[0], told(e[0], e[1])]; });
      });
    }
    this.get = function (key) {
      return between(key, key, function (k) { return k === key; }).then(function (list) { return [].concat.apply([], list.map(function (e) { return e[1]; })); });
    };
    /* several keys at once: key to list */
    this.many = function (keys) {
      var me = this;
      return Promise.all(keys.map(function (k) { return me.get(k); }));
    };
    /* all keys that begin so, with their lists */
    this.range = function (prefix) {
      return between(prefix, prefix + "\uFFFF", function (k) { return k.indexOf(prefix) === 0; }).then(function (list) {
        var out = [];
        list.forEach(function (e) { if (out.length && out[out.length - 1][0] === e[0]) out[out.length - 1][1] = out[out.length - 1][1].concat(e[1]); else out.push([e[0], e[1]]); });
        return out;
      });
    };
  }
  /* numbers are characters: one, two or six of 91 digits for each. Of so many, and then where what stands behind them begins, or of all */
  function unpack(text, most) {
    var out = [], at = 0;
    function digit() { var c = text.charCodeAt(at++); return c > 92 ? c - 36 : c - 35; }
    while (at < text.length && out.length !== most) {
      var n = digit();
      if (n === 90) { n = 0; for (var i = 0; i < 5; i++) n = n * 91 + digit(); } else if (n >= 64) n = 64 + (n - 64) * 91 + digit();
      out.push(n);
    }
    if (most) out.push(at);
    return out;
  }
  /* reads what an arithmetic coder wrote: the twin of `site/coder.rs` */
  var NODES = 320;
  function Reader(text, at, kinds) {
    this.text = text; this.at = at; this.bits = 0; this.held = 0;
    this.low = 0; this.high = 0xFFFFFFFF; this.value = 0;
    this.odds = new Uint16Array(kinds * NODES).fill(1 << 15); this.asked = new Uint8Array(kinds * NODES);
    for (var i = 0; i < 4; i++) this.value = (this.value << 8 | this.byte()) >>> 0;
  }
  Reader.prototype.byte = function () {
    if (this.held < 8) {
      if (this.at >= this.text.length) return 255;
      var a = this.text.charCodeAt(this.at++), b = this.text.charCodeAt(this.at++);
      this.bits |= ((a > 92 ? a - 36 : a - 35) + (b > 92 ? b - 36 : b - 35) * 91) << this.held;
      this.held += 13;
    }
    var byte = this.bits & 255;
    this.bits >>>= 8; this.held -= 8;
    return byte;
  };
  Reader.prototype.split = function (odds) {
    var middle = this.low + ((this.high - this.low) >>> 12) * odds, bit = this.value <= middle ? 1 : 0;
    if (bit) this.high = middle; else this.low = middle + 1;
    while (((this.low ^ this.high) & 0xFF000000) === 0) {
      this.low = (this.low << 8) >>> 0;
      this.high = (this.high << 8 | 255) >>> 0;
      this.value = (this.value << 8 | this.byte()) >>> 0;
    }
    return bit;
  };
  Reader.prototype.node = function (node) {
    var was = this.odds[node], asked = this.asked[node], rate = (asked >> 1) + 1, odds = was >> 4;
    if (asked < 12) this.asked[node] = asked + 1;
    var bit = this.split(odds < 1 ? 1 : odds);
    this.odds[node] = bit ? was + ((65535 - was) >> rate) : was - (was >> rate);
    return bit;
  };
  Reader.prototype.bit = function (kind) { return this.node(kind * NODES); };
  Reader.prototype.number = function (kind) {
    var base = kind * NODES, size = 0, above = 1;
    while (size < 32 && this.node(base + size)) size++;
    for (var i = 0; i < size; i++) above = above * 2 + (above < 8 ? this.node(base + 40 + size * 8 + above) : this.split(2048));
    return above - 1;
  };
  Reader.prototype.symbol = function (kind) {
    var base = kind * NODES, above = 1, rest = 0;
    while (above < 256) above = above * 2 + this.node(base + above);
    if (above < 511) return above - 256;
    for (var i = 0; i < 32; i++) rest = rest * 2 + this.split(2048);
    return 255 + rest;
  };
  /* documents and their numbers, each told by how far it is from the one before: [document], [document, number], [document, [numbers]] */
  function told(key, value) {
    if (typeof value !== "string") return value;
    if ("laou".indexOf(key[0]) >= 0) return value.split("!");
    var shape = "kxKXsv".indexOf(key[0]) >= 0 ? 1 : "fp".indexOf(key[0]) >= 0 ? 2 : "cw".indexOf(key[0]) >= 0 ? 3 : 0, out = [], doc = 0, at = 0, list, coded;
    if (!shape) return value;
    if (value[0] === " ") coded = new Reader(value, 1, 5); else list = unpack(value);
    function next(kind) { return coded ? coded.number(kind) : list[at++]; }
    for (var left = coded ? next(0) : -1; coded ? left > 0 : at < list.length; left--) {
      doc += next(1);
      if (shape === 1) out.push(doc);
      else if (shape === 2) out.push([doc, next(2)]);
      else {
        for (var n = next(2), number = 0, numbers = [], kind = 3; n > 0; n--, kind = 4) { number += next(kind); numbers.push(number); }
        out.push([doc, numbers]);
      }
    }
    return out;
  }

  return {
    WORD: WORD, GRAM: GRAM, WHOLE: WHOLE, PART: PART,
    fold: fold, tokens: tokens, askedTokens: askedTokens, plain: plain, kin: kin, kinPrefix: kinPrefix, distance: distance, days: days, parse: parse, score: score, unpack: unpack, Reader: Reader, Store: Store
  };
})();
