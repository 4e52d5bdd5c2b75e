//! Notations and what they are read as.
