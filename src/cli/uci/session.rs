//! The loop: commands in, searches started and stopped, lines out.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::exit::Exit;
use super::command::{Command, OPTIONS, Setting};
use super::go::Go;
use crate::chess::{AnyPosition, CastlingSpelling, History, Move, Position, UciMove, Variant};
use crate::config::evaluation;
use crate::engine::{
    self, Bound, Limits, Pool, PoolOptions, SearchHandle, SearchInfo, SearchOutcome, SearchRequest,
};
use crate::ignore::Ignore as _;

/// Lines that may wait to be read; a program that sends more waits itself.
const WAITING_LINES: usize = 1024;

/// A stopped search answers within the pool's grace; longer than this means that it never will.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Speaks UCI until `quit` or the end of the input.
pub(crate) fn run() -> Exit {
    let (sender, lines) = sync_channel(WAITING_LINES);
    // The reader never ends by itself while the input is open; the end of the process ends it.
    let reader = thread::Builder::new().name("rookery-stdin".to_owned()).spawn(move || read(&sender));
    if let Err(error) = reader {
        say(&format!("info string error: cannot read: {error}"));
        return Exit::Failed;
    }
    Session::new().serve(&lines);
    Exit::Ok
}

/// Reads lines with the time of their arrival. Bytes that are no text become a bad command, not an end.
fn read(lines: &SyncSender<(Instant, String)>) {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    while let Ok(1..) = input.read_until(b'\n', &mut bytes) {
        let line = (Instant::now(), String::from_utf8_lossy(&bytes).into_owned());
        if lines.send(line).is_err() {
            return;
        }
        bytes.clear();
    }
}

/// Writes lines at once and whole, from whatever thread.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .ignore("a program that closed our output hears nothing more");
}

struct Session {
    pool: Pool,
    history: History,
    multipv: usize,
    overhead: Duration,
    chess960: bool,
    variant: Variant,
    search: Option<Running>,
}

/// The search that was started last.
struct Running {
    handle: SearchHandle,
    /// The limits that apply from the ponder hit on.
    limits: Limits,
    /// It answers only when told to.
    endless: bool,
    done: Arc<Done>,
}

/// Whether the answer was given.
#[derive(Default)]
struct Done {
    given: Mutex<bool>,
    changed: Condvar,
}

impl Done {
    fn set(&self) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits until the answer is given or `limit` is over.
    fn wait(&self, limit: Duration) {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_timeout_while(given, limit, |given| !*given));
    }
}

impl Session {
    fn new() -> Session {
        Session {
            pool: Pool::new(PoolOptions { threads: 1, hash_mib: 16, ..PoolOptions::default() }),
            history: History::new(Position::initial()),
            multipv: 1,
            overhead: Duration::from_millis(20),
            chess960: false,
            variant: Variant::Standard,
            search: None,
        }
    }

    fn serve(mut self, lines: &Receiver<(Instant, String)>) {
        while let Ok((arrived, line)) = lines.recv() {
            match Command::parse(&line, self.variant) {
                Ok(Command::Quit) => {
                    self.halt();
                    return;
                }
                Ok(command) => self.execute(command, arrived),
                Err(error) => say(&format!("info string error: {error}")),
            }
        }
        self.finish();
    }

    fn execute(&mut self, command: Command, arrived: Instant) {
        match command {
            Command::Uci => introduce(),
            Command::IsReady => say("readyok"),
            Command::NewGame => {
                self.halt();
                self.pool.clear();
            }
            Command::Position(history) => self.history = *history,
            Command::Go(go) => {
                self.halt();
                if let Err(error) = self.go(&go, arrived) {
                    say(&format!("info string error: {error}"));
                }
            }
            Command::SetOption(setting) => self.set(setting),
            Command::Stop => {
                if let Some(search) = &self.search {
                    search.handle.stop();
                }
            }
            Command::PonderHit => {
                if let Some(search) = &mut self.search {
                    search.endless = search.limits.infinite;
                    search.handle.ponder_hit(search.limits);
                }
            }
            Command::Display => self.display(),
            Command::Eval => {
                let evaluation = self.pool.options().evaluation;
                let score = engine::static_score(self.history.position(), &evaluation);
                say(&format!("info string static evaluation {score} ({evaluation})"));
            }
            Command::Nothing | Command::Quit => {}
        }
    }

    fn go(&mut self, go: &Go, arrived: Instant) -> Result<(), String> {
        let spelling = self.spelling();
        if let Some(depth) = go.perft {
            show_perft(self.history.position(), depth, spelling);
            return Ok(());
        }
        let limits = go.limits(&self.history, self.overhead);
        let request = SearchRequest {
            root_moves: go.root_moves(&self.history)?,
            multipv: self.multipv,
            since: arrived,
            ponder: go.ponder,
            ..SearchRequest::new(self.history.clone(), limits)
        };
        let done = Arc::new(Done::default());
        let on_done = {
            let done = Arc::clone(&done);
            move |outcome: SearchOutcome| {
                say(&best_move(&outcome, spelling));
                done.set();
            }
        };
        let handle = self.pool.start(request, move |info| say(&info_line(info, spelling)), on_done);
        self.search = Some(Running { handle, limits, endless: go.ponder || limits.infinite, done });
        Ok(())
    }

    /// King takes rook if the program asked for it, or if the usual spelling would be ambiguous.
    fn spelling(&self) -> CastlingSpelling {
        if self.chess960 || !self.history.position().has_standard_castling() {
            CastlingSpelling::KingTakesRook
        } else {
            CastlingSpelling::KingTwoSquares
        }
    }

    fn set(&mut self, setting: Setting) {
        let options = self.pool.options();
        match setting {
            Setting::HashMib(hash_mib) => self.renew(PoolOptions { hash_mib, ..options }),
            Setting::Threads(threads) => self.renew(PoolOptions { threads, ..options }),
            Setting::Network(name) => match evaluation(&name) {
                Ok(evaluation) => self.renew(PoolOptions { evaluation, ..options }),
                Err(why) => say(&format!("info string error: EvalFile {name}: {why}")),
            },
            Setting::MultiPv(multipv) => self.multipv = multipv,
            Setting::MoveOverhead(millis) => self.overhead = Duration::from_millis(millis),
            Setting::Chess960(on) => self.chess960 = on,
            Setting::Variant(variant) => {
                self.halt();
                self.variant = variant;
                self.history = History::new(variant.start(None).expect("because every variant has a start"));
            }
            Setting::Ponder => {}
            Setting::ClearHash => {
                self.halt();
                self.pool.clear();
            }
            Setting::Parameter(name, value) => {
                self.halt();
                for parameter in engine::parameters().iter().filter(|parameter| parameter.name == name) {
                    parameter.set(value);
                }
                // Some are built into the memory of the threads.
                self.pool = Pool::new(options);
            }
        }
    }

    fn renew(&mut self, options: PoolOptions) {
        self.halt();
        if options != self.pool.options() {
            // The old table goes before the new one comes: both might not fit.
            self.pool = Pool::new(PoolOptions { threads: 1, hash_mib: 1, ..PoolOptions::default() });
            let asked = options.hash_mib;
            self.pool = Pool::new(options);
            let hash_mib = self.pool.options().hash_mib;
            if hash_mib < asked {
                say(&format!("info string no memory for {asked} MiB of hash, using {hash_mib}"));
            }
        }
    }

    /// Stops the search, if one is running, and waits for its answer.
    fn halt(&mut self) {
        if let Some(search) = self.search.take() {
            search.handle.stop();
            search.done.wait(ANSWER_WITHIN);
        }
    }

    /// The input has ended without `quit`: a search that ends by itself may do so, since its answer was asked for.
    fn finish(mut self) {
        match self.search.take() {
            Some(search) if !search.endless => search.done.wait(Duration::MAX),
            search => {
                self.search = search;
                self.halt();
            }
        }
    }

    fn display(&self) {
        let position = self.history.position();
        say(&format!("info string fen {} key {:016x}", position.to_fen(), position.key()));
    }
}

fn introduce() {
    say(&format!("id name Rookery {}\nid author the Rookery developers", env!("CARGO_PKG_VERSION")));
    say(&OPTIONS.join("\n"));
    for parameter in engine::parameters() {
        let (name, default) = (parameter.name, parameter.default);
        say(&format!("option name {name} type spin default {default} min -1000000 max 1000000"));
    }
    say("uciok");
}

fn info_line(info: &SearchInfo, spelling: CastlingSpelling) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {} hashfull {} time {} pv",
        info.depth,
        info.seldepth,
        info.multipv,
        info.score,
        info.nodes,
        info.nps(),
        info.hashfull,
        info.elapsed.as_millis(),
    );
    for &mv in &info.pv {
        write!(line, " {}", UciMove::from_move(mv, spelling)).ignore("a string takes whatever is written");
    }
    line
}

fn best_move(outcome: &SearchOutcome, spelling: CastlingSpelling) -> String {
    let spell = |mv: Move| UciMove::from_move(mv, spelling).to_string();
    match (outcome.best, outcome.ponder) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), None) => format!("bestmove {}", spell(best)),
        (Some(best), Some(ponder)) => format!("bestmove {} ponder {}", spell(best), spell(ponder)),
    }
}

fn show_perft(position: &AnyPosition, depth: u32, spelling: CastlingSpelling) {
    let counts = if depth == 0 { Vec::new() } else { position.divide(depth) };
    for &(mv, nodes) in &counts {
        say(&format!("{}: {nodes}", UciMove::from_move(mv, spelling)));
    }
    let total = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum::<u64>() };
    say(&format!("\nNodes searched: {total}"));
}
