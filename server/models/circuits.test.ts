import { expect, test } from "vitest";
import { createCircuits, type OpenCircuit } from "./circuits";
import { ModelError } from "./contract";

const down = (retryAfterMs: number | null = null) =>
  new ModelError("model_failed", true, "down", { retryAfterMs, billed: "no", outage: "failing" });

const stage = () => {
  const noted: (OpenCircuit | null)[] = [];
  let at = 1_000;
  let asked = 0;
  const circuits = createCircuits({ now: () => at, id: () => "" }, (_place, circuit) => noted.push(circuit));
  const ask = (result: Error | string, workspaceId = "w", provider = "openai", environment: string | null = null) =>
    circuits.guard({ workspaceId, provider, environment }, () => {
      asked += 1;

      return typeof result === "string" ? Promise.resolve(result) : Promise.reject(result);
    });
  const fail = async (times: number, error: Error = down()) => {
    for (let n = 0; n < times; n += 1) await expect(ask(error)).rejects.toBe(error);
  };

  return { circuits, noted, ask, fail, asked: () => asked, pass: (ms: number) => void (at += ms) };
};

test("opens after five outages in a row, for this provider, workspace and key alone", async () => {
  const { ask, fail, asked, noted } = stage();
  await fail(4);
  await ask("fine");
  await fail(5);

  await expect(ask("unasked")).rejects.toMatchObject({ outage: "failing", billed: "no", retryAfterMs: 10_000, retryable: true });
  expect(asked()).toBe(10);
  expect(noted).toEqual([null, { cause: "failing", failures: 5, until: 11_000 }]);
  expect(await ask("other provider", "w", "anthropic")).toBe("other provider");
  expect(await ask("other workspace", "x")).toBe("other workspace");
  expect(await ask("other key", "w", "openai", "dev")).toBe("other key");
});

test("a fault of the call does not open it", async () => {
  const { ask, fail, noted } = stage();
  await fail(9, new ModelError("model_failed", false, "bad request", { billed: "no" }));

  expect(await ask("fine")).toBe("fine");
  expect(noted).toEqual([null]);
});

test("half-open lets one call probe; an answer closes it, a failure opens it for longer", async () => {
  const { circuits, ask, fail, pass, noted } = stage();
  await fail(5);
  pass(10_000);
  const { promise, resolve } = Promise.withResolvers<string>();
  const probe = circuits.guard({ workspaceId: "w", provider: "openai", environment: null }, () => promise);
  await expect(ask("unasked")).rejects.toMatchObject({ retryAfterMs: 5_000 });
  resolve("back");

  expect(await probe).toBe("back");
  expect(await ask("fine")).toBe("fine");
  expect(noted.at(-1)).toBeNull();

  await fail(5);
  pass(10_000);
  await fail(1);
  await expect(ask("unasked")).rejects.toMatchObject({ retryAfterMs: 20_000 });
});

test("stays open at least as long as the provider asks to wait", async () => {
  const { ask, fail } = stage();
  await fail(5, down(300_000));

  await expect(ask("unasked")).rejects.toMatchObject({ retryAfterMs: 300_000 });
});

test("a person's try is let through at once", async () => {
  const { circuits, ask, fail } = stage();
  await fail(5);
  circuits.probe("w", "openai");

  expect(await ask("fine")).toBe("fine");
});
