/* The second half of the search: concepts of a query, and from a query to ranked documents. */
(function (T) {
  "use strict";

  /* ── folding of lexicon forms, by class: accents, Arabic, Persian, Turkish, yo ── */
  function foldChar(c, how) {
    var n = c.codePointAt(0);
    if (n >= 0xFF01 && n <= 0xFF5E) c = String.fromCodePoint(n - 0xFEE0);
    else if (/[\u3000\u00A0\u2007\u2009\u200A\u202F\u2002\u2003]/.test(c)) c = " ";
    else if (/[\u2018\u2019\u02BC\u2032]/.test(c)) c = "'";
    else if (/[\u2010\u2011]/.test(c)) c = "-";
    else if (/[\u00AD\u200B\uFEFF\u2060]/.test(c)) return "";
    else if (c === "\u200C" && how[2]) c = " ";
    else if (c === "\u200C" || c === "\u200D") return "";
    if (how[3] && (c === "I" || c === "İ" || c === "ı")) return "i";
    if (how[1]) {
      if ("أإآٱ".indexOf(c) >= 0) return "ا";
      if (c === "ة") return "ه";
      if (c === "ى" && !how[2]) return "ي";
      if (/[\u0640\u064B-\u0652\u0670]/.test(c)) return "";
    }
    if (how[2]) {
      if (c === "ي" || c === "ى") return "ی";
      if (c === "ك") return "ک";
      if (c === "ۀ") return "ه";
      if (c === "\u0654") return "";
    }
    return Array.from(c.toLowerCase()).map(function (l) {
      var m = l.codePointAt(0);
      if (l === "ё" && how[4]) return "е";
      if (l === "ß" && how[0]) return "ss";
      if (l === "\u0307") return "";
      if (how[0] && ((m < 0x250 && m > 0x7F) || (m >= 0x1E00 && m < 0x1F00))) return l.normalize("NFD").replace(/[\u0300-\u036F]/g, "");
      if (how[0] && m >= 0x300 && m <= 0x36F) return "";
      return l;
    }).join("");
  }
  /* characters and, for each, where it stands in the text */
  function folded(text, how) {
    var chars = [], back = [];
    text.forEach(function (c, at) { Array.from(foldChar(c, how)).forEach(function (f) { chars.push(f); back.push(at); }); });
    back.push(text.length);
    return { chars: chars, back: back };
  }

  var LETTER = 1, DIGIT = 2, FREE = 3, OTHER = 4;
  var FREES = [[0xE00, 0xEFF], [0x1000, 0x109F], [0x1780, 0x17FF], [0x1100, 0x11FF], [0x3040, 0x30FF], [0x31F0, 0x31FF], [0x3400, 0x9FFF], [0xAC00, 0xD7AF], [0xF900, 0xFAFF], [0xFF66, 0xFF9F], [0x20000, 0x3FFFF], [0x3005, 0x3005], [0x3007, 0x3007]];
  var kinds = new Map();
  function kind(c) {
    var k = kinds.get(c);
    if (k === undefined) { k = kindOf(c); kinds.set(c, k); }
    return k;
  }
  function kindOf(c) {
    if (/[A-Za-z]/.test(c)) return LETTER;
    if (/[0-9]/.test(c)) return DIGIT;
    var n = c.codePointAt(0);
    if (FREES.some(function (r) { return n >= r[0] && n <= r[1]; })) return FREE;
    if (n < 128) return OTHER;
    if (n === 0x964 || n === 0x965 || n === 0x970) return OTHER;
    if (/\p{Alphabetic}/u.test(c) || (n >= 0x300 && n <= 0x36F) || (n >= 0x900 && n <= 0xDFF) || (n >= 0x64B && n <= 0x652)) return LETTER;
    return /\p{N}/u.test(c) ? DIGIT : OTHER;
  }
  function joins(a, b) { var x = kind(a); return x === kind(b) && (x === LETTER || x === DIGIT); }
  function wordStart(t, at) { while (at > 0 && kind(t[at - 1]) === LETTER) at--; return at; }
  function wordEnd(t, at) { while (at < t.length && kind(t[at]) === LETTER) at++; return at; }
  function has(t, at, piece) { for (var i = 0; i < piece.length; i++) if (t[at + i] !== piece[i]) return false; return true; }

  /* ── one class of forms against a folded text ── */
  function Scanner(cls, forms) { this.cls = cls; this.forms = forms; }
  Scanner.prototype.starts = function (t, at, p, inner) {
    if (at === 0) return true;
    if (p.openStart || !joins(t[at - 1], p.chars[0])) return true;
    if (this.cls.prefixes.length && this.cls.prefixes.indexOf(t.slice(wordStart(t, at), at).join("")) >= 0) return true;
    if (inner && p.openEnd && p.chars.length >= 5) {
      var start = wordStart(t, at);
      return wordEnd(t, at) - start >= 9 && at - start >= 3;
    }
    return false;
  };
  Scanner.prototype.ends = function (t, end, p) {
    if (end >= t.length || !joins(p.chars[p.chars.length - 1], t[end])) return end;
    return p.openEnd ? wordEnd(t, end) : -1;
  };
  Scanner.prototype.complete = function (t, at, form) {
    var first = form.pieces[0], end = at + first.chars.length;
    if (!this.starts(t, at, first, form.inner)) return -1;
    end = this.ends(t, end, first);
    for (var i = 1; i < form.pieces.length && end >= 0; i++) {
      var p = form.pieces[i];
      if (p.gap) { end = this.afterGap(t, end, p); continue; }
      var from = end;
      while (from < t.length && /[ \t\n]/.test(t[from])) from++;
      if (from === end && from < t.length && /[-\/_]/.test(t[from])) from++;
      if (from === end && !this.cls.substring) return -1;
      if (p.openStart) {
        var stop = wordEnd(t, from);
        if (stop - from <= p.chars.length || !has(t, stop - p.chars.length, p.chars)) return -1;
        end = stop;
        continue;
      }
      if (!has(t, from, p.chars)) return -1;
      end = this.ends(t, from + p.chars.length, p);
    }
    return end;
  };
  Scanner.prototype.afterGap = function (t, from, p) {
    var limit = t.length;
    for (var i = from; i < t.length; i++) {
      if (i - from >= 60 || /[\n。！？]/.test(t[i]) || (/[.!?]/.test(t[i]) && t[i + 1] !== undefined && /\s/.test(t[i + 1]))) { limit = i; break; }
    }
    for (var at = from; at + p.chars.length <= limit; at++) {
      if (!has(t, at, p.chars)) continue;
      if (this.starts(t, at, p, false)) { var end = this.ends(t, at + p.chars.length, p); if (end >= 0) return end; }
      at += p.chars.length - 1;
    }
    return -1;
  };
  /* does the script change at a place */
  function changes(t, at) {
    if (at === 0 || at >= t.length) return true;
    function kind(c) {
      var n = c.codePointAt(0);
      return n >= 0x3040 && n <= 0x309f ? 1 : n >= 0x30a0 && n <= 0x30ff ? 2 : n >= 0x3400 && n <= 0x9fff ? 3 : n >= 0xac00 && n <= 0xd7af ? 4 : 0;
    }
    return kind(t[at - 1]) !== kind(t[at]);
  }
  /* does a hit stand inside a longer word only by chance: the twin of is_hidden in the lexicons' scanner */
  function isHidden(t, hits, forms, i) {
    var h = hits[i], at = h[0], end = h[1];
    var near = hits.filter(function (k, n) { return n !== i && forms[k[2]].pieces.length === 1; });
    return near.some(function (long) {
      if (long[0] > at || end > long[1] || long[1] - long[0] <= end - at) return false;
      var phrase = long[1] - long[0] >= 5, left = at === long[0] || changes(t, at), right = end === long[1] || changes(t, end);
      var composed = near.some(function (k) {
        return (at === long[0] && k[0] === end && k[1] === long[1]) || (end === long[1] && k[1] === at && k[0] === long[0]);
      });
      return !((left && right) || (phrase && (at === long[0] || end === long[1])) || composed);
    });
  }
  /* hits as [start, end, number of the form], in characters of the text before folding */
  Scanner.prototype.scan = function (text) {
    var f = folded(text, this.cls.folding), t = f.chars, hits = [], me = this;
    this.forms.forEach(function (form, n) {
      var first = form.pieces[0].chars;
      for (var at = 0; at + first.length <= t.length; at++) {
        if (!has(t, at, first)) continue;
        var end = me.complete(t, at, form);
        if (end >= 0) hits.push([at, end, n]);
      }
    });
    hits.sort(function (a, b) { return a[0] - b[0] || b[1] - a[1] || a[2] - b[2]; });
    var kept = [];
    hits.forEach(function (h, i) {
      if (me.cls.substring && isHidden(t, hits, me.forms, i)) return;
      var again = kept.slice(-24).some(function (k) { return k[2] === h[2] && k[0] <= h[0] && h[1] <= k[1]; });
      if (!again) kept.push(h);
    });
    return kept.map(function (h) { return [f.back[h[0]], Math.max(f.back[h[1]], f.back[h[0]]), h[2]]; });
  };
  /* what a compound in a script without spaces says, its halves say too, or else the longest part that it begins or ends with */
  Scanner.prototype.tiles = function (text, hit) {
    var piece = text.slice(hit[0], hit[1]), n = piece.length, me = this;
    if (n < 4 || n > 16) return [];
    function all(from, to) {
      while (from < to && /\s/.test(piece[from])) from++;
      while (to > from && /\s/.test(piece[to - 1])) to--;
      return me.scan(piece.slice(from, to)).filter(function (h) { return h[0] === 0 && h[1] === to - from; }).map(function (h) { return [hit[0] + from, hit[0] + to, h[2]]; });
    }
    for (var gap = 0; gap < 2; gap++) {
      for (var cut = 2; cut < n - 1 - gap; cut++) {
        var a = all(0, cut), b = a.length ? all(cut + gap, n) : [];
        if (b.length) return a.concat(b);
      }
    }
    for (var size = n - 2; size >= 3; size--) {
      var begins = all(0, size), either = begins.length ? begins : all(n - size, n);
      if (either.length) return either;
    }
    return [];
  };

  /* the length that stands for a step of lengths: eight steps to each doubling */
  var lengths = [];
  for (var step = 0; step < 240; step++) {
    var size = Math.pow(2, Math.floor(step / 8) - 1);
    lengths.push(step < 16 ? step : (step % 8 + 8) * size + Math.floor(size / 2));
  }

  /* ── the engine ── */
  function Engine(load, head) { this.load = load; this.store = new T.Store(load, head); this.units = new Map(); }
  Engine.prototype.open = function () {
    var me = this;
    if (this.ready) return this.ready;
    this.ready = this.store.open().then(function (head) {
      me.head = head;
      me.known = head.words ? new T.Store(me.load, head.words) : null;
      return Promise.all([me.known ? me.known.open() : { tags: [], classes: [], concepts: "", directories: [] }, me.store.range("n:")]);
    }).then(function (got) {
      var known = got[0];
      me.tags = known.tags;
      me.concepts = known.concepts.split(" ");
      me.classes = known.classes.map(function (c) { return { folding: c[0], substring: c[1] > 0, loose: c[2] > 0, prefixes: c[3] }; });
      me.shapes = known.shapes;
      me.sets = (known.sets || []).map(function (s) { return s.map(languages); });
      me.docs = [];
      blocks(got[1], 96, function (r) {
        var language = r.symbol(1), words = r.symbol(2), concepts = r.symbol(3 + (words >> 3)), pairs = r.symbol(64 + (concepts >> 3));
        me.docs.push({ language: language, words: lengths[words], concepts: lengths[concepts], pairs: lengths[pairs] });
      });
      me.corpus = { languages: me.head.languages, docs: me.docs };
      return me;
    });
    return this.ready;
  };
  function flat(lists) { return [].concat.apply([], lists); }
  /* what is told of all documents in blocks: one after the other, each with its number */
  function blocks(list, kinds, each, begin) {
    var doc = 0;
    list.forEach(function (e) {
      var r = new T.Reader(e[1], 0, kinds), left = r.number(0);
      if (begin) begin(r);
      for (; left > 0; left--) each(r, doc++);
    });
  }
  /* the days of every document: more than most queries need */
  Engine.prototype.days = function () {
    var me = this;
    if (!this.dated) this.dated = this.store.range("y:").then(function (list) {
      blocks(list, 5, function (r, n) {
        var d = me.docs[n];
        d.from = r.number(1) * 10000;
        d.from += r.symbol(2) * 100;
        d.from += r.symbol(3);
        d.to = d.from + r.number(4);
      });
      return me;
    });
    return this.dated;
  };
  /* what facets count, of every document: more than the first hits need */
  Engine.prototype.facets = function () {
    var me = this, own = 0;
    if (!this.counted) this.counted = Promise.all([this.store.get("g:year"), this.store.get("g:severity"), this.store.range("m:")]).then(function (got) {
      blocks(got[2], 6, function (r, n) {
        var d = me.docs[n];
        d.year = got[0][r.symbol(1)];
        d.severity = got[1][r.symbol(2)];
        d.services = [];
        for (var left = r.number(d.severity ? 5 : 3); left > 0; left--) { var s = r.number(4); d.services.push(s ? s - 1 : own++); }
      }, function (r) { own = r.number(0) || own; });
      return me;
    });
    return this.counted;
  };
  /* the patterns of every document: as much as all else that facets count */
  Engine.prototype.tagged = function () {
    var me = this, many = 0;
    if (!this.patterned) this.patterned = Promise.all([this.store.get("g:pattern"), this.store.range("b:")]).then(function (got) {
      var names = got[0];
      blocks(got[1], 1 + names.length, function (r, n) {
        var has = [];
        for (var p = 0; p < many; p++) if (r.bit(1 + p)) has.push(names[p]);
        me.docs[n].patterns = has;
      }, function (r) { many = r.number(0); });
      me.tells = true;
      return me;
    });
    return this.patterned;
  };
  /* the names of some services */
  Engine.prototype.services = function (numbers) {
    return this.store.many(numbers.map(function (n) { return "i:" + ("0000" + (n >> 5)).slice(-5); })).then(function (lists) { return lists.map(function (l, i) { return l[numbers[i] & 31]; }); });
  };

  /* all forms that may stand in a text, by class: asked for by how their longest words begin */
  Engine.prototype.forms = function (text) {
    var me = this, keys = new Set(["o:"]), texts = new Map();
    this.classes.forEach(function (c) {
      var how = c.folding.join(), f = texts.get(how);
      if (!f) { f = { chars: folded(text, c.folding).chars, prefixes: new Set() }; f.whole = f.chars.join(""); texts.set(how, f); }
      c.prefixes.forEach(function (p) { f.prefixes.add(p); });
    });
    texts.forEach(function (f) {
      var t = f.chars;
      for (var at = 0; at < t.length; at++) {
        if (/\s/.test(t[at])) continue;
        var begins = at === 0 || !joins(t[at - 1], t[at]), inside = false, from = at;
        if (!begins) {
          from = wordStart(t, at);
          begins = f.prefixes.size > 0 && f.prefixes.has(t.slice(from, at).join(""));
          inside = at - from >= 3 && wordEnd(t, at) - from >= 9;
        }
        for (var n = 1, piece = ""; n <= 6 && at + n <= t.length && !/\s/.test(t[at + n - 1]); n++) {
          piece += t[at + n - 1];
          if (begins && n < 4) keys.add((n < 2 ? "u:" : "a:") + piece);
          if ((begins && n > 3) || (inside && n > 4)) keys.add("l:" + piece);
        }
      }
    });
    keys = Array.from(keys);
    return (me.known ? me.known.many(keys) : Promise.resolve([])).then(function (lists) {
      var by = me.classes.map(function () { return []; });
      lists.forEach(function (list, k) {
        list.forEach(function (v) {
          var head = T.unpack(v, 3), at = head[3], shape = me.shapes[head[0]], set = me.sets[head[1] - 1], cls = me.classes[shape[0]];
          if (!set) { var dots = v.slice(at).split(".", 2); set = dots.map(languages); at += dots[0].length + dots[1].length + 2; }
          var words = at < v.length ? v.slice(at).split(/(?=[\^~])/) : [], rest = at === v.length || v[at] === "^" || v[at] === "~" ? "" : words.shift(), word = keys[k].slice(2) + plain(rest);
          if (texts.get(cls.folding.join()).whole.indexOf(word) < 0) return;
          var pieces = words.map(function (w) { return w[0] === "^" ? piece(plain(w.slice(1)), 0) : piece(plain(w.slice(2)), +w[1]); });
          pieces.splice(shape[1] >> 4, 0, piece(word, shape[1]));
          by[shape[0]].push({ pieces: pieces, inner: (shape[1] & 8) > 0, concept: head[2] - 2, stop: head[2] === 0, own: set[0], also: set[1] });
        });
      });
      return by;
    });
  };
  /* a set of languages, as bits */
  function languages(set) { return BigInt("0x" + set); }
  /* signs that part words and forms, where they are part of a word */
  function plain(word) { return word.indexOf("`") < 0 ? word : word.replace(/`([0-3])/g, function (_, n) { return "`!^~"[n]; }); }
  function piece(text, flags) { return { chars: Array.from(text), openEnd: (flags & 1) > 0, openStart: (flags & 2) > 0, gap: (flags & 4) > 0 }; }

  /* the concepts of a query, and its language where its words tell */
  Engine.prototype.scan = function (query) {
    var me = this, text = Array.from(query);
    return this.forms(text).then(function (by) {
      var raw = [];
      me.classes.forEach(function (cls, n) {
        [true, false].forEach(function (concepts) {
          var chosen = by[n].filter(function (f) { return (f.concept >= 0) === concepts; });
          if (!chosen.length) return;
          var scanner = new Scanner(cls, chosen), hits = scanner.scan(text);
          if (cls.substring) hits = hits.concat([].concat.apply([], hits.map(function (h) { return scanner.tiles(text, h); })));
          hits.forEach(function (h) { var f = chosen[h[2]]; raw.push({ start: h[0], end: h[1], concept: f.concept, stop: f.stop, own: f.own, also: f.also, loose: cls.loose }); });
        });
      });
      raw.sort(function (a, b) { return a.start - b.start || b.end - a.end || a.concept - b.concept; });
      return believe(raw, me.tags);
    });
  };
  function overlap(a, b) { return a.start < b.end && b.start < a.end; }
  function believe(raw, tags) {
    function bit(n) { return 1n << BigInt(n); }
    var known = tags.map(function (_, n) {
      var at = 0, sum = 0;
      raw.filter(function (r) { return !r.loose && (r.own & bit(n)) > 0n; }).forEach(function (r) {
        var from = Math.max(r.start, at);
        if (r.end > from) { sum += r.end - from; at = r.end; }
      });
      return sum;
    });
    var best = Math.max.apply(null, known.concat([0])), leaders = [], believed = 0n;
    known.forEach(function (k, n) { if (best > 0 && k * 6 >= best * 5) leaders.push(n); });
    if (leaders.length === 1) believed = bit(leaders[0]); else known.forEach(function (k, n) { if (k * 3 >= best * 2) believed |= bit(n); });
    var found = [];
    function take(r) {
      if (r.concept < 0 || found.some(function (f) { return f.concept === r.concept && overlap(f, r); })) return;
      found.push({ start: r.start, end: r.end, concept: r.concept });
    }
    function free(r, taken) { return !taken.some(function (g) { return overlap(g, r); }); }
    var good = [], rest = [];
    raw.forEach(function (r) { (!r.loose && ((r.own | r.also) & believed) > 0n ? good : rest).push(r); });
    good.forEach(take);
    rest = rest.filter(function (r) { return r.concept >= 0 && free(r, good); });
    var other = rest.filter(function (r) { return !r.loose; });
    other.forEach(take);
    var stops = good.filter(function (r) { return r.stop && (r.own & believed) > 0n; });
    return { found: found, stops: stops, loose: rest.filter(function (r) { return r.loose && free(r, other); }), language: leaders.length === 1 ? tags[leaders[0]] : null, take: take };
  }
  /* the part that a concept has of the words that mean it */
  function part(found, concept) {
    var meanings = found.filter(function (f) { return f.concept === concept; }).map(function (f) { return found.filter(function (o) { return overlap(f, o); }).length; });
    return 1 / Math.max(Math.min.apply(null, meanings), 1);
  }
  function finish(scanned, query) {
    var text = Array.from(query);
    scanned.loose.forEach(function (r) { if (/^[\x00-\x7F]*$/.test(text.slice(r.start, r.end).join(""))) scanned.take(r); });
    scanned.found.sort(function (a, b) { return a.start - b.start || b.end - a.end || a.concept - b.concept; });
    scanned.concepts = [];
    scanned.found.forEach(function (f) { if (scanned.concepts.indexOf(f.concept) < 0) scanned.concepts.push(f.concept); });
    return scanned;
  }

  /* the key of a family: its stem before its language */
  function family(name) { var parts = /^([a-z]{2,3}):([^]*)$/.exec(name); return "f:" + (parts ? parts[2] + ":" + parts[1] : name); }
  /* a word of a query: its families, and the documents that have them; `open`: it may go on, or ("*") words that begin so are meant */
  Engine.prototype.unit = function (token, open) {
    var me = this, id = token.kind + token.text + (open === "*" ? "*" : open ? "…" : "");
    if (!this.units.has(id)) this.units.set(id, this.look(token, open).then(function (u) {
      var keys = Array.from(u.families.keys()).sort();
      return me.store.many(keys.map(family)).then(function (lists) {
        var sums = new Map();
        lists.forEach(function (list, i) { list.forEach(function (p) { sums.set(p[0], (sums.get(p[0]) || 0) + p[1] / 4 * u.families.get(keys[i])); }); });
        u.postings = Array.from(sums).sort(function (a, b) { return a[0] - b[0]; });
        if (token.kind === T.GRAM || token.kind === T.WHOLE) u.exact = u.postings.length > 0;
        return u;
      });
    }));
    return this.units.get(id);
  };
  Engine.prototype.look = function (token, open) {
    var u = { kind: token.kind, text: token.text, families: new Map(), exact: false, postings: [] };
    if (token.kind === T.GRAM && Array.from(token.text).length === 1) return this.store.range("f:" + token.text).then(function (list) {
      list.forEach(function (e) { u.families.set(e[0].slice(2), 1); });
      return u;
    });
    if (token.kind === T.GRAM || token.kind === T.WHOLE) { u.families.set(token.text, 1); return Promise.resolve(u); }
    if (Array.from(token.text).length < (open === "*" ? 2 : 3)) open = false;
    var prefix = T.kinPrefix(token.text), got = open ? this.store.range("e:" + (prefix || token.text)) : prefix === null ? this.store.get("e:" + token.text).then(function (v) { return v.length ? [["e:" + token.text, v]] : []; }) : this.store.range("e:" + prefix);
    return got.then(function (list) {
      var languages = new Set();
      list.forEach(function (e) { if (e[0].slice(2) === token.text) e[1].forEach(function (v) { languages.add(v[0]); u.families.set(v[1], 1); u.exact = true; }); });
      if (open === "*") list.forEach(function (e) {
        if (e[0].slice(2).indexOf(token.text) === 0) e[1].forEach(function (v) { if (!u.families.has(v[1])) { u.families.set(v[1], 1); u.exact = true; } });
      });
      list.forEach(function (e) {
        var word = e[0].slice(2), near = T.kin(token.text, word) || (open && word.indexOf(token.text) === 0);
        if (near) e[1].forEach(function (v) { if (!languages.has(v[0]) && !u.families.has(v[1])) u.families.set(v[1], 0.8); });
      });
      u.begun = !u.exact && list.some(function (e) { return e[0].slice(2).indexOf(token.text) === 0 && e[1].some(function (v) { return u.families.has(v[1]); }); });
      return u;
    });
  };
  Engine.prototype.correction = function (word) {
    var n = Array.from(word).length, first = Array.from(word)[0], limit = n < 10 ? 1 : 2;
    if (n < 4 || /[0-9]/.test(word)) return Promise.resolve(null);
    /* words that begin so and are about so long */
    function words(store, kind) {
      var keys = [];
      for (var l = n - limit; l <= n + limit; l++) keys.push(kind + first + l);
      return store ? store.many(keys).then(flat) : [];
    }
    return Promise.all([words(this.known, "z:"), words(this.store, "h:")]).then(function (got) {
      var best = null;
      /* the lexicons know so many words that nearly every one has a neighbour: a letter taken for another is two slips there */
      function offer(known, change) {
        var d = T.distance(word, known, limit, change);
        if (d !== null && (!best || d < best[0] || (d === best[0] && known < best[1]))) best = [d, known];
      }
      got[0].forEach(function (w) { offer(w, 2); });
      got[1].forEach(function (w) { offer(w, n < 5 ? 2 : 1); });
      return best && best[1] !== word && !T.kin(word, best[1]) ? best[1] : null;
    });
  };

  /* the patterns that a query names or satisfies, and how surely */
  Engine.prototype.meant = function (text, concepts) {
    var words = T.plain(text), me = this, firsts = words.filter(function (w, i) { return words.indexOf(w) === i; });
    function has(group) { return concepts.some(function (c) { return group.indexOf(c) >= 0; }); }
    function distinct(groups) {
      var used = [];
      return groups.every(function (g) {
        var c = concepts.find(function (c) { return g.indexOf(c) >= 0 && used.indexOf(c) < 0; });
        if (c === undefined) return false;
        used.push(c);
        return true;
      });
    }
    if (!this.known) return Promise.resolve([]);
    return Promise.all([this.known.many(concepts.map(function (c) { return "q:" + c; })), this.known.many(firsts.map(function (w) { return "t:" + w; }))]).then(function (got) {
      var sure = new Map();
      flat(got[0]).forEach(function (c) { if (c[1] > (sure.get(c[0]) || 0) && c[2].every(has) && !has(c[3]) && distinct(c[2])) sure.set(c[0], c[1]); });
      got[1].forEach(function (rows, k) {
        rows.forEach(function (r) {
          var name = [firsts[k]].concat(r[1] ? r[1].split(" ") : []);
          if (words.some(function (_, i) { return name.every(function (w, j) { return words[i + j] === w; }); })) sure.set(r[0], 1);
        });
      });
      return Array.from(sure).filter(function (p) { return p[1] >= 0.5; }).sort(function (a, b) { return b[1] - a[1] || (a[0] < b[0] ? -1 : 1); });
    });
  };

  /* ── filters, phrases, unwanted words ── */
  function numbers(list) { return new Set(list.map(function (v) { return typeof v === "number" ? v : v[0]; })); }
  function both(a, b) { return a === null ? b : new Set(Array.from(a).filter(function (d) { return b.has(d); })); }
  function either(sets) { var out = new Set(); sets.forEach(function (s) { s.forEach(function (d) { out.add(d); }); }); return out; }
  /* of names parted by commas any will do */
  Engine.prototype.passing = function (f) {
    var me = this, names = ["lang", "severity", "pattern", "service"].indexOf(f.key) < 0 ? [f.value] : f.value.split(/[,，、،]/).filter(function (v) { return v.trim(); });
    return Promise.all(names.map(function (v) { return me.passingOne({ key: f.key, value: v }); })).then(either);
  };
  Engine.prototype.passingOne = function (f) {
    var me = this, value = f.value.trim(), docs = this.docs;
    function of(key) { return me.store.get(key).then(numbers); }
    function where(test) { var out = new Set(); docs.forEach(function (d, n) { if (test(d)) out.add(n); }); return Promise.resolve(out); }
    if (f.key === "since" || f.key === "until") {
      var span = T.days(value);
      return where(function (d) { return span && d.to > 0 && (f.key === "since" ? d.to >= span[0] : d.from <= span[1]); });
    }
    if (f.key === "lang") { var tag = value.toLowerCase().split(/[-_]/)[0]; return where(function (d) { return me.head.languages[d.language] === tag; }); }
    if (f.key === "pattern") return of("p:" + value.toLowerCase().replace(/[ _]/g, "-"));
    if (f.key === "severity") {
      var digits = value.replace(/[^0-9]/g, "");
      return Promise.all([of("v:" + T.fold(value))].concat(digits ? [of("v:=" + digits)] : [])).then(either);
    }
    if (f.key === "service") {
      return Promise.all(T.askedTokens(value).filter(function (t) { return t.kind !== T.WHOLE; }).map(function (t) { return of("s:" + t.text); })).then(function (sets) { return sets.reduce(both, null) || new Set(); });
    }
    var words = f.key === "cause" ? "k:" : "x:", concepts = words.toUpperCase();
    return Promise.all([
      Promise.all(T.askedTokens(value).map(function (t) { return me.unit(t).then(function (u) { return Promise.all(Array.from(u.families.keys()).map(function (k) { return of(words + k); })); }).then(either); })),
      me.scan(value).then(function (s) { return Promise.all(finish(s, value).concepts.map(function (c) { return of(concepts + me.concepts[c]); })); })
    ]).then(function (got) { return either(got.map(function (sets) { return sets.reduce(both, null) || new Set(); })); });
  };
  Engine.prototype.phrase = function (text) {
    var wanted = T.tokens(text).filter(function (t) { return t.kind === T.WORD || t.kind === T.GRAM; }), me = this;
    wanted = wanted.filter(function (t, i) { return !(i > 0 && t.kind === T.GRAM && wanted[i - 1].kind === T.GRAM && wanted[i - 1].end === t.end); });
    return Promise.all(wanted.map(function (t) {
      var single = t.kind === T.GRAM && Array.from(t.text).length === 1;
      var lists = single ? me.store.range("w:" + t.text).then(function (r) { return [].concat.apply([], r.map(function (e) { return e[1]; })); }) : me.store.get("w:" + t.text);
      return lists.then(function (list) {
        var here = new Set();
        list.forEach(function (p) { p[1].forEach(function (at) { if (at >= t.position) here.add(p[0] + " " + (at - t.position)); }); });
        return here;
      });
    })).then(function (sets) { return new Set(Array.from(sets.reduce(both, null) || []).map(function (k) { return +k.split(" ")[0]; })); });
  };
  Engine.prototype.allowed = function (q) {
    var me = this;
    return Promise.all([
      Promise.all(q.filters.map(function (f) { return me.passing(f).then(function (s) { return [s, !f.not]; }); })),
      Promise.all(q.phrases.map(function (p) { return me.phrase(p).then(function (s) { return [s, true]; }); })),
      Promise.all(q.without.map(function (w) {
        var one = T.askedTokens(w), got = one.length === 1 ? me.unit(one[0]).then(function (u) { return numbers(u.postings); }) : me.phrase(w);
        return got.then(function (s) { return [s, false]; });
      }))
    ]).then(function (got) {
      /* of several languages, and of several severities, a document has one: any of them will do */
      var any = [], others = [];
      ["lang", "severity"].forEach(function (key) {
        var sets = got[0].filter(function (r, k) { return r[1] && q.filters[k].key === key; }).map(function (r) { return r[0]; });
        if (sets.length) any.push([either(sets), true]);
      });
      got[0].forEach(function (r, k) { if (!r[1] || ["lang", "severity"].indexOf(q.filters[k].key) < 0) others.push(r); });
      var rules = any.concat(others, got[1], got[2]);
      return me.docs.map(function (_, d) { return rules.every(function (r) { return r[0].has(d) === r[1]; }); });
    });
  };

  /* ── a search: understand, gather, score; `typing`: the last word may go on ── */
  Engine.prototype.search = function (input, typing) {
    var me = this, q = T.parse(input.normalize("NFC")), text = q.text, corrected = {};
    var dated = !text.trim() || q.filters.some(function (f) { return f.key === "since" || f.key === "until"; });
    return this.open().then(function () { return dated ? me.days() : me; }).then(function () { return me.scan(text); }).then(function (s) {
      var scanned = finish(s, text), asked = T.askedTokens(text), total = Array.from(text).length;
      /* function words are what a query is held together by, not what it asks for; one that is being typed may become another word */
      function idle(t) { return scanned.stops.some(function (r) { return r.start <= t.start && t.end <= r.end; }) && !(typing && t.end === total); }
      if (!asked.every(idle)) asked = asked.filter(function (t) { return !idle(t); });
      var codes = [];
      return Promise.all(asked.map(function (token) {
        var star = token.kind === T.WORD && Array.from(text)[token.end] === "*";
        function meets(u) { return u.exact || scanned.found.some(function (f) { return f.start < token.end && token.start < f.end; }); }
        return me.unit(token, star ? "*" : typing && token.kind === T.WORD && token.end === total).then(function (u) {
          /* a word that nothing is like may be the beginning of some */
          return !meets(u) && token.kind === T.WORD && !u.postings.length && Array.from(token.text).length > 2 ? me.unit(token, true) : u;
        }).then(function (u) {
          if (token.kind === T.WHOLE && u.exact && Array.from(text).slice(token.start, token.end).indexOf(" ") < 0) codes.push(token);
          if (meets(u) || u.begun || token.kind !== T.WORD || (typing && u.postings.length)) return [u];
          return me.correction(token.text).then(function (word) {
            if (!word) return [u];
            corrected[token.text] = { word: word, start: token.start, end: token.end };
            return me.unit({ kind: token.kind, text: word }).then(function (better) { return u.postings.length ? [better, u] : [better]; });
          });
        });
      })).then(function (units) {
        units = [].concat.apply([], units);
        var changes = Object.keys(corrected).map(function (k) { return corrected[k]; }).sort(function (a, b) { return b.start - a.start; }), chars = Array.from(text);
        changes.forEach(function (c) { chars.splice.apply(chars, [c.start, c.end - c.start].concat(Array.from(c.word))); });
        /* the parts of a code that stands so in a document mean nothing by themselves */
        if (!changes.length && codes.length) {
          scanned.found = scanned.found.filter(function (f) { return !codes.some(function (c) { return c.start <= f.start && f.end <= c.end && f.end - f.start < c.end - c.start; }); });
          finish(scanned, text);
        }
        var meant = chars.join(""), again = changes.length ? me.scan(meant).then(function (s) { return finish(s, meant); }) : Promise.resolve(scanned);
        return again.then(function (scanned) {
          var patterns;
          return me.meant(meant, scanned.concepts).then(function (known) {
            patterns = known;
            return Promise.all([
              me.store.many(scanned.concepts.map(function (c) { return "c:" + me.concepts[c]; })),
              me.store.many(patterns.map(function (p) { return "p:" + p[0]; })),
              me.allowed(q)
            ]);
          }).then(function (got) {
            var asked = { language: scanned.language, words: units.map(function (u) { return { gram: u.kind === T.GRAM, neutral: u.kind === T.WHOLE || Array.from(u.families.keys()).some(function (f) { return f[0] === ":"; }), postings: u.postings }; }), concepts: got[0], parts: scanned.concepts.map(function (c) { return part(scanned.found, c); }), patterns: patterns.map(function (p, i) { return [p[1], got[1][i].map(function (t) { return [t[0], t[1] / 100]; })]; }) };
            var restricted = q.filters.length + q.phrases.length + q.without.length > 0;
            var hits = T.score(me.corpus, asked).filter(function (s) { return got[2][s.doc]; });
            if (!text.trim() && restricted) {
              hits = me.docs.map(function (d, n) { return { doc: n, score: 0, words: 0, concepts: 0, patterns: 0, passage: null }; }).filter(function (s) { return got[2][s.doc]; });
            } else if (!restricted) {
              var best = hits.reduce(function (a, s) { return Math.max(a, s.score); }, 0);
              hits = hits.filter(function (s) { return s.score >= 0.03 && s.score >= 0.1 * best; });
            }
            hits.sort(function (a, b) {
              var x = me.docs[a.doc], y = me.docs[b.doc];
              return b.score - a.score || (a.score === 0 ? y.from - x.from || y.to - x.to : 0) || a.doc - b.doc;
            });
            /* of documents that tell of the same incident, the best alone takes a place */
            var same = me.head.same || {}, first = [];
            hits = hits.filter(function (h) {
              var others = same[h.doc] || [], kept = others.length ? first.filter(function (f) { return others.indexOf(f.doc) >= 0; })[0] : undefined;
              if (kept) { kept.same.push(h.doc); return false; }
              h.same = [];
              first.push(h);
              return true;
            });
            return {
              query: q, text: meant, hits: hits, units: units, patterns: patterns, corrected: corrected, language: scanned.language,
              concepts: scanned.concepts.map(function (c) { return { name: me.concepts[c], number: c, asked: scanned.found.filter(function (f) { return f.concept === c; }).map(function (f) { return Array.from(meant).slice(f.start, f.end).join(""); })[0] }; })
            };
          });
        });
      });
    });
  };
  Engine.prototype.card = function (doc) { return this.store.get("d:" + ("00000" + doc).slice(-6)).then(function (v) { return v[0]; }); };
  T.Engine = Engine;
})(TwiceshySearch);
