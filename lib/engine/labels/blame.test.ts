import { describe, expect, test } from "vitest";
import { blame, sliceOf } from "@/lib/engine/labels/blame";
import { stateAt } from "@/lib/engine/timeline";
import { findCellsAt } from "@/lib/engine/state";
import { publishWith } from "@/lib/engine/testing/graph";
import { parseEntries, recordsOf } from "@/lib/engine/testing/entries";
import { atGate, atParse, atTriage, decideAs, executor, result, REVIEWER, started, update, user } from "@/lib/engine/testing/run";
import type { TestRun } from "@/lib/engine/testing/run";
import { explainTaint } from "@/lib/engine/labels/why-tainted";

const last = (run: TestRun) => run.state().version - 1;
const seqOf = (run: TestRun, kind: string, nth = 0) => recordsOf(run).filter((record) => record.proposal_kind === kind)[nth]?.seq ?? -1;

describe("blame", () => {
  test("names the record that wrote a path, at any time", () => {
    const run = atParse();
    run.work({ kind: "action", action: update("note", "one") });
    const once = last(run);
    run.work({ kind: "action", action: update("note", "two") });

    expect(blame(recordsOf(run), "note", once - 1)).toEqual([]);
    expect(blame(recordsOf(run), "note", once).map(({ seq }) => seq)).toEqual([once]);
    expect(blame(recordsOf(run), "note", last(run)).map(({ seq }) => seq)).toEqual([once + 1]);
  });

  test("names each part of a value written in parts, newest first", () => {
    const run = atParse();
    run.work({ kind: "action", action: update("note", { a: 1 }) });
    run.work({ kind: "action", action: update("note.b", 2) });

    expect(blame(recordsOf(run), "note", last(run)).map(({ path }) => path)).toEqual(["note.b", "note"]);
    expect(blame(recordsOf(run), "note.b", last(run)).map(({ path }) => path)).toEqual(["note.b", "note"]);
    run.work({ kind: "action", action: update("note", { c: 3 }) });
    expect(blame(recordsOf(run), "note.b", last(run)).map(({ seq }) => seq)).toEqual([last(run)]);
  });

  test("agrees with the state at every record, for every path", () => {
    const run = atGate();
    for (let seq = 0; seq <= last(run); seq += 1) {
      const { cells } = stateAt(parseEntries(run), seq);
      for (const { key } of run.published.graph.memory) {
        const standing = findCellsAt(cells, key).map(({ seq: at, index }) => `${at}.${index}`);
        expect(
          blame(recordsOf(run), key, seq)
            .map((write) => `${write.seq}.${write.index}`)
            .toReversed(),
        ).toEqual(standing);
      }
    }
  });

  test("excludes refused writes", () => {
    const run = atParse();
    run.work({ kind: "action", action: update("is_admin", true) });

    expect(blame(recordsOf(run), "is_admin", last(run))).toEqual([]);
  });
});

describe("a backward slice", () => {
  test("reaches the tool's answer and the person's request, and excludes values without influence", () => {
    const run = atTriage();
    const { records, inputs } = sliceOf(recordsOf(run), "request", last(run));

    expect(inputs).toEqual(expect.arrayContaining([seqOf(run, "start"), seqOf(run, "effect_outcome")]));
    expect(records).toContain(seqOf(run, "effect_intent"));
    expect(sliceOf(recordsOf(run), "topic", last(run))).toEqual({ records: [0], inputs: [0] });
  });

  test("of an approved change includes decision and gate", () => {
    const run = atParse();
    run.work(result(update("is_admin", true)));
    decideAs(run, user(REVIEWER));
    const { records } = sliceOf(recordsOf(run), "is_admin", last(run));

    expect(records).toEqual(expect.arrayContaining([seqOf(run, "decision"), seqOf(run, "node_result", 1)]));
  });
});

describe("a taint chain", () => {
  test("is the shortest path from the tool to the cell, each link named", () => {
    const run = atTriage();
    const taint = explainTaint(recordsOf(run), "request", last(run));
    const [chain] = taint?.chains ?? [];

    expect(taint?.chains.map(({ source }) => source)).toEqual(["mcp:docs/read"]);
    expect(chain?.steps[0]).toMatchObject({ proposalKind: "effect_outcome", node: "fetch" });
    expect(chain?.steps.at(-1)).toMatchObject({ path: "request", proposalKind: "node_result", node: "parse", via: "written" });
    expect(chain?.steps.every(({ label }) => label.integrity === "untrusted")).toBe(true);
    expect(chain?.steps.map(({ seq }) => seq)).toEqual([...(chain?.steps ?? [])].map(({ seq }) => seq).toSorted((a, b) => a - b));
  });

  test("is null for trusted and empty paths", () => {
    const run = atTriage();

    expect(explainTaint(recordsOf(run), "topic", last(run))).toBeNull();
    expect(explainTaint(recordsOf(run), "result", last(run))).toBeNull();
  });

  test("names a failed node as source of its error text", () => {
    const run = started(publishWith());
    run.propose(executor("fetch"), {
      kind: "node_failure",
      activation: run.state().activation ?? 0,
      code: "tool_error",
      retryable: false,
      detail: "no",
      jitter: 0,
      retry_after_ms: null,
    });

    expect(explainTaint(recordsOf(run), "$error", last(run))?.chains.map(({ source }) => source)).toEqual(["node:fetch"]);
  });

  test("follows control flow when the write itself is clean", () => {
    const run = atTriage(undefined, "free");
    run.work(result());
    expect(run.state().currentNode).toBe("decline");
    run.work(result(update("result", "declined")));
    const taint = explainTaint(recordsOf(run), "result", last(run));

    expect(taint?.label.provenance).toEqual(expect.arrayContaining(["mcp:docs/read"]));
    expect(taint?.chains.map(({ source }) => source)).toEqual(["mcp:docs/read"]);
    expect(taint?.chains[0]?.steps.some(({ via }) => via === "control")).toBe(true);
  });

  test("needs no values: every source of every untrusted cell is found, or is itself a link", () => {
    const run = atGate();
    for (const cell of run.state().cells.filter(({ label }) => label.integrity === "untrusted")) {
      const taint = explainTaint(recordsOf(run), cell.path, last(run));
      expect(taint?.chains.length).toBeGreaterThan(0);
      for (const { source } of taint?.chains ?? []) expect(cell.label.provenance).toContain(source);
    }
  });
});
