//! The fields of front matter that tell of time: what a report states about its incident, and when it was written.

/// When the incident began.
pub const START: &[&str] = &[
    "start",
    "started",
    "started_at",
    "startedat",
    "start_time",
    "starttime",
    "start_date",
    "begin",
    "began",
    "incident_start",
    "incident_date",
    "occurred",
    "occurred_at",
];
/// When it was over.
pub const END: &[&str] = &[
    "end",
    "ended",
    "ended_at",
    "endedat",
    "end_time",
    "endtime",
    "end_date",
    "resolved",
    "resolved_at",
    "resolvedat",
    "resolvedwhen",
    "resolved_when",
    "incident_end",
    "closed_at",
];
/// When it was noticed.
pub const DETECTED: &[&str] = &["detected", "detected_at", "detectedat"];
/// When the report was written or published.
pub const POSTED: &[&str] =
    &["date", "timestamp", "published", "published_at", "publishdate", "pubdate", "created", "created_at", "updated", "lastmod"];
