import * as fc from "fast-check";
import { expect, test } from "vitest";
import { priceOf, getRates, type Tariff } from "./price";
import { createModels } from "./sdk/in-process";

const LISTED: readonly (readonly [string, Tariff])[] = [
  ["claude-sonnet-5", { provider: "anthropic" }],
  ["claude-haiku-4-5", { provider: "anthropic" }],
  ["gpt-5.4", { provider: "openai" }],
  ["gpt-5.2", { provider: "openai" }],
  ["anything", { override: { input_usd_per_million: 0.5, output_usd_per_million: 7 } }],
  ["anything", { free: "self-hosted" }],
];
const count = fc.nat(2_000_000);

test.each(LISTED)("no call of %s costs more than its rates, cached or not, at any length", (model, tariff) => {
  const rates = getRates(model, tariff);
  fc.assert(
    fc.property(count, count, count, count, (plain, cacheRead, cacheWrite, output) => {
      const input = plain + cacheRead + cacheWrite;
      const { cost_micro_usd: paid } = priceOf(model, { input, cacheRead, cacheWrite, output }, tariff);
      const most = input * (rates?.input_usd_per_million ?? 0) + output * (rates?.output_usd_per_million ?? 0);
      expect(paid).toBeLessThanOrEqual(Math.ceil(most) + 1);
    }),
  );
});

test("an unknown model has no rates and is listed so where the operator named it", () => {
  expect(getRates("no-such-model", { provider: "openai" })).toBeNull();
  const listed = createModels({ OPENAI_API_KEY: "k", OPENAI_MODEL: "no-such-model" }).list();
  expect(listed.find(({ id }) => id === "openai:no-such-model")).toMatchObject({ rates: null });
});

test("the runner reports a price's source and date", () => {
  const clock = { now: () => 1_800_000_000_000, id: () => "" };
  const listed = createModels({ ANTHROPIC_API_KEY: "k" }, clock).list();
  expect(listed.find(({ id }) => id === "anthropic:claude-sonnet-5")?.rates).toMatchObject({
    source: "genai-prices:claude-sonnet-5",
    read_at: 1_800_000_000_000,
    output_usd_per_million: 10,
  });
  expect(listed.find(({ id }) => id === "scripted:honest")?.rates).toMatchObject({ source: "scripted", input_usd_per_million: 0 });
});
