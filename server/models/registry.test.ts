import { expect, test } from "vitest";
import { modelPricesSchema } from "@/lib/model-price";
import { ModelError } from "./contract";
import { retryAfterMs } from "./sdk/failure";
import { ownTariff } from "./own-tariff";
import { getRates, priceOf } from "./price";
import type { ModelKeys } from "./providers";
import { createModels } from "./sdk/in-process";
import { requestFor } from "./testing/requests";
import { getFamily } from "@/lib/graph/model-family";

const never = new AbortController().signal;

test("without keys only the scripted models exist: five personas in each of three families", () => {
  const models = createModels({}).list();
  expect(models).toContainEqual(
    expect.objectContaining({ id: "scripted:honest", label: "Scripted: honest", provider: "scripted", scripted: true }),
  );
  expect(models).toContainEqual(
    expect.objectContaining({ id: "scripted-b:honest", label: "Scripted B: honest", provider: "scripted-b", scripted: true }),
  );
  expect(models.map(({ id }) => id)).toHaveLength(15);
  expect(models.every(({ scripted }) => scripted)).toBe(true);
  expect(new Set(models.map(({ id }) => getFamily(id))).size).toBe(3);
});

const ids = (keys: ModelKeys) =>
  createModels(keys)
    .list()
    .map((model) => model.id);

test("a provider's models are listed when it is configured", () => {
  expect(ids({ ANTHROPIC_API_KEY: "k" })).toContain("anthropic:claude-sonnet-5");
  expect(ids({ OPENAI_API_KEY: "k" })).toContain("openai:gpt-5.2");
  expect(ids({ OPENAI_BASE_URL: "http://localhost:11434/v1", OPENAI_MODEL: "llama" }).slice(ids({}).length)).toEqual([
    "openai-compatible:llama",
  ]);
});

test("an unconfigured model is unknown, even as a bare string that a gateway would accept", async () => {
  for (const id of ["openai/gpt-5", "gpt-5.2", "anthropic:claude-sonnet-5", "default", ""]) {
    await expect(createModels({}).generate(requestFor(id), never)).rejects.toMatchObject({
      code: "model_unknown",
      retryable: false,
      billed: "no",
    });
    expect(() => createModels({}).estimate(requestFor(id))).toThrow(ModelError);
  }
});

test("a model without a price is neither estimated nor called, unless the server is the operator's own", async () => {
  const paid = createModels({ OPENAI_API_KEY: "k", OPENAI_MODEL: "no-such-model" });
  expect(() => paid.estimate(requestFor("openai:no-such-model"))).toThrow(expect.objectContaining({ code: "model_price_unknown" }));
  await expect(paid.generate(requestFor("openai:no-such-model"), never)).rejects.toMatchObject({ code: "model_price_unknown" });

  const own = createModels({ OPENAI_BASE_URL: "http://localhost:1/v1", OPENAI_MODEL: "no-such-model" });
  expect(own.estimate(requestFor("openai-compatible:no-such-model")).cost_micro_usd).toBe(0);
  const known = createModels({ OPENAI_BASE_URL: "https://api.openai.com/v1", OPENAI_MODEL: "no-such-model" });
  expect(() => known.estimate(requestFor("openai-compatible:no-such-model"))).toThrow(ModelError);
});

const price = { input_usd_per_million: 0.5, output_usd_per_million: 2 };

test("an unlisted model is called at an administrator's price", async () => {
  const models = createModels({
    OPENAI_BASE_URL: "https://api.openai.com/v1",
    OPENAI_MODEL: "no-such-model",
    COUNTERSIGN_MODEL_PRICES: { "openai-compatible:no-such-model": price },
  });
  const estimate = models.estimate(requestFor("openai-compatible:no-such-model"));

  expect(estimate.cost_micro_usd).toBe(Math.ceil((estimate.tokens - 8_192) * 0.5 + 8_192 * 2));
});

test("an administrator's price overrides the list and free, for exactly its model", () => {
  const models = createModels({
    OPENAI_API_KEY: "k",
    COUNTERSIGN_MODEL_PRICES: { "openai:gpt-5.2": { ...price, output_usd_per_million: 0 }, "scripted:honest": price },
  });
  const estimate = models.estimate(requestFor("openai:gpt-5.2"));
  expect(estimate.cost_micro_usd).toBe(Math.ceil((estimate.tokens - 8_192) * 0.5));
  expect(models.estimate(requestFor("openai:gpt-5.4")).cost_micro_usd).toBeGreaterThan(8_192);
  expect(models.estimate(requestFor("scripted:honest")).cost_micro_usd).toBe(0);
  const own = createModels({
    OPENAI_BASE_URL: "http://localhost:1/v1",
    OPENAI_MODEL: "llama",
    COUNTERSIGN_MODEL_PRICES: { "openai-compatible:llama": price },
  });
  expect(own.estimate(requestFor("openai-compatible:llama")).cost_micro_usd).toBeGreaterThan(0);
});

test("an administrator's price counts cached tokens as input, rounds up and names its source", () => {
  const tokens = { input: 3, cacheRead: 1, cacheWrite: 1, output: 1 };

  expect(priceOf("any", tokens, { override: price })).toEqual({ cost_micro_usd: 4, price_source: "override" });
});

test("an administrator's price of cached tokens counts apart, and the estimate and the rates bound every share", () => {
  const own = { ...price, cache_read_usd_per_million: 0.05, cache_write_usd_per_million: 4 };
  const tokens = { input: 1_000_000, cacheRead: 600_000, cacheWrite: 100_000, output: 0 };

  expect(priceOf("any", tokens, { override: own }).cost_micro_usd).toBe(0.3 * 500_000 + 0.6 * 50_000 + 0.1 * 4_000_000);
  expect(getRates("any", { override: own })).toEqual({ input_usd_per_million: 4, output_usd_per_million: 2, source: "override" });
  expect(priceOf("any", { input: 0, cacheRead: 9, cacheWrite: 0, output: 0 }, { override: own }).cost_micro_usd).toBeGreaterThanOrEqual(0);
  const estimateWith = (cache: object) =>
    createModels({
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_MODEL: "llama",
      COUNTERSIGN_MODEL_PRICES: { "openai-compatible:llama": { ...price, ...cache } },
    }).estimate(requestFor("openai-compatible:llama")).cost_micro_usd;
  expect(estimateWith({ cache_write_usd_per_million: 50 })).toBeGreaterThan(estimateWith({}));
  expect(estimateWith({ cache_read_usd_per_million: 50 })).toBeGreaterThan(estimateWith({}));
  expect(estimateWith({ cache_read_usd_per_million: 0, cache_write_usd_per_million: 0 })).toBe(estimateWith({}));
});

test.each([
  ["http://127.0.0.1:11434/v1", true],
  ["http://[::1]:1/v1", true],
  ["http://10.0.0.7:8000/v1", true],
  ["http://ollama:11434/v1", true],
  ["http://gpu.internal/v1", true],
  ["https://models.example.com/v1", false],
  ["http://8.8.8.8/v1", false],
  ["http://169.254.169.254/v1", false],
  ["https://localhost.example.com/v1", false],
])("a model at %s, opened as local, is free: %s", (base_url, isFree) => {
  const place = { kind: "openai-compatible", base_url, allow_local: true } as const;

  expect(ownTariff(place, null)).toEqual(isFree ? { free: "self-hosted" } : { unknown: true });
  expect(ownTariff({ ...place, allow_local: false }, null)).toEqual({ unknown: true });
  expect(ownTariff(place, { ...price, source: "Own", as_of: "2026-01-01" })).toMatchObject({ override: price });
});

test("rejects malformed prices", () => {
  expect(modelPricesSchema.parse({ "openai:gpt": price })).toEqual({ "openai:gpt": price });
  for (const wrong of [
    { gpt: price },
    { "openai:gpt": { ...price, input_usd_per_million: -1 } },
    { "openai:gpt": { ...price, cents: 1 } },
    [],
  ]) {
    expect(modelPricesSchema.safeParse(wrong).success).toBe(false);
  }
});

test("the estimate bounds the scripted model's usage", async () => {
  const models = createModels({});
  const request = requestFor("scripted:compromised", { prompt: "mail ".repeat(500) });
  const { usage } = await models.generate(request, never);

  expect(models.estimate(request).tokens).toBeGreaterThanOrEqual(usage.input_tokens + usage.output_tokens);
});

test("prices are micro-USD integers, rounded up, with the matched id", () => {
  const one = priceOf("claude-sonnet-5", { input: 1, cacheRead: 0, cacheWrite: 0, output: 0 }, { provider: "anthropic" });
  expect(one).toEqual({ cost_micro_usd: 2, price_source: "genai-prices:claude-sonnet-5" });
  const cached = priceOf(
    "claude-sonnet-5",
    { input: 1_000_000, cacheRead: 1_000_000, cacheWrite: 0, output: 0 },
    { provider: "anthropic" },
  );
  expect(cached.cost_micro_usd).toBeLessThan(2_000_000);
  expect(() => priceOf("gpt-5.2", { input: 9, cacheRead: 0, cacheWrite: 9, output: 1 }, { provider: "openai" })).not.toThrow();
});

test.each([
  [{ "retry-after-ms": "250" }, 250],
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:05 GMT" }, 4_000],
  [{ "retry-after": "soon" }, null],
  [{ "retry-after": "999999999" }, 3_600_000],
  [{}, null],
])("Retry-After %j", (headers, wait) => {
  expect(retryAfterMs(headers as Record<string, string>, 1_000)).toBe(wait);
});
