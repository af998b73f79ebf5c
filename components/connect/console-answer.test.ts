import { expect, test } from "vitest";
import type { Json } from "@/lib/json";
import { createDraftInputs, readOutlook } from "./console-answer";

const answer = (structuredContent: Json): Json => ({ jsonrpc: "2.0", id: 1, result: { structuredContent } });

test("reads legal actions, session and error from a response", () => {
  expect(
    readOutlook(
      answer({ valid_next_actions: ["a"], next_action_schemas: { a: {} }, session: "s", app_id: "r", error: "invalid_transition" }),
    ),
  ).toEqual({ actions: ["a"], schemas: { a: {} }, session: "s", run: "r", error: "invalid_transition" });
});

test("returns null for a response that is not from a tool", () => {
  expect(readOutlook(answer({ valid_next_actions: "all" }))).toBeNull();
  expect(readOutlook({ error: { code: -32602 } })).toBeNull();
});

test("drafts a value for each input of a schema", () => {
  expect(
    createDraftInputs({
      type: "object",
      properties: {
        order: { type: "string" },
        amount: { type: "number" },
        tone: { enum: ["calm", "loud"] },
        note: { type: "string", default: "none" },
      },
    }),
  ).toEqual({ order: "", amount: 0, tone: "calm", note: "none" });
  expect(createDraftInputs(undefined)).toEqual({});
});
