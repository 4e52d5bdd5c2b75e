/* Runs in a page that may look into a frame of the same site, and does there what a reader does: TASKS is a list of { name, start, steps }, a step is
   { click | type + into | key | hash, sees, counts }. An action is a click, a typed word or a key; `sees` is a selector that must match before the next
   one, `holds` a text that it must have. It writes into #out, as JSON, how many actions each task took, where it ended, and what was missed. */
(function () {
  "use strict";
  var frame = document.createElement("iframe"), out = [];
  frame.width = 1400; frame.height = 1000;
  document.body.appendChild(frame);
  function doc() { return frame.contentDocument; }
  function find(selector, text) {
    return Array.prototype.filter.call(doc().querySelectorAll(selector), function (e) { return !text || e.textContent.indexOf(text) >= 0; })[0];
  }
  function until(step) {
    return new Promise(function (yes, no) {
      var tries = 0;
      (function look() {
        var there = false;
        try { there = doc() && doc().readyState === "complete" && (!step.sees || find(step.sees, step.holds)); } catch (e) { /* between two pages */ }
        if (there) yes();
        else if (++tries > 400) no(new Error("does not see " + step.sees + (step.holds ? " with " + step.holds : "")));
        else setTimeout(look, 20);
      })();
    });
  }
  function act(step) {
    if (step.click) { var e = find(step.click, step.text); if (!e) throw new Error("no " + step.click); e.click(); }
    if (step.type) {
      var box = find(step.into);
      box.value = step.type;
      box.dispatchEvent(new (frame.contentWindow.Event)("input", { bubbles: true }));
    }
    if (step.key) {
      var at = doc().activeElement || doc().body;
      at.dispatchEvent(new (frame.contentWindow.KeyboardEvent)("keydown", { key: step.key, bubbles: true, cancelable: true }));
      /* what a browser does with Enter by itself */
      if (step.key === "Enter") { if (at.form) at.form.requestSubmit(); else at.click(); }
    }
  }
  function run(task) {
    var done = { name: task.name, actions: 0 };
    frame.src = "about:blank";
    return new Promise(function (yes) { setTimeout(yes, 50); }).then(function () {
      frame.src = task.start;
      return until({ sees: "main, a[data-redirect]" });
    }).then(function () {
      return task.steps.reduce(function (before, step) {
        return before.then(function () { act(step); done.actions += step.click || step.type || step.key ? 1 : 0; return until(step); });
      }, Promise.resolve());
    }).catch(function (e) { done.fault = String(e.message || e); }).then(function () {
      done.at = frame.contentWindow.location.href;
      out.push(done);
    });
  }
  TASKS.reduce(function (before, task) { return before.then(function () { return run(task); }); }, Promise.resolve()).then(function () {
    document.getElementById("out").textContent = "<<<" + JSON.stringify(out) + ">>>";
  });
})();
