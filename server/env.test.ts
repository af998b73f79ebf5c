import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** As a process would read it that is started with this. */
const pricesFrom = async (text: string) => {
  vi.stubEnv("COUNTERSIGN_MODEL_PRICES", text);
  const { env } = await import("@/server/env");

  return env().COUNTERSIGN_MODEL_PRICES;
};

test("prices of models are read from JSON, and an empty variable is none", async () => {
  const price = { input_usd_per_million: 1, output_usd_per_million: 2 };

  expect(await pricesFrom(JSON.stringify({ "openai:m": price }))).toEqual({ "openai:m": price });
  vi.resetModules();
  expect(await pricesFrom("")).toBeUndefined();
});

test.each(["{", "[]", '{"openai:m":3}', '{"m":{"input_usd_per_million":1,"output_usd_per_million":2}}'])(
  "prices that are not what they must be keep the process from starting, with the variable's name: %s",
  async (text) => {
    await expect(pricesFrom(text)).rejects.toThrow("COUNTERSIGN_MODEL_PRICES");
  },
);
