import { expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { connectBy, openHttp } from "./connect";
import { createConnection } from "./connection";
import { toInputParams, toInputRequired } from "./input-required";
import { listen, oldServer } from "./testing/http-server";

const asked = (change: object = {}) => ({ resultType: "input_required", inputRequests: { ask: { method: "roots/list" } }, ...change });

it("forwards the question and the server's state without secrets", () => {
  const outcome = toInputRequired(asked({ inputRequests: { ask: { note: "key-12345678" } }, requestState: "opaque" }), ["key-12345678"]);
  expect(outcome).toEqual({
    status: "input_required",
    result: null,
    request: { requests: { ask: { note: "[redacted]" } }, state: "opaque" },
    fault: null,
  });
});

it.each([
  ["a question that is too large", { inputRequests: { ask: "x".repeat(70_000) } }, "value_too_large"],
  ["a state that is too large", { requestState: "x".repeat(16_385) }, "value_too_large"],
  ["a state with a NUL character", { requestState: "a\0b" }, "nul_character"],
  ["a question that is no JSON", { inputRequests: { ask: () => 1 } }, "not_plain_json"],
])("treats %s as a server fault", (_, change, fault) => {
  expect(toInputRequired(asked(change), [])).toMatchObject({ status: "tool_error", fault });
});

it("treats nothing else as a question", () => {
  expect(toInputRequired({ content: [] }, [])).toBeNull();
  expect(toInputRequired({ resultType: "complete", inputRequests: {} }, [])).toBeNull();
});

it("returns the state unchanged, or none", () => {
  const responses = { ask: { action: "decline" } };
  expect(toInputParams({ state: " opaque\n", responses })).toEqual({ inputResponses: responses, requestState: " opaque\n" });
  expect(toInputParams({ state: null, responses })).toEqual({ inputResponses: responses });
  expect(toInputParams(null)).toEqual({});
});

it("announces no support to a legacy server, which cannot wait for days", async () => {
  const bodies: string[] = [];
  const answer = oldServer([]);
  const origin = await listen((body, response) => {
    bodies.push(body);
    answer(body, response);
  });
  const open = async () => openHttp(`${origin}/mcp`, { policy: { allowOrigins: [origin] } });
  const connection = createConnection(await connectBy(open, "legacy", () => undefined), systemClock, { takeStale: () => false });
  await connection.catalog({ fresh: true });
  await connection.call({ tool: "echo", arguments: {}, meta: {} }, AbortSignal.timeout(5_000));
  await connection.close();
  expect(bodies.some((body) => body.includes("tools/call"))).toBe(true);
  expect(bodies.join()).not.toContain("elicitation");
});
