import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import vectors from "@/server/notify/vectors/standard-webhooks-vectors.json";
import type { Arrival } from "@/lib/graph/triggers/arrival";
import type { WebhookScheme } from "@/lib/graph/triggers/trigger";
import { getEventId, TOLERANCE_MS, verifySignature } from "./signature";

type Sample = {
  readonly scheme: WebhookScheme;
  readonly secret: string;
  readonly headers: Arrival["headers"];
  readonly body: string;
  readonly atMs: number;
};

const [vector] = vectors.vectors;
if (!vector) throw new Error("no vector");

const standard: Sample = {
  scheme: "standard",
  secret: vector.secret,
  headers: { "webhook-id": vector.msg_id, "webhook-timestamp": String(vector.timestamp), "webhook-signature": vector.signature },
  body: vector.payload,
  atMs: vector.timestamp * 1_000,
};
/** From GitHub's page on validating deliveries. */
const github: Sample = {
  scheme: "github",
  secret: "It's a Secret to Everybody",
  headers: { "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" },
  body: "Hello, World!",
  atMs: 0,
};
/** From Slack's page on verifying requests. */
const slack: Sample = {
  scheme: "slack",
  secret: "8f742231b10e8888abcd99yyyzzz85a5",
  headers: {
    "x-slack-request-timestamp": "1531420618",
    "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  },
  body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
  atMs: 1_531_420_618_000,
};
const STRIPE_AT = 1_614_265_330;
const stripeBody = '{"id":"evt_1","object":"event"}';
/** Stripe publishes no vector: computed as its page says. */
const stripeMac = createHmac("sha256", "whsec_test_secret").update(`${STRIPE_AT}.${stripeBody}`).digest("hex");
const stripe: Sample = {
  scheme: "stripe",
  secret: "whsec_test_secret",
  headers: { "stripe-signature": `t=${STRIPE_AT},v1=${"0".repeat(64)},v1=${stripeMac},v0=${stripeMac}` },
  body: stripeBody,
  atMs: STRIPE_AT * 1_000,
};

const SAMPLES = [standard, github, stripe, slack];

const verify = (sample: Sample, change: Partial<Omit<Sample, "scheme">> = {}) => {
  const { scheme, secret, headers, body, atMs } = { ...sample, ...change };

  return verifySignature(scheme, { secret, headers, body: Buffer.from(body), nowMs: atMs });
};

const withOtherSignature = (headers: Arrival["headers"]): Arrival["headers"] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.includes("signature")
        ? value.replaceAll(/[0-9a-f](?=[^0-9a-f]*$|,)/gu, (digit) => (digit === "0" ? "1" : "0")).replace(/.{3}$/u, "AA=")
        : value,
    ]),
  );

describe.each(SAMPLES.map((sample) => [sample.scheme, sample] as const))("signatures of %s", (_scheme, sample) => {
  it("pass over the raw bytes", () => {
    expect(verify(sample)).toMatchObject({ ok: true });
  });

  it.each([
    ["another byte", { body: `${sample.body} ` }],
    ["another secret", { secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["no headers", { headers: {} }],
    ["another signature", { headers: withOtherSignature(sample.headers) }],
    [
      "an empty signature",
      {
        headers: Object.fromEntries(Object.entries(sample.headers).map(([name, value]) => [name, name.includes("signature") ? "" : value])),
      },
    ],
  ])("fail with %s", (_what, change) => {
    expect(verify(sample, change)).toEqual({ ok: false, error: "trigger_signature" });
  });
});

test.each([standard, stripe, slack].map((sample) => [sample.scheme, sample] as const))(
  "%s is late five minutes after and before it was signed, and only then",
  (_scheme, sample) => {
    for (const sign of [1, -1]) {
      expect(verify(sample, { atMs: sample.atMs + sign * TOLERANCE_MS })).toMatchObject({ ok: true });
      expect(verify(sample, { atMs: sample.atMs + sign * (TOLERANCE_MS + 1) })).toEqual({ ok: false, error: "trigger_late" });
    }
  },
);

test("Standard Webhooks accepts one of several signatures, and only of version 1", () => {
  const { "webhook-signature": signature = "" } = standard.headers;
  const signed = (text: string) => verify(standard, { headers: { ...standard.headers, "webhook-signature": text } });
  expect(signed(`v1,AAAA ${signature}`)).toMatchObject({ ok: true });
  expect(signed(signature.replace("v1,", "v2,"))).toEqual({ ok: false, error: "trigger_signature" });
});

describe("an event's id", () => {
  const idOf = (sample: Sample, payload: unknown, change: Partial<Omit<Sample, "scheme">> = {}) => {
    const { headers, body } = { ...sample, ...change };
    const verified = verify(sample);
    if (!verified.ok) throw new Error(verified.error);

    return getEventId(sample.scheme, verified.value, payload, { headers, body: Buffer.from(body) });
  };

  it("is the signed one of each scheme", () => {
    expect(idOf(standard, {})).toBe(vector.msg_id);
    expect(idOf(stripe, { id: "evt_1" })).toBe("evt_1");
    expect(idOf(slack, { event_id: "Ev08MFMKH6" })).toBe("Ev08MFMKH6");
    expect(idOf(github, {})).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("is a digest where the sender names none, or one of another form", () => {
    expect(idOf(slack, {})).toMatch(/^sha256:/);
    expect(idOf(slack, {}, { headers: { "x-slack-request-timestamp": "1" } })).not.toBe(idOf(slack, {}));
    expect(idOf(stripe, { id: "a b\nc" })).toMatch(/^sha256:/);
    expect(idOf(stripe, { id: "a b\nc" })).not.toBe(idOf(stripe, { id: "a b c" }));
  });
});
