//! `twiceshy runbooks check`: the links from runbooks verified.

use super::args::{Format, Global, RunbookCommand, Runbooks};
use super::output::{Output, Style, json, json_line};
use crate::error::{Error, Result};
use crate::runbook::Runbook;
use serde_json::json as value;

pub(super) fn run(args: &Runbooks, global: &Global, out: &Output) -> Result<bool> {
    let RunbookCommand::Check { dirs, format } = &args.what;
    let w = super::open(global, out, true)?;
    let (runbooks, problems) = if dirs.is_empty() { w.runbooks()? } else { w.runbooks_in(dirs)? };
    for p in &problems {
        out.error(&Error::new(format!("{}: {}", p.path, p.message)));
    }
    if runbooks.is_empty() && problems.is_empty() {
        return Err(Error::new(format!("no runbooks in {}", w.root().join(&w.settings().runbooks).display()))
            .hint("name a folder: twiceshy runbooks check DIR"));
    }
    let links: usize = runbooks.iter().map(|r| r.links.len()).sum();
    let broken: usize = runbooks.iter().map(|r| r.links.iter().filter(|l| l.fault.is_some()).count()).sum();
    match format {
        Format::Human => {
            for r in &runbooks {
                faults(r, out)?;
            }
            out.say(&format!("{} runbooks, {links} links, {broken} broken", runbooks.len()));
        }
        Format::Json | Format::Jsonl => {
            let rows: Vec<_> = runbooks.iter().flat_map(rows).collect();
            if *format == Format::Json {
                out.data(&json(&rows)?)?;
            } else {
                for row in rows {
                    out.data(&json_line(&row)?)?;
                }
            }
        }
    }
    Ok(broken == 0)
}

fn faults(r: &Runbook, out: &Output) -> Result<()> {
    for l in &r.links {
        if let Some(fault) = &l.fault {
            out.data(&format!("{}:{}:{}: {} ({})\n", r.path, l.line, l.column, fault, out.paint(Style::Evidence, &l.written)))?;
        }
    }
    Ok(())
}

fn rows(r: &Runbook) -> Vec<serde_json::Value> {
    let row = |l: &crate::runbook::Link| {
        let (kind, id) = match &l.target {
            crate::runbook::Target::Incident(id) => ("incident", Some(id)),
            crate::runbook::Target::Pattern(id) => ("pattern", Some(id)),
            crate::runbook::Target::Other => ("other", None),
        };
        value!({"path": r.path, "line": l.line, "column": l.column, "link": l.written, "kind": kind, "id": id, "fault": l.fault})
    };
    r.links.iter().map(row).collect()
}
