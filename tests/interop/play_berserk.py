#!/usr/bin/env python3
"""Plays a bot through a client library that is not ours, by laws of chess that are not ours.

Logs in to a server (a `rookery sandbox`, mostly) with the client `berserk`, challenges an opponent, plays moves that
python-chess chooses to the end, downloads the PGN, replays it in python-chess, and compares moves and result with what
the stream said. Exits with 1 and a message when anything differs.

    python3 -m venv venv && venv/bin/pip install -r tests/interop/requirements.txt
    rookery sandbox --port 8080 --no-limits &
    ROOKERY_TOKEN=tok_bot rookery run --set lichess.url=http://127.0.0.1:8080 &
    venv/bin/python tests/interop/play_berserk.py --url http://127.0.0.1:8080 --token tok_rival --opponent sandbox-bot

With --level N it plays the opponent that the sandbox lends instead, which needs no second bot. Its own account may be a
bot or a human; the moves go through the interface that fits.
"""

import argparse
import io
import random
import signal
import sys

import berserk
import chess
import chess.pgn
import chess.variant

# The variants by the server's keys, with python-chess' laws for each.
BOARDS = {
    "standard": chess.Board,
    "chess960": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "antichess": chess.variant.AntichessBoard,
    "atomic": chess.variant.AtomicBoard,
    "horde": chess.variant.HordeBoard,
    "kingOfTheHill": chess.variant.KingOfTheHillBoard,
    "racingKings": chess.variant.RacingKingsBoard,
    "threeCheck": chess.variant.ThreeCheckBoard,
}
# Where the server draws closed positions that python-chess plays on in.
CLOSED_POSITIONS_DRAW = ("antichess", "atomic", "horde")


class Failure(Exception):
    """Something that must not be."""


def expect(condition, text):
    if not condition:
        raise Failure(text)


class Session(berserk.TokenSession):
    """A session whose every wait ends: a stream sends a blank line every few seconds, an answer comes at once."""

    def request(self, *args, **kwargs):
        kwargs.setdefault("timeout", (5, 60))
        return super().request(*args, **kwargs)


def choose(board, chance):
    """A win if there is one, else mostly a capture or a promotion, else anything; to get games that end."""
    moves = list(board.legal_moves)
    for move in moves:
        mover = board.turn
        board.push(move)
        outcome = board.outcome()
        board.pop()
        if outcome and outcome.winner == mover:
            return move
    sharp = [move for move in moves if board.is_capture(move) or move.promotion]
    return chance.choice(sharp if sharp and chance.random() < 0.8 else moves)


def start_board(full):
    fen, key = full["initialFen"], full["variant"]["key"]
    board = BOARDS[key]
    return board(board.starting_fen if fen == "startpos" else fen, chess960=key == "chess960")


def replayed(full, moves):
    board = start_board(full)
    for text in moves.split():
        board.push_uci(text)  # raises on an illegal move
    return board


def side_of(full, account):
    for name, color in (("white", chess.WHITE), ("black", chess.BLACK)):
        if full[name].get("id") == account["id"]:
            return color
    raise Failure(f"neither side is {account['id']}: {full}")


def wait_for_game(client, challenge_id):
    for event in client.bots.stream_incoming_events():
        if event["type"] == "gameStart" and event["game"]["gameId"] == challenge_id:
            return event["game"]["gameId"]
        if event["type"] == "challengeDeclined" and event["challenge"]["id"] == challenge_id:
            raise Failure(f"declined: {event['challenge'].get('declineReason')}")
    raise Failure("the event stream ended before the game began")


def begin(client, args, variant):
    form = {"clock_limit": args.clock_limit, "clock_increment": args.increment, "variant": variant}
    if args.level is not None:
        return client.challenges.create_ai(level=args.level, **form)["id"]
    challenge = client.challenges.create(args.opponent, rated=False, **form)
    return wait_for_game(client, challenge["id"])


def play(client, account, game_id, chance):
    """Plays to the end; the first line of the stream and the final state."""
    api = client.bots if account.get("title") == "BOT" else client.board
    full, state, answered = None, None, -1
    for line in api.stream_game_state(game_id):
        if line["type"] == "gameFull":
            full, state = line, line["state"]
        elif line["type"] == "gameState":
            state = line
        else:
            continue
        if state["status"] != "started":
            continue
        board = replayed(full, state["moves"])
        ply = len(board.move_stack)
        if board.turn == side_of(full, account) and ply != answered:
            answered = ply
            try:
                api.make_move(game_id, board.uci(choose(board, chance)))
            except berserk.exceptions.ResponseError as error:
                # The clock may have run out meanwhile: then the stream says so.
                print(f"  move refused: {error}", file=sys.stderr)
    expect(full is not None, "the game stream ended before its first line")
    expect(state["status"] not in ("created", "started"), f"the stream ended in a running game: {state}")
    return full, state


RESULTS = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}


def check(client, game_id, full, state):
    board = replayed(full, state["moves"])
    status, winner = state["status"], state.get("winner")
    mate = board.is_checkmate() and not board.is_variant_end()
    expect(status != "mate" or board.is_checkmate(), f"no mate for python-chess: {board.fen()}")
    expect(status == "mate" or not mate, f"mate for python-chess, but status {status}")
    # python-chess calls only the loss of all pieces an end of antichess, but a stalemate a win, too.
    expect(status != "variantEnd" or board.outcome(), f"no end for python-chess: {board.fen()}")
    if status in ("mate", "variantEnd"):
        names = {chess.WHITE: "white", chess.BLACK: "black", None: None}
        expect(names[board.outcome().winner] == winner, f"python-chess sees another winner than {winner}")
    expect(status != "stalemate" or board.is_stalemate(), f"no stalemate for python-chess: {board.fen()}")
    if status == "draw":
        drawn = board.is_insufficient_material() or board.is_fifty_moves() or board.is_repetition(3)
        drawn = drawn or board.is_variant_draw() or full["variant"]["key"] in CLOSED_POSITIONS_DRAW
        expect(drawn or len(board.move_stack) >= 600, f"no draw for python-chess: {board.fen()}")

    text = client.games.export(game_id, as_pgn=True)
    game = chess.pgn.read_game(io.StringIO(text))
    expect(game is not None and not game.errors, f"python-chess cannot read the PGN:\n{text}")
    expect(game.board().fen() == start_board(full).fen(), f"another start in the PGN:\n{text}")
    ours = [move.uci() for move in board.move_stack]
    theirs = [move.uci() for move in game.mainline_moves()]
    expect(ours == theirs, f"the PGN has other moves than the stream:\n{ours}\n{theirs}")
    result = "*" if status == "aborted" else RESULTS[winner]
    expect(game.headers["Result"] == result, f"the PGN says {game.headers['Result']}, expected {result}")

    summary = client.games.export(game_id)
    expect(summary["status"] == status, f"the export says {summary['status']}, the stream {status}")
    expect(summary.get("winner") == winner, f"the export says {summary.get('winner')} won, the stream {winner}")
    return result


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--url", required=True, help="address of the server")
    parser.add_argument("--token", required=True, help="token of the account that plays for python-chess")
    opponent = parser.add_mutually_exclusive_group(required=True)
    opponent.add_argument("--opponent", help="name of the bot to challenge")
    opponent.add_argument("--level", type=int, help="play the lent opponent of this level, 1 to 8")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--clock-limit", type=int, default=60, help="seconds")
    parser.add_argument("--increment", type=int, default=1, help="seconds")
    parser.add_argument("--variant", choices=BOARDS, default="standard")
    parser.add_argument("--seed", type=int, default=1, help="of the moves of python-chess")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for all games together")
    return parser.parse_args()


def out_of_time(_signal, _frame):
    raise Failure("the games took too long")


def main():
    args = arguments()
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(args.timeout)
    client = berserk.Client(session=Session(args.token), base_url=args.url)
    account = client.account.get()
    chance = random.Random(args.seed)
    for number in range(1, args.games + 1):
        game_id = begin(client, args, args.variant)
        full, state = play(client, account, game_id, chance)
        result = check(client, game_id, full, state)
        plies = len(state["moves"].split())
        print(f"game {number} {game_id}: {result} by {state['status']} after {plies} plies, PGN agrees")


if __name__ == "__main__":
    try:
        main()
    except (Failure, ValueError, berserk.exceptions.BerserkError) as error:
        print(f"play_berserk: {type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
