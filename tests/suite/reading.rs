//! Small documents of each kind of construction, and what must and must not be taken from them as an action.

use crate::support::knowledge;
use twiceshy::pipeline::read;
use twiceshy::text::Source;

/// The actions of a document: status and text.
fn actions(path: &str, text: &str) -> Vec<(String, String)> {
    let source = Source::new(path, text.as_bytes().to_vec());
    let case = read(&source, knowledge());
    case.incident.remediation.iter().map(|r| (r.status.clone(), r.text.clone())).collect()
}

#[track_caller]
fn takes(text: &str, wanted: &[(&str, &str)]) {
    let got = actions("incidents/t.md", text);
    let fits = |(status, words): &(&str, &str)| got.iter().any(|(s, t)| s == status && t.contains(words));
    let missed: Vec<_> = wanted.iter().filter(|w| !fits(w)).collect();
    assert!(missed.is_empty(), "missed {missed:?} in {got:#?}");
    assert_eq!(got.len(), wanted.len(), "more than wanted: {got:#?}");
}

#[test]
fn what_followed_and_courtesies_are_no_actions() {
    takes(
        "# Checkout was down\n\n## Resolution\n\nWe raised the connection limit of the pool to 400. This allowed the gateway to drain its backlog within \
         minutes. We are sorry for the trouble this caused our customers.\n",
        &[("done", "raised the connection limit")],
    );
    takes(
        "# Panne du paiement\n\n## Résolution\n\nNous avons redémarré les trois passerelles. Cette mesure a permis de retrouver des temps de réponse \
         habituels. Nous vous prions de nous excuser pour la gêne occasionnée.\n",
        &[("done", "redémarré les trois passerelles")],
    );
    takes(
        "# Leállás\n\n## Megoldás\n\nMegemeltük a kapcsolatok felső határát. Ennek köszönhetően a várakozó kérések elfogytak. Elnézést kérünk a \
         kellemetlenségért.\n",
        &[("done", "Megemeltük")],
    );
}

#[test]
fn a_clause_of_purpose_does_not_tell_whether_it_is_done() {
    takes(
        "# Pods vanished\n\n## Action items\n\n- Change the controller so that volumes are not removed when the node restarts\n- Rewrote the retry loop so \
         that it will not start again\n",
        &[("planned", "Change the controller"), ("done", "Rewrote the retry loop")],
    );
}

#[test]
fn a_sentence_that_tells_the_one_before_in_detail_belongs_to_it() {
    takes(
        "# 注文システム停止\n\n## 解決方法\n\n再発を抑えるための対策が導入されました。これには、接続数の上限と待ち行列の上限が含まれています。\n",
        &[("done", "これには、接続数の上限")],
    );
    let got = actions(
        "a.md",
        "# Outage\n\n## Resolution\n\nSafeguards were added on Monday. These include a cap on connections and a kill switch.\n",
    );
    assert!(got.iter().any(|(_, t)| t.contains("Safeguards") && t.contains("kill switch")), "{got:#?}");
}

#[test]
fn a_list_ticked_off_in_part_is_a_list_of_work() {
    takes(
        "# Broken tenant filter\n\n## Timeline\n\n- 2025-03-01 09:10 first report\n- 2025-03-01 09:40 cause found\n\n**Where we stand**:\n\n1. ✅ Scope fixed in \
         `tenant.rb`\n2. ✅ Regression test written\n3. ⏳ Manual test by support\n4. ⏳ Rollout to production\n",
        &[("done", "Scope fixed"), ("done", "Regression test"), ("planned", "Manual test"), ("planned", "Rollout")],
    );
}

#[test]
fn a_heading_is_the_action_where_only_steps_stand_below_it() {
    takes(
        "# Broker full\n\n## Resolution\n\n### 1. Raise the disk quota of the broker\n\n```\nset quota=80G\n```\n\n### 2. Restart the consumers\n\n```\nrestart consumers\n```\n",
        &[("done", "Raise the disk quota"), ("done", "Restart the consumers")],
    );
}

#[test]
fn proofs_voids_and_bare_addresses_are_no_actions() {
    takes(
        "# Job stuck\n\n## Resolution\n\n- Restarted the scheduler\n- https://git.example/commit/5f2a9c1\n- Rollback: none\n\n## Verification\n\n- The job \
         finished twice in a row\n- No errors in the log\n",
        &[("done", "Restarted the scheduler")],
    );
}

#[test]
fn a_row_stands_on_the_cell_that_tells_it_at_length_too() {
    let got = actions(
        "a.md",
        "# Feed late\n\n## Action items\n\n| # | Action | Owner | Due | Ticket | Done when |\n|---|---|---|---|---|---|\n| 1 | Watch the age of the feed | Data \
         team | 2025-04-01 | FEED-12 | An alert fires when no file has arrived for two hours, tried once in staging |\n",
    );
    assert_eq!(got.len(), 1, "{got:#?}");
    assert!(got[0].1.contains("Watch the age of the feed") && got[0].1.contains("no file has arrived"), "{got:#?}");
}

#[test]
fn a_list_has_the_status_that_the_line_above_it_is_labelled_with() {
    takes(
        "# Queue stuck\n\n## Action items\n\nDone: two settings of the broker, namely:\n\n- Limit the size of a batch to 500 messages\n- Reject messages above one \
         megabyte\n",
        &[("done", "Limit the size"), ("done", "Reject messages")],
    );
}
