//! The two HTTP clients, and whom they trust.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Certificate, ClientBuilder, Url};
use rustls::crypto::CryptoProvider;
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use super::{ApiError, ClientOptions};
use crate::ignore::Ignore;

/// How often a quiet HTTP/2 connection is asked whether it lives, and how long the answer may take. A connection
/// that died unnoticed would cost the next move its whole time limit.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_TIMEOUT: Duration = Duration::from_secs(5);

/// For commands.
pub(crate) fn commands(options: &ClientOptions, base: &Url) -> Result<reqwest::Client, ApiError> {
    let builder = builder(options, base)?
        .http2_keep_alive_interval(PING_EVERY)
        .http2_keep_alive_timeout(PING_TIMEOUT)
        .http2_keep_alive_while_idle(true);
    build(builder)
}

/// For streams, which live for hours and must not share a connection with anything.
pub(crate) fn streams(options: &ClientOptions, base: &Url) -> Result<reqwest::Client, ApiError> {
    build(builder(options, base)?.http1_only().pool_max_idle_per_host(0))
}

fn builder(options: &ClientOptions, base: &Url) -> Result<ClientBuilder, ApiError> {
    CryptoProvider::install_default(rustls::crypto::ring::default_provider())
        .ignore("somebody chose a provider for this process before: that one serves as well");
    let builder = reqwest::Client::builder()
        .redirect(Policy::none())
        .connect_timeout(options.connect_timeout)
        .tcp_nodelay(true)
        .referer(false);
    if base.scheme() == "http" {
        // The token is readable in such a request: no proxy of the environment gets to see it. And without TLS
        // there are no certificates to read.
        return Ok(builder.no_proxy().tls_certs_only([]));
    }
    // What the machine trusts, so that a company's own roots work; and the roots that are compiled in, so that a
    // container without any works too.
    let roots: Result<Vec<_>, _> =
        TLS_SERVER_ROOT_CERTS.iter().map(|root| Certificate::from_der(root)).collect();
    Ok(builder.tls_certs_merge(roots.map_err(setup)?))
}

fn build(builder: ClientBuilder) -> Result<reqwest::Client, ApiError> {
    builder.build().map_err(setup)
}

fn setup(error: reqwest::Error) -> ApiError {
    ApiError::Setup(format!("{error:?}"))
}

/// Whether the server of a base URL is this machine, so that nobody else can read what is sent there.
pub fn is_on_this_machine(base_url: &str) -> bool {
    Url::parse(base_url).is_ok_and(|url| is_loopback(&url))
}

/// Whether the host is this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lichess::Token;

    #[test]
    fn clients_for_the_real_server_can_be_built() {
        let options = ClientOptions::new("https://lichess.org", Token::new("x".to_owned()).unwrap());
        let base = Url::parse(&options.base_url).unwrap();
        assert!(commands(&options, &base).is_ok());
        assert!(streams(&options, &base).is_ok());
    }

    #[test]
    fn loopback_hosts_are_known() {
        for (url, expected) in [
            ("http://localhost:8080", true),
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example", false),
            ("http://127.example", false),
            ("http://127.0.0.1.example", false),
            ("nonsense", false),
        ] {
            assert_eq!(is_on_this_machine(url), expected, "{url}");
        }
    }
}
