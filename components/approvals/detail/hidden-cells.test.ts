import { describe, expect, test } from "vitest";
import type { Transition } from "@/lib/engine/event";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import { computeCommitment } from "@/lib/hash";
import { listCellsOfLine, listChecks } from "./hidden-cells";

const salt = "5a".repeat(32);
const hash = (digit: string) => digit.repeat(64);
const cell = (path: string, seq: number, commitment = hash("a")) => ({ path, seq, index: 0, commitment });
const PROPOSAL = cell("$pending.00000000-0000-4000-8000-000000000003", 9);
const CELLS = [cell("customer", 3), cell("customer.plan", 5), cell("request", 4), PROPOSAL];
const args = { to: "a" };
const transition = {
  reads: [{ path: "customer", seq: 3, commitment: hash("c") }],
  overwrites: [{ path: "request", seq: null, commitment: null }],
  effect: { arguments_digest: computeArgumentsDigest(args) },
} as unknown as Transition;

describe("listCellsOfLine", () => {
  test("returns the proposal for an argument, memory for a current value, both for a change", () => {
    expect(listCellsOfLine({ op: "call", path: "mail.send.to" }, CELLS)).toEqual([PROPOSAL]);
    expect(listCellsOfLine({ op: "show", path: "customer" }, CELLS).map(({ path }) => path)).toEqual(["customer", "customer.plan"]);
    expect(listCellsOfLine({ op: "set", path: "customer.plan" }, CELLS)).toHaveLength(3);
    expect(listCellsOfLine({ op: "show", path: "cust" }, CELLS)).toEqual([]);
  });

  test("returns the question cell for a tool's question only", () => {
    const question = cell("$asked.00000000-0000-4000-8000-000000000003", 9);
    expect(listCellsOfLine({ op: "ask", path: "question 1" }, [...CELLS, question])).toEqual([question]);
    expect(listCellsOfLine({ op: "call", path: "mail.send.to" }, [...CELLS, question])).toEqual([PROPOSAL]);
  });
});

describe("listChecks", () => {
  test("uses the commitment in the signed transition", () => {
    const value = { plan: "pro" };
    const [check] = listChecks(cell("customer", 3, computeCommitment(salt, value)), transition);
    expect(check).toMatchObject({ digest: hash("c"), namedBy: "The transition" });
    expect(check?.holds({ salt, value })).toBe(false);
  });

  test("falls back to the commitment of the cell's record", () => {
    expect(listChecks(cell("request", 4), transition)).toMatchObject([{ digest: hash("a"), namedBy: "Its record" }]);
    expect(listChecks(cell("customer", 8), transition)).toMatchObject([{ namedBy: "Its record" }]);
    expect(listChecks(cell("customer", 3), null)).toMatchObject([{ namedBy: "Its record" }]);
  });

  test("also compares a proposal's arguments with the signed digest", () => {
    const value = { server: "mail", tool: "send", arguments: args };
    const checks = listChecks({ ...PROPOSAL, commitment: computeCommitment(salt, value) }, transition);
    expect(checks.map(({ holds }) => holds({ salt, value }))).toEqual([true, true]);
    const other = { ...value, arguments: { to: "b" } };
    expect(checks.map(({ holds }) => holds({ salt, value: other }))).toEqual([false, false]);
  });
});
