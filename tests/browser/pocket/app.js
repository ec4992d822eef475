// An app in a browser, on a site of its own: it logs in by OAuth 2 with PKCE and reports a game.
// Its first address has `service`, `client` and `game` in the query.
const query = new URLSearchParams(location.search);
const back = `${location.origin}/`;
const says = document.getElementById("says");
const report = document.getElementById("report");

const encode = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => encode(crypto.getRandomValues(new Uint8Array(48)));

async function metadata(service) {
  return (await fetch(`${service}/.well-known/oauth-authorization-server`)).json();
}

async function logIn() {
  const known = {
    service: query.get("service"),
    client: query.get("client"),
    game: query.get("game"),
    verifier: random(),
    state: random(),
  };
  sessionStorage.setItem("login", JSON.stringify(known));
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(known.verifier));
  const { authorization_endpoint } = await metadata(known.service);
  location.assign(`${authorization_endpoint}?${new URLSearchParams({
    response_type: "code",
    client_id: known.client,
    redirect_uri: back,
    scope: "tournament:read result:write tournament:spring",
    state: known.state,
    code_challenge: encode(challenge),
    code_challenge_method: "S256",
  })}`);
}

async function comeBack() {
  const known = JSON.parse(sessionStorage.getItem("login"));
  const found = await metadata(known.service);
  if (query.get("state") !== known.state || query.get("iss") !== found.issuer) {
    says.textContent = "This answer is not to a question of mine.";
    return;
  }
  if (query.has("error")) {
    says.textContent = `Not allowed: ${query.get("error")}`;
    return;
  }
  const answer = await fetch(found.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: known.client,
      redirect_uri: back,
      code: query.get("code"),
      code_verifier: known.verifier,
    }),
  });
  const { access_token } = await answer.json();
  const headers = { Authorization: `Bearer ${access_token}`, "Content-Type": "application/json" };
  const me = await (await fetch(`${known.service}/api/v1/me`, { headers })).json();
  says.textContent = `Logged in as ${me.name}, for ${me.tournament.slug}`;
  report.hidden = false;
  report.onclick = async () => {
    const sent = await fetch(`${known.service}/api/v1/games/${known.game}/reports`, {
      method: "POST",
      headers,
      body: JSON.stringify({ claim: { result: "11-10" } }),
    });
    says.textContent = `The report got ${sent.status}, with ${sent.headers.get("RateLimit")}`;
  };
}

document.getElementById("log-in").onclick = logIn;
if (query.has("state")) await comeBack();
