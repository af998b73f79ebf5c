import { expect, test } from "vitest";
import type { Json } from "@/lib/json";
import {
  getCommandProofMs,
  getDecisionProofMs,
  FRESH_COMMANDS,
  FRESH_MS,
  isFresh,
  LINK_MS,
  getRegistryProofMs,
} from "@/lib/people/fresh-proof";
import { ACCESS, type AccessRow } from "./access-table";

/** These write web-owned rows or ask the registry. */
const OTHERS = [
  "mcp.command",
  "mcp.console",
  "passkeys.begin",
  "secrets.put",
  "secrets.remove",
  "webhooks.create",
  "webhooks.rotateSecret",
  "webhooks.update",
];
const PROVES = "session.changePassword";

test("the control plane requires a fresh proof as in the access table", () => {
  const table = Object.entries<AccessRow>(ACCESS).flatMap(([path, [, , fresh]]) => (fresh === undefined ? [] : [path]));
  const sent: string[] = Object.values(FRESH_COMMANDS).flat();

  expect(new Set([...sent, ...OTHERS])).toEqual(new Set([...table, PROVES]));
});

test.each<[Json, number | null]>([
  [{ kind: "people_change" }, FRESH_MS],
  [{ kind: "people_link_identity" }, FRESH_MS + LINK_MS],
  [{ kind: "open_cell", purpose: "audit" }, FRESH_MS],
  [{ kind: "open_cell", purpose: "review" }, null],
  [{ kind: "start" }, null],
  [{ kind: "decision", decision: "approve" }, null],
  [{ kind: "toString" }, null],
  [{ kind: ["people_change"] }, null],
  [["people_change"], null],
  [null, null],
])("a command %j needs a proof of at most %s ms", (body, proofMs) => {
  expect(getCommandProofMs(body)).toBe(proofMs);
});

test.each([
  ["approve", "irreversible", FRESH_MS],
  ["approve", "protected", FRESH_MS],
  ["approve", null, FRESH_MS],
  ["approve", "write", null],
  ["reject", "irreversible", null],
] as const)("to %s what grants %s needs a proof of at most %s ms", (decision, authority, proofMs) => {
  expect(getDecisionProofMs({ decision }, authority)).toBe(proofMs);
});

test("the registry needs a proof for loosening, none for tightening", () => {
  expect(getRegistryProofMs({ type: "activate", id: "files", revision: 1 })).toBe(FRESH_MS);
  expect(getRegistryProofMs({ type: "anything else" })).toBeNull();
});

test("a proof is fresh until it expires", () => {
  expect([isFresh(0, FRESH_MS), isFresh(0, FRESH_MS + 1), isFresh(null, 0), isFresh(0, 10, 9)]).toEqual([true, false, false, false]);
});
