//! How long an incident took, from whichever instants the text gives: computed, and beside it what the text states.

use super::view::Bytes;
use serde::{Deserialize, Serialize};

/// Durations, computed and stated.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub struct Metrics {
    /// From start to end of the incident, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Metric>,
    /// From the start to the first notice, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_to_detect: Option<Metric>,
    /// From the start to the end of severe impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_to_mitigate: Option<Metric>,
    /// From the start to normal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_to_resolve: Option<Metric>,
    /// Durations that the text states itself, by the names above.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub stated: std::collections::BTreeMap<String, Stated>,
}

/// A duration as the text states it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Stated {
    /// ISO 8601 duration.
    pub value: String,
    /// The bytes that state it.
    #[serde(default)]
    pub spans: Vec<Bytes>,
}

/// A duration and what it was computed from.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Metric {
    /// ISO 8601 duration.
    pub value: String,
    /// Anchors of the events, where it was computed from events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
}
