//! TEMP
fn main(){
    let k=twiceshy::pipeline::Knowledge::builtin();
    for p in std::env::args().skip(1){ let s=twiceshy::text::Source::new(p.clone(),std::fs::read(&p).unwrap()); let c=twiceshy::pipeline::read(&s,&k); println!("{}",serde_json::to_string(&c.incident).unwrap()); }
}
