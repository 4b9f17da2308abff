//! Demo.

mod board;
mod clock;
mod scene;
mod screen;
