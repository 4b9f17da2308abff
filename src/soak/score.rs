//! What the server's book of games says of a run: results, losses that need not have been, and how long the bot took
//! for its moves. Pure.

use std::time::Duration;

use super::figures::Spread;
use super::report::{Report, Tally};
use crate::chess::Color;
use crate::sandbox::{GameSummary, Outage, recoveries};
use crate::simulation::{concerns, needless_loss, our_color};

/// Enters the games of the bot into the report. While it is dead it is cut off as by a fault.
pub(super) fn score(report: &mut Report, games: &[GameSummary], faults: &[Outage], kills: &[Outage]) {
    let outages: Vec<Outage> = faults.iter().chain(kills).cloned().collect();
    let (mut recovered, mut revived, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for game in games {
        if game.live {
            report.left.push(game.id.clone());
        } else {
            count(&mut report.games, game);
            report.needless.extend(needless_loss(game, &outages));
        }
        let white = our_color(game) == Color::White;
        let met: Vec<&Outage> = outages.iter().filter(|outage| concerns(outage, game)).collect();
        recovered.extend(recoveries(&game.turns, white, &met));
        revived.extend(revivals(&game.turns, white, kills, faults));
        let own = usize::from(!white);
        moves.extend(
            game.turns.windows(2).skip(own).step_by(2).skip(1).map(|turn| turn[1].saturating_sub(turn[0])),
        );
    }
    report.recoveries = Spread::of(recovered);
    report.after_kills = Spread::of(revived);
    report.moves = Spread::of(moves);
}

/// For each turn of the bot in which it was killed and after that met no more faults: from the new start to the move.
fn revivals(turns: &[Duration], white: bool, kills: &[Outage], faults: &[Outage]) -> Vec<Duration> {
    let turn = |turn: &[Duration]| {
        let last = |outages: &[Outage]| {
            outages.iter().map(|outage| outage.to).filter(|end| (turn[0]..turn[1]).contains(end)).max()
        };
        let alive = last(kills)?;
        last(faults).is_none_or(|fault| fault <= alive).then(|| turn[1].saturating_sub(alive))
    };
    turns.windows(2).skip(usize::from(!white)).step_by(2).filter_map(turn).collect()
}

fn count(tally: &mut Tally, game: &GameSummary) {
    let by = match game.winner {
        Some(winner) if winner == our_color(game) => &mut tally.won,
        Some(_) => &mut tally.lost,
        None if matches!(game.status, "aborted" | "noStart" | "autoAborted") => &mut tally.aborted,
        None => &mut tally.drawn,
    };
    *by.entry(game.status).or_default() += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;
    use crate::simulation::BOT;

    fn seconds(list: &[u64]) -> Vec<Duration> {
        list.iter().map(|seconds| Duration::from_secs(*seconds)).collect()
    }

    /// A game that the bot plays with White, of which each turn began at a second.
    fn game(status: &'static str, winner: Option<Color>, turns: &[u64], ended: u64) -> GameSummary {
        let turns = seconds(turns);
        GameSummary {
            id: "abcd1234".to_owned(),
            white: BOT.to_owned(),
            black: "rival0".to_owned(),
            variant: Variant::Standard,
            status,
            live: false,
            winner,
            plies: turns.len() - 1,
            turn: if turns.len() % 2 == 1 { Color::White } else { Color::Black },
            turn_since: turns[turns.len() - 1],
            ended: Some(Duration::from_secs(ended)),
            turns,
            illegal_moves: [0; 2],
        }
    }

    fn outage(from: u64, to: u64) -> Outage {
        let [from, to] = [from, to].map(Duration::from_secs);
        Outage { account: Some(BOT.to_owned()), game: None, from, to }
    }

    fn scored(games: &[GameSummary], faults: &[Outage], kills: &[Outage]) -> Report {
        let mut report = Report::default();
        score(&mut report, games, faults, kills);
        report
    }

    #[test]
    fn games_are_counted_by_result_and_word() {
        use Color::{Black, White};
        let games = [
            game("mate", Some(White), &[0], 1),
            game("mate", Some(White), &[0], 1),
            game("resign", Some(Black), &[0], 1),
            game("stalemate", None, &[0], 1),
            game("aborted", None, &[0], 1),
            game("noStart", None, &[0], 1),
        ];
        let tally = scored(&games, &[], &[]).games;
        assert_eq!(tally.games(), 6);
        assert_eq!(tally.won.get("mate"), Some(&2));
        assert_eq!(tally.lost.get("resign"), Some(&1));
        assert_eq!(tally.drawn.get("stalemate"), Some(&1));
        assert_eq!(tally.aborted.len(), 2);
    }

    #[test]
    fn a_flag_is_blamed_on_the_bot_if_it_was_alive_and_connected() {
        let lost = [game("outoftime", Some(Color::Black), &[0, 1, 2], 62)];
        assert_eq!(scored(&lost, &[], &[]).needless.len(), 1);
        assert_eq!(scored(&lost, &[outage(2, 30)], &[outage(30, 59)]).needless, [] as [String; 0]);
        assert_eq!(scored(&lost, &[outage(2, 30)], &[]).needless.len(), 1);
    }

    #[test]
    fn recoveries_and_waits_are_of_the_bots_turns() {
        let games = [game("mate", Some(Color::White), &[0, 9, 10, 14, 20, 21], 21)];
        let report = scored(&games, &[outage(10, 11), outage(15, 16)], &[outage(0, 3)]);
        assert_eq!(report.recoveries.sorted(), seconds(&[3, 6]));
        assert_eq!(report.after_kills.sorted(), seconds(&[6]));
        assert_eq!(report.moves.sorted(), seconds(&[1, 4]), "without the first move");
        let report = scored(&games, &[outage(2, 5)], &[outage(0, 3)]);
        assert_eq!(report.after_kills.sorted(), [Duration::ZERO; 0], "the bot was back before the server");
    }

    #[test]
    fn a_game_that_goes_on_is_named() {
        let games = [GameSummary { live: true, ended: None, ..game("started", None, &[0, 1], 0) }];
        let report = scored(&games, &[], &[]);
        assert_eq!((report.left, report.games.games()), (vec!["abcd1234".to_owned()], 0));
    }
}
