//! Swiss pairing, simply: equals play equals, nobody plays anybody twice, colours even out, and an odd player rests
//! for a point. Pure; it is not FIDE's Dutch system, whose rules about floaters and absolute colours it leaves out.

use crate::chess::Color;

/// A player before a round. The table is in order: the best first.
#[derive(Clone, Debug, Default)]
pub(super) struct Entrant {
    /// Twice the score.
    pub(super) half_points: u32,
    /// Places in the table of those that this one has played.
    pub(super) opponents: Vec<usize>,
    /// The colours of the games, the latest last.
    pub(super) colors: Vec<Color>,
    /// Whether this one has rested already.
    pub(super) has_rested: bool,
}

/// The games of a round, by places in the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    /// White and Black of each game.
    pub(super) pairs: Vec<[usize; 2]>,
    /// Who rests.
    pub(super) rests: Option<usize>,
}

/// How many pairs are tried before a round counts as impossible.
const MOST_TRIES: usize = 100_000;

/// The next round; none if it would need a game that has been played, or a second rest.
pub(super) fn pair(table: &[Entrant]) -> Option<Round> {
    let everybody: Vec<usize> = (0..table.len()).collect();
    if table.len() < 2 {
        return None;
    }
    if table.len().is_multiple_of(2) {
        return matched(table, everybody).map(|pairs| Round { pairs, rests: None });
    }
    let resting = everybody.iter().rev().filter(|&&place| !table[place].has_rested);
    resting.copied().find_map(|rests| {
        let others = everybody.iter().copied().filter(|&place| place != rests).collect();
        matched(table, others).map(|pairs| Round { pairs, rests: Some(rests) })
    })
}

fn matched(table: &[Entrant], places: Vec<usize>) -> Option<Vec<[usize; 2]>> {
    let mut tries = MOST_TRIES;
    let mut pairs = Vec::new();
    let found = match_up(table, &places, &mut pairs, &mut tries);
    found.then(|| {
        let coloured = pairs.into_iter().enumerate();
        coloured.map(|(board, pair)| with_colors(table, pair, board)).collect()
    })
}

/// Pairs the first of `places` with the best opponent that leaves the others a pairing.
fn match_up(table: &[Entrant], places: &[usize], pairs: &mut Vec<[usize; 2]>, tries: &mut usize) -> bool {
    let Some((&first, others)) = places.split_first() else {
        return true;
    };
    for opponent in by_preference(table, first, others) {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        if table[first].opponents.contains(&opponent) {
            continue;
        }
        pairs.push([first, opponent]);
        let left: Vec<usize> = others.iter().copied().filter(|&place| place != opponent).collect();
        if match_up(table, &left, pairs, tries) {
            return true;
        }
        pairs.pop();
    }
    false
}

/// Opponents for `first`: in its score group the middle of the group and on downwards, then on upwards from there;
/// then the groups below in their order.
fn by_preference(table: &[Entrant], first: usize, others: &[usize]) -> Vec<usize> {
    let score = table[first].half_points;
    let group = others.iter().take_while(|&&place| table[place].half_points == score).count();
    let (equals, below) = others.split_at(group);
    let (upper, lower) = equals.split_at(group / 2);
    lower.iter().chain(upper.iter().rev()).chain(below).copied().collect()
}

/// White for who had it less often, else for who had Black last, else by turns from board to board.
fn with_colors(table: &[Entrant], [first, second]: [usize; 2], board: usize) -> [usize; 2] {
    let balance = |place: usize| {
        let colors = &table[place].colors;
        let whites = colors.iter().filter(|&&color| color == Color::White).count();
        let last_was_white = colors.last() == Some(&Color::White);
        (2 * whites as i64 - colors.len() as i64, last_was_white)
    };
    let swapped = match balance(first).cmp(&balance(second)) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => board % 2 == 1,
    };
    if swapped { [second, first] } else { [first, second] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays rounds in which the better place wins, and checks every round. The table after them.
    fn tournament(players: usize, rounds: usize) -> Vec<Entrant> {
        let mut table = vec![Entrant::default(); players];
        for _ in 0..rounds {
            let mut order: Vec<usize> = (0..players).collect();
            order.sort_by_key(|&player| (std::cmp::Reverse(table[player].half_points), player));
            let place_of = |player: usize| order.iter().position(|&other| other == player).unwrap();
            let sorted: Vec<Entrant> = order
                .iter()
                .map(|&player| {
                    let opponents = table[player].opponents.iter().map(|&other| place_of(other)).collect();
                    Entrant { opponents, ..table[player].clone() }
                })
                .collect();
            let round = pair(&sorted).unwrap();
            for pair in &round.pairs {
                let [white, black] = pair.map(|place| order[place]);
                assert!(!table[white].opponents.contains(&black), "{white} and {black} again");
                table[white].opponents.push(black);
                table[black].opponents.push(white);
                table[white].colors.push(Color::White);
                table[black].colors.push(Color::Black);
                table[white.min(black)].half_points += 2;
            }
            if let Some(place) = round.rests {
                let rests = &mut table[order[place]];
                assert!(!rests.has_rested);
                rests.has_rested = true;
                rests.half_points += 2;
            }
            let busy = round.pairs.len() * 2 + usize::from(round.rests.is_some());
            assert_eq!(busy, players, "everybody has a game or rests");
        }
        table
    }

    #[test]
    fn the_upper_half_begins_against_the_lower() {
        let round = pair(&vec![Entrant::default(); 6]).unwrap();
        assert_eq!(round.pairs, [[0, 3], [4, 1], [2, 5]]);
        assert_eq!(pair(&vec![Entrant::default(); 5]).unwrap().rests, Some(4));
        assert_eq!(pair(&[Entrant::default()]), None);
    }

    #[test]
    fn nobody_plays_twice_and_colours_even_out() {
        for (players, rounds) in [(6, 5), (8, 5), (9, 5), (16, 7), (5, 4)] {
            for entrant in tournament(players, rounds) {
                let whites = entrant.colors.iter().filter(|&&color| color == Color::White).count();
                let blacks = entrant.colors.len() - whites;
                assert!(whites.abs_diff(blacks) <= 3, "{players} players: {entrant:?}");
            }
        }
    }

    #[test]
    fn the_best_of_eight_is_known_after_three_rounds() {
        let scores: Vec<u32> = tournament(8, 3).iter().map(|entrant| entrant.half_points).collect();
        assert_eq!(scores.iter().filter(|&&score| score == 6).count(), 1, "{scores:?}");
        assert_eq!(scores[0], 6);
    }

    #[test]
    fn a_round_that_is_not_possible_is_none() {
        let met = |other: usize| Entrant { opponents: vec![other], ..Entrant::default() };
        assert_eq!(pair(&[met(1), met(0)]), None);
        let rested = Entrant { has_rested: true, ..Entrant::default() };
        assert_eq!(pair(&[rested.clone(), rested.clone(), rested]), None);
    }
}
