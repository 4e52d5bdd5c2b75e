//! Which blocks of a page are the article.

use super::super::{Block, Kind};

/// Where a block stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Where {
    /// The outermost article it stands in, from 1; 0 for none.
    pub article: usize,
    pub main: bool,
    /// In a part of the page that is not the article (navigation, footer …).
    pub chrome: bool,
}

/// The blocks of the article: of `<main>` or the articles that hold most of its text, else all but the page's own parts, else all.
pub(super) fn choose(blocks: Vec<Block>, places: &[Where], title: Option<&str>) -> Vec<Block> {
    let weight = |f: &dyn Fn(&Where) -> bool| -> usize { blocks.iter().zip(places).filter(|(_, p)| f(p)).map(|(b, _)| b.text.len()).sum() };
    let all = weight(&|p| !p.chrome);
    let main = weight(&|p| p.main && !p.chrome);
    let articles = places.iter().map(|p| p.article).max().unwrap_or(0);
    let mut sizes = vec![0usize; articles + 1];
    for (b, p) in blocks.iter().zip(places).filter(|(_, p)| !p.chrome && (main == 0 || p.main)) {
        sizes[p.article] += b.text.len();
    }
    let in_articles: usize = sizes.iter().skip(1).sum();
    let largest = (1..sizes.len()).rev().max_by_key(|&i| sizes[i]).unwrap_or(0);
    let within = if main > 0 { main } else { all };
    let keep: Box<dyn Fn(&Where) -> bool> = if in_articles > 0 && sizes[largest] * 10 >= within * 6 {
        Box::new(move |p| p.article == largest && !p.chrome)
    } else if in_articles * 10 >= within * 6 && in_articles > 0 {
        Box::new(move |p| p.article > 0 && !p.chrome && (main == 0 || p.main))
    } else if main > 0 {
        Box::new(|p| p.main && !p.chrome)
    } else if in_articles > 0 && sizes[largest] * 4 >= within {
        Box::new(move |p| p.article == largest && !p.chrome)
    } else if all > 0 {
        Box::new(|p| !p.chrome)
    } else {
        Box::new(|_| true)
    };
    let kept: Vec<bool> = places.iter().map(keep).collect();
    let headed = blocks.iter().zip(&kept).any(|(b, k)| *k && matches!(b.kind, Kind::Heading { level: 1, .. }));
    let first = kept.iter().position(|k| *k).unwrap_or(0);
    // the article's heading may stand above it, in the head of the page: the page's title repeats it
    let above = (!headed)
        .then(|| {
            blocks[..first.min(blocks.len())].iter().rposition(|b| {
                matches!(b.kind, Kind::Heading { level: 1, .. }) && title.is_some_and(|t| t.contains(b.text.as_str().trim()))
            })
        })
        .flatten();
    blocks.into_iter().zip(kept).enumerate().filter(|(i, (_, k))| *k || Some(*i) == above).map(|(_, (b, _))| b).collect()
}
