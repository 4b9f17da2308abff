#!/usr/bin/env bash
# From nothing to a network: plays games, trains on them, plays on with what was learnt, as a recipe says line by line.
#
#     nets/make.sh RECIPE DIRECTORY [BOOK]
#
# A line of a recipe is one of
#
#     games NAME TEACHER OPTIONS     games by this teacher (hand-made, or a network above) into NAME.rkg
#     net   NAME GAMES OPTIONS       a network of these files of games (names with commas) into NAME.rknn
#
# with the options of `rookery datagen` and `rookery train`. The last network is the outcome. What is there already is
# kept, and what was interrupted goes on. Games begin in positions of BOOK too, where one is given.
# ROOKERY names another binary than that of the release build.
set -euo pipefail
if (($# < 2)); then
    echo "usage: nets/make.sh RECIPE DIRECTORY [BOOK]" >&2
    exit 2
fi
recipe=$1 work=$2
book=(${3:+--book "$3"})
if [[ -z ${ROOKERY:-} ]]; then
    root=$(cd "$(dirname "$0")/.." && pwd)
    cargo build --locked --release --manifest-path "$root/Cargo.toml"
    ROOKERY=$root/target/release/rookery
fi
mkdir -p "$work"

while read -r kind name from options; do
    read -ra options <<<"$options"
    case $kind in
    '' | '#'*) continue ;;
    games)
        [[ $from == hand-made ]] || from=$work/$from.rknn
        "$ROOKERY" datagen --out "$work/$name.rkg" --evaluation "$from" "${book[@]}" "${options[@]}"
        "$ROOKERY" data stats "$work/$name.rkg"
        ;;
    net)
        out=$work/$name.rknn
        if [[ ! -f $out ]]; then
            IFS=, read -ra games <<<"$from"
            games=("${games[@]/#/$work/}")
            "$ROOKERY" train --out "$out" --plot "$work/$name.svg" "${options[@]}" "${games[@]/%/.rkg}"
        fi
        ;;
    *)
        echo "$recipe: \"$kind\", expected games or net" >&2
        exit 2
        ;;
    esac
done <"$recipe"
sha256sum "$work"/*.rkg "$work"/*.rknn
