//! The Bot API: one method an endpoint. How requests are sent is the business of `http`, when of `gate`.

use std::fmt;
use std::sync::Arc;

use super::call::Call;
use super::gate::Family;
use super::http::Http;
use super::model::{
    Account, AiRequest, Answer, Challenge, ChallengeId, ChallengeList, ChallengeRequest, ChatLine,
    DeclineReason, DrawOffer, Fields, GameId, PlayingGame, Room, TokenInfo, UserId,
};
use super::{ApiError, ClientOptions, EventStream, GameStream, Tap, answers, chat};
use crate::chess::UciMove;

/// Speaks to one server as one account. Clones share connections and limits.
#[derive(Clone)]
pub struct Client {
    http: Http,
}

impl Client {
    /// A client. Nothing is sent yet.
    pub fn new(options: ClientOptions, tap: Arc<dyn Tap>) -> Result<Client, ApiError> {
        Ok(Client { http: Http::new(options, tap)? })
    }

    /// The same client, naming the account in its `User-Agent`, as the server's operators ask. The name must be
    /// that of the token's account: any other makes the server refuse everything.
    pub fn with_account(&self, name: &UserId) -> Client {
        Client { http: self.http.with_account(name.as_str()) }
    }

    /// The account of the token.
    pub async fn account(&self) -> Result<Account, ApiError> {
        self.http.send(Call::get(Family::Account, "/api/account")).await?.read()
    }

    /// Games that are running.
    pub async fn playing(&self) -> Result<Vec<PlayingGame>, ApiError> {
        let call = Call::get(Family::Account, "/api/account/playing").query("nb", "50");
        answers::playing(&self.http.send(call).await?.json()?)
    }

    /// Whether the last requests failed without a word of the server.
    pub fn in_trouble(&self) -> bool {
        self.http.outage().is_on()
    }

    /// What the server knows about the token. [`ApiError::Unauthorized`] if it does not know it.
    pub async fn test_token(&self) -> Result<TokenInfo, ApiError> {
        let call = Call::post(Family::Read, "/api/token/test").token_as_body().repeatable();
        answers::token(&self.http.send(call).await?.json()?, &self.http.options().token)
    }

    /// Makes the account a BOT account. **This cannot be undone.**
    pub async fn upgrade_to_bot(&self) -> Result<(), ApiError> {
        self.done(Call::post(Family::Account, "/api/bot/account/upgrade")).await
    }

    /// What happens to the account.
    pub fn event_stream(&self) -> EventStream {
        EventStream::new(self.http.clone())
    }

    /// What happens in a game.
    pub fn game_stream(&self, game: GameId) -> GameStream {
        GameStream::new(self.http.clone(), game)
    }

    /// Challenges that wait for an answer. Needs a scope that a bot does not need otherwise.
    pub async fn challenges(&self) -> Result<ChallengeList, ApiError> {
        let answer = self.http.send(Call::get(Family::Read, "/api/challenge")).await?;
        Ok(ChallengeList::read(&answer.json()?))
    }

    /// Challenges somebody.
    pub async fn create_challenge(
        &self,
        to: &UserId,
        request: &ChallengeRequest,
    ) -> Result<Challenge, ApiError> {
        let call = Call::post(Family::Create, format!("/api/challenge/{to}")).form(request.form());
        let answer = self.http.send(call).await?.json()?;
        Challenge::from_answer(answer).map_err(answers::unusable)
    }

    /// Starts a game against the server's own engine.
    pub async fn challenge_ai(&self, request: &AiRequest) -> Result<GameId, ApiError> {
        let call = Call::post(Family::Create, "/api/challenge/ai").form(request.form());
        let answer = self.http.send(call).await?.json()?;
        Fields::of(&answer).parsed("id").ok_or_else(|| answers::unusable("a new game has an id"))
    }

    /// Accepts a challenge. The game may begin on the event stream before this returns.
    pub async fn accept_challenge(&self, id: &ChallengeId) -> Result<(), ApiError> {
        self.done(Call::post(Family::Answer, format!("/api/challenge/{id}/accept"))).await
    }

    /// Declines a challenge.
    pub async fn decline_challenge(&self, id: &ChallengeId, reason: DeclineReason) -> Result<(), ApiError> {
        let form = vec![("reason".to_owned(), reason.as_str().to_owned())];
        let call = Call::post(Family::Answer, format!("/api/challenge/{id}/decline"));
        self.done(call.form(form).repeatable()).await
    }

    /// Withdraws a challenge of our own.
    pub async fn cancel_challenge(&self, id: &ChallengeId) -> Result<(), ApiError> {
        self.done(Call::post(Family::Answer, format!("/api/challenge/{id}/cancel"))).await
    }

    /// Plays a move. It is sent again after "too many requests", which says that it did not count, and never when
    /// that is unclear: the game's stream tells.
    pub async fn play_move(&self, game: &GameId, mv: UciMove, offer: DrawOffer) -> Result<(), ApiError> {
        let call = Call::post(Family::Move(game.clone()), format!("/api/bot/game/{game}/move/{mv}"));
        self.done(match offer {
            DrawOffer::Leave => call,
            DrawOffer::Offer => call.query("offeringDraw", "true"),
        })
        .await
    }

    /// Gives a game up. Before both sides have moved it calls it off instead.
    pub async fn resign(&self, game: &GameId) -> Result<(), ApiError> {
        self.done(Call::post(Family::Move(game.clone()), format!("/api/bot/game/{game}/resign"))).await
    }

    /// Calls a game off.
    pub async fn abort(&self, game: &GameId) -> Result<(), ApiError> {
        self.done(Call::post(Family::Move(game.clone()), format!("/api/bot/game/{game}/abort"))).await
    }

    /// Claims the win when the opponent has left. Success does not mean that the game is won.
    pub async fn claim_victory(&self, game: &GameId) -> Result<(), ApiError> {
        self.done(Call::post(Family::Move(game.clone()), format!("/api/bot/game/{game}/claim-victory"))).await
    }

    /// Claims a draw when the opponent has left. Success does not mean that the game is drawn.
    pub async fn claim_draw(&self, game: &GameId) -> Result<(), ApiError> {
        self.done(Call::post(Family::Move(game.clone()), format!("/api/bot/game/{game}/claim-draw"))).await
    }

    /// Offers a draw, or answers an offer.
    pub async fn draw(&self, game: &GameId, answer: Answer) -> Result<(), ApiError> {
        let path = format!("/api/bot/game/{game}/draw/{}", answer.as_str());
        self.done(Call::post(Family::Offer(game.clone()), path)).await
    }

    /// Asks for a move back, or answers such a wish.
    pub async fn takeback(&self, game: &GameId, answer: Answer) -> Result<(), ApiError> {
        let path = format!("/api/bot/game/{game}/takeback/{}", answer.as_str());
        self.done(Call::post(Family::Offer(game.clone()), path)).await
    }

    /// Says something, at most 140 characters of it. Nothing is sent if there is nothing to say.
    pub async fn chat(&self, game: &GameId, room: Room, text: &str) -> Result<(), ApiError> {
        let text = chat::fitting(text);
        if text.is_empty() {
            return Ok(());
        }
        let form = vec![("room".to_owned(), room.to_string()), ("text".to_owned(), text.to_owned())];
        let path = format!("/api/bot/game/{game}/chat");
        self.done(Call::post(Family::Chat(game.clone()), path).form(form)).await
    }

    /// What was said in the players' room.
    pub async fn chat_history(&self, game: &GameId) -> Result<Vec<ChatLine>, ApiError> {
        let call = Call::get(Family::Read, format!("/api/bot/game/{game}/chat"));
        chat::history(&self.http.send(call).await?.body)
    }

    /// A game as PGN. Running games of others are some moves behind.
    pub async fn export_pgn(&self, game: &GameId) -> Result<String, ApiError> {
        let call = Call::get(Family::Read, format!("/game/export/{game}")).accept("application/x-chess-pgn");
        self.http.send(call).await?.text()
    }

    /// A command whose answer says no more than that it worked.
    async fn done(&self, call: Call) -> Result<(), ApiError> {
        self.http.send(call).await.map(drop)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base_url", &self.http.options().base_url).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "client_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "client_failures.rs"]
mod failures;
