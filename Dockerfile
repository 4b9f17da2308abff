# A small image with the one binary. It runs as nobody in particular, on a read-only root if you like:
#
#   docker build -t rookery .
#   docker run --rm --read-only rookery demo --plain
#   docker run --rm --read-only -e ROOKERY_TOKEN -v rookery-records:/records rookery run
#
# The entry point is in exec form, so that SIGTERM of `docker stop` reaches the bot, which then finishes its
# games: give it time with `docker stop --time 600`.

FROM rust:1-slim-bookworm AS build
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY config ./config
COPY src ./src
COPY nets ./nets
# The test target must exist for the manifest to be read; its sources need not be here.
RUN mkdir -p tests/it && echo '//! Not built here.' > tests/it/main.rs \
    && cargo build --locked --release --bin rookery \
    && mkdir /records

FROM debian:bookworm-slim
COPY --from=build /src/target/release/rookery /usr/local/bin/rookery
COPY --from=build --chown=10001:10001 /records /records
COPY LICENSE /usr/share/doc/rookery/LICENSE
# The bot writes nothing but its recordings; certificates of the public authorities are compiled in.
ENV ROOKERY__RECORD__DIR=/records ROOKERY__HEALTH__LISTEN=127.0.0.1:8474
# Whether `run` hears its server; other commands tell nothing about it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8474 && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
VOLUME /records
WORKDIR /records
USER 10001:10001
ENTRYPOINT ["/usr/local/bin/rookery"]
CMD ["--help"]
