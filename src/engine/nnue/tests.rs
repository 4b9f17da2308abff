//! What the network promises: layers brought up to date are those made anew, colours do not matter, and files say what is
//! wrong with them.

use super::features::MOST_BUCKETS;
use super::file::NetworkError;
use super::kernel::{Block, Kernel};
use super::network::MOST_WEIGHT;
use super::*;
use crate::chess::{Color, Position};
use crate::random::Random;

/// Shapes with everything that a shape can have.
fn shapes() -> Vec<Architecture> {
    let mut king_buckets = [0; 64];
    king_buckets.iter_mut().enumerate().for_each(|(square, set)| *set = (square / 8) as u8);
    let plain = Architecture::plain(64);
    vec![
        Architecture { mirrored: true, ..plain.clone() },
        Architecture { king_buckets, outputs: 8, ..plain.clone() },
        Architecture { mirrored: true, king_buckets, outputs: 3, ..Architecture::plain(32) },
        plain,
    ]
}

fn network(architecture: Architecture, seed: u64) -> Network {
    let mut random = Random::new(seed, 0);
    let mut blocks = |count: usize, most: i16| {
        let mut block = || Block(std::array::from_fn(|_| random.below(2 * most as usize + 1) as i16 - most));
        (0..count).map(|_| block()).collect::<Box<[Block]>>()
    };
    let width = architecture.hidden / Block::LEN;
    let columns = blocks(architecture.features() * width, 60);
    let biases = blocks(width, 200);
    let weights = blocks(2 * width * architecture.outputs, MOST_WEIGHT);
    let outputs = (0..architecture.outputs as i32).map(|output| 1000 * output - 700).collect();
    Network::new(architecture, columns, biases, weights, outputs)
}

/// The value by the definition: all features of both sides, one after the other.
fn expected(network: &Network, position: &Position) -> i32 {
    let mut layers = [Color::White, Color::Black].map(|side| {
        let view = network.architecture.view(position.king(side), side);
        let mut layer = network.biases.to_vec();
        for square in position.occupied() {
            let piece = position.piece_at(square).unwrap();
            let column = network.column(view.feature(piece.color, piece.role, square));
            for (block, column) in layer.iter_mut().zip(column) {
                for (value, column) in block.0.iter_mut().zip(column.0) {
                    *value = value.wrapping_add(column);
                }
            }
        }
        layer
    });
    if position.turn() == Color::Black {
        layers.reverse();
    }
    network.value(&layers[0], &layers[1], position.occupied().count() as usize)
}

#[test]
fn layers_brought_up_to_date_are_those_made_anew() {
    for (number, architecture) in shapes().into_iter().enumerate() {
        let network = network(architecture, number as u64);
        let mut accumulators = Accumulators::new(&network);
        let mut random = Random::new(11, number as u64);
        let (mut asked, mut different) = (0, std::collections::HashSet::new());
        for game in 0..60 {
            let start =
                if game % 2 == 0 { Position::initial() } else { Position::chess960(game * 13).unwrap() };
            // A line that goes on and back, and is not asked for a value everywhere, as a search does.
            let mut line = vec![start];
            for _ in 0..150 {
                let position = &line[line.len() - 1];
                match random.choose(&position.legal_moves()) {
                    Some(mv) if line.len() < 100 && random.percent(80) => line.push(position.after(mv)),
                    _ if line.len() > 1 => drop(line.pop()),
                    _ => break,
                }
                let position = &line[line.len() - 1];
                if random.percent(70) {
                    let value = accumulators.evaluate(&network, position, line.len() - 1);
                    assert_eq!(value, expected(&network, position), "{}", position.to_fen());
                    asked += 1;
                    different.insert(value);
                }
            }
        }
        assert!(asked > 3000 && different.len() > 1000, "{asked} {}", different.len());
    }
}

/// The position with colours and ranks exchanged.
fn turned(position: &Position) -> Position {
    let fen = position.to_fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect()
    };
    fields[0] = swap(&fields[0]).split('/').rev().collect::<Vec<_>>().join("/");
    fields[1] = if fields[1] == "w" { "b".to_owned() } else { "w".to_owned() };
    fields[2] = swap(&fields[2]);
    fields[3] = fields[3].replace('3', "x").replace('6', "3").replace('x', "6");
    Position::from_fen(&fields.join(" ")).unwrap()
}

#[test]
fn colours_do_not_matter() {
    for architecture in shapes() {
        let network = network(architecture, 5);
        let mut accumulators = Accumulators::new(&network);
        let mut random = Random::new(12, 0);
        let mut position = Position::initial();
        for _ in 0..120 {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            position.play(mv);
            let here = accumulators.evaluate(&network, &position, 3);
            let there = accumulators.evaluate(&network, &turned(&position), 3);
            assert_eq!(here, there, "{}", position.to_fen());
        }
    }
}

#[test]
fn every_kernel_gives_the_same_values() {
    let mut values = Vec::new();
    for kernel in Kernel::available() {
        let mut network = network(shapes().remove(2), 6);
        network.kernel = kernel;
        let mut accumulators = Accumulators::new(&network);
        let mut random = Random::new(13, 0);
        let mut position = Position::initial();
        let mut of_kernel = Vec::new();
        for ply in 0..100 {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            position.play(mv);
            of_kernel.push(accumulators.evaluate(&network, &position, ply));
        }
        values.push(of_kernel);
    }
    assert!(values.windows(2).all(|pair| pair[0] == pair[1]), "{values:?}");
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for (seed, architecture) in shapes().into_iter().enumerate() {
        let network = network(architecture, seed as u64);
        let bytes = network.write();
        let read = match Network::read(&bytes) {
            Ok(read) => read,
            // The weights at random are too large for some.
            Err(error) => panic!("{error}"),
        };
        assert_eq!(read.architecture, network.architecture);
        assert_eq!((&read.columns, &read.biases), (&network.columns, &network.biases));
        assert_eq!((&read.weights, &read.output_biases), (&network.weights, &network.output_biases));
        assert_eq!((read.hash(), read.write()), (network.hash(), bytes));
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let good = network(Architecture::plain(32), 1).write();
    let says = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        Network::read(&bytes).unwrap_err().to_string()
    };
    let set = |at: usize, value: u8| move |bytes: &mut Vec<u8>| bytes[at] = value;
    for (text, expected) in [
        (says(&|bytes| bytes.clear()), "no network: it does not begin with RKNNUE"),
        (says(&set(0, b'X')), "no network"),
        (says(&|bytes| bytes.truncate(50)), "50 bytes, expected 120"),
        (says(&|bytes| bytes.truncate(bytes.len() - 1)), "the file is cut off"),
        (says(&|bytes| bytes.push(0)), "the file is cut off, or belongs to another program"),
        (says(&set(8, 2)), "version 2 of the format, expected 1"),
        (says(&set(12, 33)), "hidden values is 33, expected a multiple of 32"),
        (says(&set(16, 254)), "1.0 of the hidden layer is 254, expected 255"),
        (says(&set(18, 63)), "1.0 of the output's weights is 63, expected 64"),
        (says(&set(20, 0)), "centipawns of 1.0 is 256, expected 400"),
        (says(&set(22, 2)), "mirrored is 2, expected 0 or 1"),
        (says(&set(23, 0)), "outputs is 0, expected 1 to 32"),
        (says(&set(24, MOST_BUCKETS as u8)), "the number of a set of features is 32, expected 0 to 31"),
        (says(&set(130, 0x55)), "the numbers are damaged"),
        (says(&set(90, 0x55)), "the numbers are damaged"),
    ] {
        assert!(text.contains(expected), "{text}, expected {expected}");
    }
}

#[test]
fn weights_that_the_arithmetic_has_no_room_for_are_refused() {
    let mut network = network(Architecture::plain(512), 1);
    for block in &mut network.weights {
        block.0.fill(MOST_WEIGHT);
    }
    network.hash = network.payload_hash();
    assert_eq!(Network::read(&network.write()).unwrap_err(), NetworkError::Weights { output: 0 });
    for block in &mut network.weights {
        block.0.fill(0);
    }
    network.weights[3].0[3] = -MOST_WEIGHT - 1;
    network.hash = network.payload_hash();
    assert_eq!(Network::read(&network.write()).unwrap_err(), NetworkError::Weights { output: 0 });
}

#[test]
fn the_embedded_network_knows_what_pieces_are_worth() {
    let network = Network::embedded();
    let mut accumulators = Accumulators::new(&network);
    let mut value = |fen: &str| accumulators.evaluate(&network, &Position::from_fen(fen).unwrap(), 0);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!((0..=150).contains(&value(start)), "{}", value(start));
    for (fen, least) in [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 500),
        ("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1", 250),
        ("r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 150),
        ("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 30),
    ] {
        assert!(value(fen) > least, "{fen} {}", value(fen));
    }
}
