//! A finished game as PGN, with Lichess' tags, the clocks and what our searches said.

use std::time::Duration;

use super::session::{GameReport, GameResult, Session};
use super::view;
use crate::chess::pgn::{self, PgnResult};
use crate::chess::{Color, Variant};
use crate::engine::{Score, ScoreKind};
use crate::lichess::{GameFull, Player};
use crate::printable::printable;

/// The game, if anything is known of it.
pub(crate) fn of(session: &Session, report: &GameReport, site: &str) -> Option<String> {
    let (seats, board) = (session.seats()?, session.board()?);
    let result = result(report, seats.us);
    let tags = tags(&seats.full, seats.variant, result, report, site);
    let notes = session.notes();
    let comment = |ply: usize| {
        let note = notes.get(&ply)?;
        let eval = note.score.map(|score| eval(score, seats.us));
        let clock = note.clock.filter(|_| seats.clocked).map(clock);
        let parts: Vec<String> = eval.into_iter().chain(clock).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    };
    Some(pgn::write(&tags, &board.history, result, comment))
}

fn result(report: &GameReport, us: Color) -> PgnResult {
    match report.result {
        GameResult::Win => PgnResult::of_winner(Some(us)),
        GameResult::Loss => PgnResult::of_winner(Some(!us)),
        GameResult::Draw => PgnResult::Draw,
        GameResult::Aborted | GameResult::Unknown => PgnResult::Unfinished,
    }
}

fn tags(
    full: &GameFull,
    variant: Variant,
    result: PgnResult,
    report: &GameReport,
    site: &str,
) -> Vec<(&'static str, String)> {
    let rated = if full.rated { "Rated" } else { "Casual" };
    let speed = full.speed.as_ref().map_or("correspondence", |speed| speed.as_str());
    let mut tags =
        vec![("Event", printable(&format!("{rated} {speed} game"))), ("Site", format!("{site}/{}", full.id))];
    let moment = full.created_at.map(|ms| date_and_time(ms / 1000));
    let (date, time) = moment.unwrap_or_else(|| ("????.??.??".to_owned(), "??:??:??".to_owned()));
    tags.push(("Date", date.clone()));
    tags.push(("White", printable(&view::name(&full.white))));
    tags.push(("Black", printable(&view::name(&full.black))));
    tags.push(("Result", result.as_str().to_owned()));
    tags.push(("UTCDate", date));
    tags.push(("UTCTime", time));
    player_tags(&mut tags, &full.white, "WhiteElo", "WhiteTitle");
    player_tags(&mut tags, &full.black, "BlackElo", "BlackTitle");
    if variant != Variant::Standard {
        tags.push(("Variant", variant.name().to_owned()));
    }
    let control =
        full.clock.map(|clock| format!("{}+{}", clock.initial.as_secs(), clock.increment.as_secs()));
    tags.push(("TimeControl", control.unwrap_or_else(|| "-".to_owned())));
    let status = report.status.as_ref().map_or("unknown", |status| status.as_str());
    tags.push(("Termination", printable(status)));
    tags
}

fn player_tags(
    tags: &mut Vec<(&'static str, String)>,
    player: &Player,
    elo: &'static str,
    title: &'static str,
) {
    if let Some(rating) = player.rating {
        tags.push((elo, rating.to_string()));
    }
    if let Some(name) = &player.title {
        tags.push((title, printable(name)));
    }
}

/// From White's side, as is usual in PGN.
fn eval(score: i32, us: Color) -> String {
    let sign = if us == Color::White { 1 } else { -1 };
    match Score::from_value(score).kind() {
        ScoreKind::Centipawns(cp) => format!("[%eval {:.2}]", f64::from(sign * cp) / 100.0),
        ScoreKind::Mate(moves) => format!("[%eval #{}]", sign * moves),
    }
}

fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Seconds since 1970 as date and time in UTC (Howard Hinnant's `civil_from_days`).
fn date_and_time(seconds: u64) -> (String, String) {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let date = format!("{year:04}.{month:02}.{day:02}");
    (date, format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lichess::Status;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_399, "2000.02.28", "23:59:59"),
            (951_782_400, "2000.02.29", "00:00:00"),
            (1_788_912_345, "2026.09.09", "00:05:45"),
        ] {
            assert_eq!(date_and_time(seconds), (date.to_owned(), time.to_owned()), "{seconds}");
        }
    }

    #[test]
    fn evaluations_are_written_from_whites_side() {
        assert_eq!(eval(31, Color::White), "[%eval 0.31]");
        assert_eq!(eval(31, Color::Black), "[%eval -0.31]");
        assert_eq!(eval(Score::mate_in(3).centipawns(), Color::Black), "[%eval #-2]");
    }

    #[test]
    fn b27_a_flag_without_a_winner_is_a_draw_in_the_record() {
        let of = |winner| {
            let status = Status::OutOfTime;
            let ended = GameResult::of(Some(&status), winner, Some(Color::White));
            result(&GameReport { status: Some(status), result: ended, plies: 80 }, Color::White)
        };
        assert_eq!(of(None).as_str(), "1/2-1/2");
        assert_eq!(of(Some(Color::Black)).as_str(), "0-1");
    }

    #[test]
    fn clocks_are_written_in_hours() {
        assert_eq!(clock(Duration::from_millis(3_723_400)), "[%clk 1:02:03]");
    }
}
