import { expect, test } from "vitest";
import type { Envelope } from "@/lib/engine/envelope/envelope";
import { duration, describeEnvelope, most, describeRates, describeRefused, describeUnbounded } from "./envelope-lines";

const ENVELOPE: Envelope = {
  modelCalls: 120,
  tokens: 60_000,
  costMicroUsd: 1_200_001,
  changes: 4,
  irreversible: 0,
  unattended: 0,
  timeMs: 3_600_000,
  models: ["m"],
  refusedModels: [],
};
const said = (change: Partial<Envelope>) =>
  Object.fromEntries(describeEnvelope({ ...ENVELOPE, ...change }).map(({ label, value, note }) => [label, [value, note]]));

test("shows limits as upper bounds and never rounds down", () => {
  expect(said({})).toEqual({
    Cost: ["at most $1.21", null],
    Tokens: ["at most 60,000", null],
    "Model calls": ["at most 120", null],
    "External changes": ["at most 4", "Each needs an approval."],
    Irreversible: ["0", null],
    "Run time": ["at most 1 h", "Time spent waiting for people is not counted."],
  });
  expect([most(999_999), most(1_000_001), duration(61_000), duration(5_400_000)]).toEqual(["999,999", "2M", "1.1 min", "1.5 h"]);
});

test("notes free models, no changes, and changes without an approval", () => {
  expect(said({ costMicroUsd: 0 })["Cost"]).toEqual(["$0.00", "Its models are free."]);
  expect(said({ costMicroUsd: 0, modelCalls: 0 })["Cost"]).toEqual(["$0.00", null]);
  expect(said({ changes: 0 })["External changes"]).toEqual(["0", "Nothing changes outside the run."]);
  expect(said({ unattended: 3 })["External changes"]).toEqual(["at most 4", "Up to 3 without an approval."]);
});

test("names each unlimited bound and how to limit it", () => {
  expect(said({ tokens: null })["Tokens"]).toEqual(["Unlimited", null]);
  expect(describeUnbounded(ENVELOPE)).toBeNull();
  expect(describeUnbounded({ ...ENVELOPE, tokens: null, costMicroUsd: null })).toMatch(
    /limit tokens or cost\. Set a token budget to limit both/,
  );
  expect(describeUnbounded({ ...ENVELOPE, tokens: null })).toMatch(/limit tokens\./);
  expect(describeUnbounded({ ...ENVELOPE, costMicroUsd: null })).toMatch(/limit cost\./);
});

test("shows prices per million tokens, and why a model will be refused", () => {
  const rates = { input_usd_per_million: 2.5, output_usd_per_million: 10, source: "s", read_at: 0 };
  expect(describeRates(rates)).toBe("$2.5 in, $10 out per million tokens");
  expect(describeRates({ ...rates, input_usd_per_million: 0, output_usd_per_million: 0 })).toBe("free");
  expect(describeRefused({ model: "p:m", why: "no_price" })).toMatch(/^p:m has no price/);
  expect(describeRefused({ model: "p:m", why: "unknown" })).toMatch(/^No runner provides p:m/);
});
