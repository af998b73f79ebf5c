import { expect, test } from "vitest";
import type { Json } from "@/lib/json";
import { commandProofMs, decisionProofMs, FRESH_COMMANDS, FRESH_MS, isFresh, LINK_MS, registryProofMs } from "@/lib/people/fresh-proof";
import { ACCESS, type AccessRow } from "./access-table";

/** Procedures that take a fresh proof and send no command of these kinds: they write rows that are the web process's, or ask the registry. */
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
/** Gives the proof itself. */
const PROVES = "session.changePassword";

test("the control plane demands a fresh proof wherever the access table does", () => {
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
])("a command %j takes a proof of at most %s ms", (body, proofMs) => {
  expect(commandProofMs(body)).toBe(proofMs);
});

test.each([
  ["approve", "irreversible", FRESH_MS],
  ["approve", "protected", FRESH_MS],
  ["approve", null, FRESH_MS],
  ["approve", "write", null],
  ["reject", "irreversible", null],
] as const)("to %s what hands out %s takes a proof of at most %s ms", (decision, authority, proofMs) => {
  expect(decisionProofMs({ decision }, authority)).toBe(proofMs);
});

test("registry commands require a proof to enable something, but not to disable it", () => {
  expect(registryProofMs({ type: "activate", id: "files", revision: 1 })).toBe(FRESH_MS);
  expect(registryProofMs({ type: "anything else" })).toBeNull();
});

test("a proof is fresh until it expires", () => {
  expect([isFresh(0, FRESH_MS), isFresh(0, FRESH_MS + 1), isFresh(null, 0), isFresh(0, 10, 9)]).toEqual([true, false, false, false]);
});
