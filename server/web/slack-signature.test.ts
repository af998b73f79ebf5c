import { expect, test } from "vitest";
import { createSlackVerifier, signSlackRequest } from "./slack-signature";

/** From Slack's documentation on verifying requests. */
const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
const TIMESTAMP = "1531420618";
const BODY =
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
const SIGNATURE = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
const NOW_MS = Number(TIMESTAMP) * 1_000;

const headers = (signature: string | null, timestamp: string | null = TIMESTAMP): Headers =>
  new Headers({
    ...(signature === null ? {} : { "x-slack-signature": signature }),
    ...(timestamp === null ? {} : { "x-slack-request-timestamp": timestamp }),
  });

test("signs as Slack's documentation does", () => {
  expect(signSlackRequest(SECRET, TIMESTAMP, BODY)).toBe(SIGNATURE);
  expect(createSlackVerifier(SECRET)(headers(SIGNATURE), BODY, NOW_MS)).toBe(true);
});

test.each([
  ["without a signature", headers(null), BODY],
  ["without a time", headers(SIGNATURE, null), BODY],
  ["signed with another secret", headers(signSlackRequest("another secret of sixteen", TIMESTAMP, BODY)), BODY],
  ["with another time than the signed one", headers(SIGNATURE, "1531420619"), BODY],
  ["with a changed byte", headers(SIGNATURE), BODY.replace("U2CERLKJA", "U2CERLKJB")],
  ["with a cut signature", headers(SIGNATURE.slice(0, -1)), BODY],
])("refuses a request %s", (_, given, body) => {
  expect(createSlackVerifier(SECRET)(given, body, NOW_MS)).toBe(false);
});

test("refuses a request five minutes after or before it was signed", () => {
  for (const [offsetMs, isAccepted] of [
    [300_000, true],
    [300_001, false],
    [-300_000, true],
    [-300_001, false],
  ] as const) {
    expect(createSlackVerifier(SECRET)(headers(SIGNATURE), BODY, NOW_MS + offsetMs)).toBe(isAccepted);
  }
});

test("accepts a request once", () => {
  const verify = createSlackVerifier(SECRET);
  expect([0, 1, 300_000].map((laterMs) => verify(headers(SIGNATURE), BODY, NOW_MS + laterMs))).toEqual([true, false, false]);
});
