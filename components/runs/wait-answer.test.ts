import { expect, it } from "vitest";
import { END, version } from "@/lib/engine/testing/kinds";
import { started, result } from "@/lib/engine/testing/run";
import { findAsked } from "./wait-answer";

const INPUTS = ["topic", "mail"].map((key) => ({ key, schema: {} }));

const stateOf = (writeKeys: string[], schema: object = { type: "string" }) => {
  const wait = {
    id: "wait",
    kind: "wait" as const,
    write_keys: writeKeys,
    config: { until: { type: "event" as const, timeout_ms: 60_000 } },
  };
  const published = version([wait, END], { memory: [...INPUTS, { key: "out", schema: schema as Record<string, string> }] });
  const run = started(published);
  run.work(result({ type: "wait", until: null }));

  expect(run.state().status).toBe("waiting");

  return findAsked(published, run.state());
};

it("asks for the key that takes the answer, by its schema", () => {
  expect(stateOf(["out"], { type: "integer" })).toEqual({
    key: "out",
    schema: { type: "object", properties: { out: { type: "integer" } }, required: ["out"] },
  });
});

it("asks for nothing where no key takes it", () => {
  expect(stateOf([])).toBeNull();
});
