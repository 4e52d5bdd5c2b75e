//! The zone of a clock that has none: from its column, its section, its neighbours, the document.

use super::place::{Item, Places};
use super::stamp::Stamp;
use super::zone::Zone;
use crate::document::{Document, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// The zone all stamps of one place agree on; `None` inside where they do not.
#[derive(Default)]
struct Agreed {
    zone: Option<Zone>,
    count: usize,
    broken: bool,
}

impl Agreed {
    fn add(&mut self, zone: &Zone) {
        match &self.zone {
            None => self.zone = Some(zone.clone()),
            Some(z) if z == zone => {}
            Some(_) => self.broken = true,
        }
        self.count += 1;
    }

    fn get(&self, least: usize) -> Option<Zone> {
        self.zone.clone().filter(|_| !self.broken && self.count >= least)
    }
}

/// Gives each item its zone. The result holds the zone and whether it was implied.
pub fn zones(places: &Places, document: &Document) -> Vec<(Option<Zone>, bool)> {
    let sure: BTreeSet<&Zone> =
        places.items.iter().filter(|i| i.raw.first.zones.len() == 1).filter_map(|i| i.raw.first.zones.first()).collect();
    let own: Vec<Option<Zone>> = places.items.iter().map(|i| choose(&i.raw.first, &sure)).collect();
    let mut by_block: BTreeMap<usize, Agreed> = BTreeMap::new();
    let mut by_group: BTreeMap<usize, Agreed> = BTreeMap::new();
    let mut by_section: BTreeMap<usize, Agreed> = BTreeMap::new();
    let mut all = Agreed::default();
    for (item, zone) in places.items.iter().zip(&own) {
        let Some(zone) = zone else { continue };
        by_block.entry(item.block).or_default().add(zone);
        by_group.entry(item.group).or_default().add(zone);
        for section in places.around(item.section).filter(|s| *s > 0) {
            by_section.entry(section).or_default().add(zone);
        }
        all.add(zone);
    }
    let table = |item: &Item| if let Kind::Row { table, .. } = document.blocks[item.block].kind { Some(table) } else { None };
    places
        .items
        .iter()
        .zip(own)
        .map(|(item, zone)| {
            if zone.is_some() || item.raw.first.time.is_none() {
                return (zone, false);
            }
            let column = table(item).and_then(|t| {
                let cell = item.cell.and_then(|c| places.column_zones.get(&(t, c)));
                cell.or_else(|| places.table_zones.get(&t)).cloned()
            });
            let implied = column
                .or_else(|| by_block.get(&item.block).and_then(|a| a.get(1)))
                .or_else(|| places.around(item.section).find_map(|s| places.section_zones.get(&s).cloned()))
                .or_else(|| places.document_zone.clone())
                .or_else(|| by_group.get(&item.group).and_then(|a| a.get(1)))
                .or_else(|| {
                    let least = if item.lead { 1 } else { 2 };
                    let around = places.around(item.section).find_map(|s| by_section.get(&s));
                    around.and_then(|a| a.get(least))
                })
                .or_else(|| all.get(1))
                .or_else(|| if all.count == 0 { places.columns_agree() } else { None })
                .or_else(|| places.posted_zone.clone());
            let found = implied.is_some();
            (implied, found)
        })
        .collect()
}

/// The zone of a stamp: of several that an abbreviation may mean, the one that is sure elsewhere in the document.
pub fn choose(stamp: &Stamp, sure: &BTreeSet<&Zone>) -> Option<Zone> {
    stamp.zones.iter().find(|z| stamp.zones.len() > 1 && sure.contains(z)).or(stamp.zones.first()).cloned()
}
