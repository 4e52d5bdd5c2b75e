//! Small calendars for tests: enough of each language's words to read the notations that the tests hold the grammar to.

use crate::lang::Lexicon;
use crate::lang::schema::File;
use std::collections::BTreeMap;

const EN: &str = r#"
tag: en
dates: mdy
fold: [accents]
stop: [the, of, in]
roles: {timeline: [timeline], summary: [summary], remediation: [action items], background: [background]}
columns: {time: [time], date: [date], event: [event, what happened], start: [start, started at, start time], end: [end, ended at], detected: [detected], duration: [duration], due: [due], owner: [owner]}
phase: {impact: ["error*", users affected, outage began], detected: ["alert*", paged], response: [investigating], identified: [found the cause, identified], mitigated: [rolled back], resolved: ["recover*", resolved], trigger: [deployed]}
cues: {planned: [will, plan to], past: [was, were], done: [restarted, deployed], negation: [not], generic: [every day, usually]}
calendar:
  months: [[january, jan], [february, feb], [march, mar], [april, apr], [may], [june, jun], [july, jul], [august, aug], [september, sept, sep], [october, oct], [november, nov], [december, dec]]
  weekdays: [[monday, mon], [tuesday, tue], [wednesday, wed], [thursday, thu], [friday, fri], [saturday, sat], [sunday, sun]]
  parts: {am: [am, a.m.], pm: [pm, p.m.], morning: [morning, in the morning], noon: [noon], afternoon: [in the afternoon], evening: [evening, in the evening], night: [at night, night], midnight: [midnight]}
  day_words: {today: [today], yesterday: [yesterday], tomorrow: [tomorrow], next_day: [next day, the next day], same_day: [same day], previous_day: [previous day]}
  units: {year: [year, years], month: [month, months], week: [week, weeks], day: [day, days], hour: [hour, hours, h, hr, hrs], minute: [minute, minutes, min, mins], second: [second, seconds, sec, s]}
  numbers: {1: [one], 2: [two], 3: [three], 5: [five], 9: [nine], 10: [ten]}
  clock: {before: [at, around], hour: ["o'clock", h], minute: [], second: []}
  ordinals: [st, nd, rd, th]
  range: {from: [from], to: [to, until, till, through], between: [between], and: [and]}
  about: [about, around, approximately, circa, ca]
  before: [until, by, before]
  after: [later, after, since]
  zones: {America/Los_Angeles: [pacific, pacific time], utc: [coordinated universal time]}
"#;

const OTHERS: [(&str, &str); 10] = [
    (
        "fr",
        r#"
dates: dmy
calendar:
  months: [[janvier, janv], [février, févr], [mars], [avril], [mai], [juin], [juillet, juil], [août], [septembre, sept], [octobre, oct], [novembre, nov], [décembre, déc]]
  weekdays: [[lundi], [mardi], [mercredi], [jeudi], [vendredi], [samedi], [dimanche]]
  parts: {morning: [du matin, matin], noon: [midi], evening: [du soir, soir], midnight: [minuit]}
  units: {hour: [heure, heures, h], minute: [minute, minutes, min], day: [jour, jours]}
  clock: {before: [à, vers], hour: [h, heures, heure], minute: [min]}
  ordinals: [er, e]
  range: {from: [de, entre], to: [à, au], between: [entre], and: [et]}
  zones: {America/Los_Angeles: [heure du pacifique, pacifique], Europe/Paris: [heure de paris]}
"#,
    ),
    (
        "de",
        r#"
dates: dmy
stop: [am, um]
calendar:
  months: [[januar, jan], [februar, feb], [märz], [april, apr], [mai], [juni], [juli], [august, aug], [september, sept], [oktober, okt], [november, nov], [dezember, dez]]
  weekdays: [[montag, mo], [dienstag, di], [mittwoch, mi], [donnerstag, do], [freitag, fr], [samstag, sa], [sonntag, so]]
  parts: {morning: [morgens], evening: [abends], night: [nachts], noon: [mittag], midnight: [mitternacht]}
  units: {hour: [stunde, stunden, h, std], minute: [minute, minuten, min]}
  clock: {before: [um, gegen], hour: [uhr]}
  range: {from: [von, ab], to: [bis], between: [zwischen], and: [und]}
  before: [bis]
"#,
    ),
    (
        "es",
        r#"
dates: dmy
stop: [de, la]
calendar:
  months: [[enero], [febrero], [marzo], [abril], [mayo], [junio], [julio], [agosto], [septiembre, sept], [octubre], [noviembre], [diciembre]]
  weekdays: [[lunes], [martes, mar], [miércoles], [jueves], [viernes], [sábado], [domingo]]
  parts: {am: [a.m., am], pm: [p.m., pm], morning: [de la mañana], afternoon: [de la tarde], night: [de la noche]}
  units: {hour: [hora, horas, h], minute: [minuto, minutos, min]}
  clock: {before: [a las, las], hour: [h, horas]}
  range: {from: [de, desde las], to: [a, hasta las, a las]}
"#,
    ),
    (
        "pt",
        r#"
dates: dmy
calendar:
  months: [[janeiro], [fevereiro], [março], [abril], [maio], [junho], [julho], [agosto], [setembro, set], [outubro, out], [novembro], [dezembro]]
  clock: {before: [às], hour: [h, horas]}
  units: {hour: [hora, horas, h], minute: [minuto, minutos, min], week: [semana]}
"#,
    ),
    (
        "hu",
        r#"
dates: ymd
calendar:
  months: [["január*", jan], ["február*", febr], ["március*", márc], ["április*", ápr], ["május*", máj], ["június*", jún], ["július*", júl], ["augusztus*", aug], ["szeptember*", szept], ["október*", okt], ["november*", nov], ["december*", dec]]
  weekdays: [[hétfő], [kedd], [szerda], [csütörtök], [péntek], [szombat], [vasárnap]]
  parts: {am: [de, délelőtt], pm: [du, délután], dawn: ["hajnal*"], morning: [reggel], evening: [este], midnight: [éjfél]}
  units: {hour: [óra, órán], minute: [perc, percen]}
  clock: {before: [], hour: [óra, órakor], minute: [perc, perckor]}
  ordinals: [-án, -én, -i, -ig, án, én, -a, -e]
  range: {from: [-tól, -től, tól, től], to: [-ig, ig]}
  zones: {Europe/Budapest: [magyar idő szerint]}
"#,
    ),
    (
        "mn",
        r#"
dates: ymd
calendar:
  months: [["нэгдүгээр сар*"], [], [], [], [], [], [], [], [], [], [], []]
  parts: {morning: [өглөө, өглөөний], evening: [орой, оройн], night: [шөнө, шөнийн]}
  clock: {hour: [цаг, цагт], minute: [минут, минутад]}
  units: {hour: [цаг, цагийн], minute: [минут, минутын]}
  date_words: {year: [оны, он], month: [р сарын, сарын], day: [өдөр, өдрийн]}
  ordinals: [-ны, -ний, -нд, -ны өдөр, нд, ны]
  range: {from: [-аас, -ээс, аас, ээс], to: [хүртэл]}
"#,
    ),
    (
        "ja",
        r#"
dates: ymd
matching: substring
calendar:
  months: [[1月], [2月], [3月], [4月], [5月], [6月], [7月], [8月], [9月], [10月], [11月], [12月]]
  weekdays: [[月曜日, (月)], [火曜日, (火)], [水曜日, (水)], [木曜日], [金曜日], [土曜日], [日曜日]]
  parts: {am: [午前], pm: [午後], dawn: [未明], noon: [正午]}
  day_words: {next_day: [翌日], same_day: [同日]}
  units: {day: [日, 日間], hour: [時間], minute: [分, 分間], second: [秒]}
  clock: {hour: [時], minute: [分], second: [秒]}
  date_words: {year: [年], month: [月], day: [日]}
  range: {from: [から], to: [まで], between: [の間], and: [と]}
  about: [頃, 約]
  before: [まで]
  after: [後]
  zones: {Asia/Tokyo: [日本時間]}
"#,
    ),
    (
        "zh",
        r#"
dates: ymd
matching: substring
calendar:
  months: [[一月], [二月], [三月], [四月], [五月], [六月], [七月], [八月], [九月], [十月], [十一月], [十二月]]
  weekdays: [[周一, 星期一], [周二], [周三], [周四], [周五], [周六], [周日]]
  parts: {am: [上午], pm: [下午], dawn: [凌晨], evening: [晚上], noon: [中午]}
  day_words: {next_day: [次日]}
  units: {day: [天], hour: [小时], minute: [分钟]}
  numbers: {30: [半]}
  clock: {hour: [点, 时], minute: [分], second: [秒]}
  date_words: {year: [年], month: [月], day: [日, 号]}
  range: {from: [从], to: [到, 至]}
  about: [约]
  zones: {Asia/Shanghai: [北京时间], America/Los_Angeles: [太平洋标准时间, 美国太平洋标准时间]}
"#,
    ),
    (
        "ko",
        r#"
dates: ymd
matching: substring
calendar:
  months: [[], [], [], [], [], [], [], [], [], [], [], []]
  weekdays: [[월요일], [화요일], [수요일], [목요일], [금요일], [토요일], [일요일]]
  parts: {am: [오전], pm: [오후]}
  units: {hour: [시간], minute: [분], day: [일]}
  clock: {hour: [시], minute: [분]}
  date_words: {year: [년], month: [월], day: [일]}
  range: {from: [부터], to: [까지]}
"#,
    ),
    (
        "ru",
        r#"
dates: dmy
calendar:
  months: [[января, январь], [февраля], [марта], [апреля], [мая], [июня, июнь], [июля], [августа], [сентября], [октября], [ноября], [декабря]]
  parts: {morning: [утра], evening: [вечера], night: [ночи]}
  units: {hour: [час, часа, часов], minute: [минута, минут, минуты]}
  clock: {before: [в], hour: [час, часов]}
  date_words: {year: [года, г]}
  range: {from: [с], to: [до, по]}
  zones: {Europe/Moscow: [мск, по московскому времени]}
"#,
    ),
];

/// A small lexicon of a language.
pub fn lexicon(tag: &str) -> Lexicon {
    let parse = |text: &str| crate::data::yaml::<File>("sample", text).unwrap();
    let english = parse(EN);
    if tag == "en" {
        return Lexicon::new(english.into(), None, &BTreeMap::new());
    }
    let yaml = OTHERS.iter().find(|(t, _)| *t == tag).unwrap().1;
    let mut file = parse(yaml);
    file.tag = tag.into();
    Lexicon::new(file.into(), Some(&english), &BTreeMap::new())
}

/// A document of a few kinds of lines: `# heading`, `- item`, `| cell | cell |` (the first row of a table is its head), else a paragraph; and
/// the role of each block by the lexicon's headings.
pub fn document(text: &str, lexicon: &Lexicon) -> (crate::document::Document, Vec<Option<crate::lang::Role>>) {
    use crate::document::{Block, Certainty, Kind};
    use crate::text::{Mapped, MappedBuilder, Source};
    let source = Source::new("x.txt", text.as_bytes().to_vec());
    let mut document = crate::document::parse(&Source::new("x.txt", Vec::new()));
    let (whole, mut at) = (source.text(), 0);
    for line in whole.as_str().split_inclusive('\n') {
        let text = whole.slice(at..at + line.len()).trim();
        if !text.is_empty() {
            document.blocks.push(Block { kind: Kind::Paragraph, span: text.whole(), text, marks: vec![], quote: 0, lang: None, gap: true });
        }
        at += line.len();
    }
    let (mut role, mut roles) = (None, Vec::new());
    let (mut table, mut in_table) = (0, false);
    for Block { kind, text, .. } in &mut document.blocks {
        let line = text.as_str().to_string();
        let is_row = line.starts_with('|');
        if let Some(rest) = line.strip_prefix("- ") {
            *kind = Kind::Item { depth: 0, ordered: false, check: None };
            *text = text.slice(line.len() - rest.len()..line.len());
        } else if line.starts_with('#') {
            let level = line.chars().take_while(|c| *c == '#').count();
            *kind = Kind::Heading { level: level as u8, certainty: Certainty::Certain };
            *text = text.slice(level..line.len()).trim();
            role = if level == 1 { None } else { lexicon.role(text.as_str()).map(|f| f.value).or(role.filter(|_| level > 2)) };
        } else if is_row {
            table += usize::from(!in_table);
            let mut at = 1;
            let mut cells: Vec<Mapped> = Vec::new();
            for cell in line[1..].trim_end_matches('|').split('|') {
                cells.push(text.slice(at..at + cell.len()).trim());
                at += cell.len() + 1;
            }
            let mut joined = MappedBuilder::default();
            for (n, cell) in cells.iter().enumerate() {
                if n > 0 {
                    joined.atom(" | ", cell.whole());
                }
                joined.piece(cell, 0..cell.len());
            }
            *text = joined.finish();
            *kind = Kind::Row { table, header: !in_table, cells };
        }
        in_table = is_row;
        roles.push(role);
    }
    (document, roles)
}
