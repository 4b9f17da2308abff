//! The sandbox over real HTTP. The client here is written by hand and shares nothing with `rookery::lichess`.

mod socket;
mod support;

mod accounts;
mod arbiter;
mod challenges;
mod endings;
mod events;
mod exports;
mod faults;
mod faults_control;
mod faults_streams;
mod games;
mod offers;
mod opponents;
mod presence;
mod scripts;
mod scripts_games;
