import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Label } from "@/lib/graph/label";
import { blame, listDependencies, listWrites } from "@/lib/engine/labels/blame";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { sliceBackward, forwardSlice, collectTouched } from "@/lib/engine/ledger/slice";
import { anyVersion } from "@/lib/engine/testing/any-graph";
import { anyStep } from "@/lib/engine/testing/any-step";
import { recordsOf } from "@/lib/engine/testing/entries";
import { atGate, atTriage, engine, newRun, startBody, STARTER, user } from "@/lib/engine/testing/run";

const clean = { integrity: "trusted", confidentiality: "internal", provenance: [] } satisfies Label;

const writesBehind = (records: readonly LedgerRecord[], seq: number, withWay: boolean): ReadonlySet<string> => {
  const reached = new Set<string>();
  const seen = new Set<number>();
  const open = [seq];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const record = records.find((candidate) => candidate.seq === at);
    if (!record || seen.has(at)) continue;
    seen.add(at);
    for (const step of listDependencies(records, record)) {
      if (step.via === "control" && !withWay) continue;
      const behind = records.find((candidate) => candidate.seq === step.seq);
      for (const write of step.write ? [step.write] : behind ? listWrites(behind) : []) reached.add(`${write.seq}.${write.index}`);
      open.push(step.seq);
    }
  }

  return reached;
};

const disagreements = (records: readonly LedgerRecord[]): string[] =>
  [false, true].flatMap((withWay) => {
    const behind = new Map(records.map(({ seq }) => [seq, writesBehind(records, seq, withWay)]));

    return records.flatMap(listWrites).flatMap((write) => {
      const forward = forwardSlice(records, write, { withWay }).map(({ seq }) => seq);
      const expected = records.filter(({ seq }) => behind.get(seq)?.has(`${write.seq}.${write.index}`)).map(({ seq }) => seq);

      return forward.toSorted((a, b) => a - b).join() === expected.join() ? [] : [`${write.seq}.${write.index}`];
    });
  });

describe("forward and backward slices", () => {
  test("agree: a record is in a write's forward slice exactly when the write is in its backward slice", () => {
    fc.assert(
      fc.property(anyVersion, fc.array(anyStep, { minLength: 5, maxLength: 25, size: "max" }), (published, steps) => {
        const run = newRun(published);
        run.propose(user(STARTER, "builder"), startBody(published, { topic: "plans", mail: "a", items: [1, 2], salary: 9, person: "Ada" }));
        run.propose(engine, { kind: "begin" });
        for (const step of steps) step(run);
        expect(disagreements(recordsOf(run))).toEqual([]);
      }),
      { numRuns: 60 },
    );
    expect([disagreements(recordsOf(atGate())), disagreements(recordsOf(atTriage()))]).toEqual([[], []]);
  });

  test("form a tree: each record once, below an earlier step, with its depth", () => {
    const records = recordsOf(atGate());
    for (const { seq, index } of records.flatMap(listWrites)) {
      const steps = forwardSlice(records, { seq, index }, { withWay: true });
      expect(new Set(steps.map((step) => step.seq)).size).toBe(steps.length);
      for (const [at, step] of steps.entries()) {
        const above = steps.slice(0, at).find((candidate) => candidate.seq === step.from);
        expect(step.depth).toBe(step.from === null ? 0 : (above?.depth ?? Number.NaN) + 1);
      }
    }
  });

  test("find the call shaped by a request and the gate it opened, and nothing before", () => {
    const records = recordsOf(atGate());
    const [request] = blame(records, "request", records.length - 1);
    if (!request) throw new Error("nothing was asked for");
    const forward = forwardSlice(records, request, { withWay: false });

    expect(collectTouched(records, forward).gates).toHaveLength(1);
    expect(forward.every(({ seq }) => seq > request.seq)).toBe(true);
    const back = sliceBackward(records, [request], { withWay: false });
    expect(back[0]).toMatchObject({ seq: request.seq, via: "written", depth: 0 });
    expect(back.filter(({ isInput }) => isInput).map(({ seq }) => records[seq]?.proposal_kind)).toContain("effect_outcome");
  });

  test("of ten thousand records take under three seconds", () => {
    const [first] = recordsOf(atGate());
    if (!first) throw new Error("no record");
    const records = Array.from({ length: 10_000 }, (_, seq): LedgerRecord => ({
      ...first,
      seq,
      node: "parse",
      proposal_kind: "node_result",
      control: [],
      reads:
        seq === 0
          ? []
          : [
              { key: `note.k${(seq - 1) % 50}`, seq: seq - 1 },
              { key: `note.k${(seq >> 1) % 50}`, seq: seq >> 1 },
            ],
      writes: [{ path: `note.k${seq % 50}`, commitment: "0".repeat(64), label: clean }],
    }));
    const beganMs = performance.now();
    const forward = forwardSlice(records, { seq: 0, index: 0 }, { withWay: true });
    const back = sliceBackward(records, blame(records, "note.k49", 9_999), { withWay: true });
    const tookMs = performance.now() - beganMs;

    expect([forward.length, back.length]).toEqual([9_999, 10_000]);
    expect(collectTouched(records, forward).outputs).toHaveLength(50);
    expect(tookMs).toBeLessThan(3_000);
  });
});
