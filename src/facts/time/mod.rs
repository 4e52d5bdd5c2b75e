//! Dates and clocks: found as written (`scan` and what it stands on), then completed from what the document says elsewhere (`resolve`).
mod clock;
mod date;
mod mask;
mod scan;
mod stamp;
mod token;
mod value;
mod wordy;
mod words;
mod zone;
pub use value::{Clock, Date, Instant, Part, Year};
pub use zone::Zone;
