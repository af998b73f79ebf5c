import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCanonicalJson, type Json } from "@/lib/json";
import { applyRecord, applyRecords } from "@/lib/engine/reduce";
import type { Cell } from "@/lib/engine/state";
import { parseEntries, hiddenEntriesOf } from "@/lib/engine/testing/entries";
import { atGate, atParse, atTriage, decideAs, newRun, result, REVIEWER, started, update, user } from "@/lib/engine/testing/run";
import { diffMemory, stateAt, stateBefore, type MemoryChange } from "@/lib/engine/timeline";

const text = (state: unknown): string => toCanonicalJson(state as Json);
const brief = (changes: readonly MemoryChange[]) => changes.map(({ path, change }) => `${change} ${path}`);

describe("the state at any record", () => {
  test("is the live state then, byte for byte, also across a gate", () => {
    const run = atGate();
    const atTheGate = run.state();
    decideAs(run, user(REVIEWER));

    expect(text(stateAt(parseEntries(run), atTheGate.version - 1))).toBe(text(atTheGate));
    expect(text(stateAt(parseEntries(run), run.state().version - 1))).toBe(text(run.state()));
  });

  test("is the same for all records at once and one by one, without changing its input", () => {
    const run = atGate();
    decideAs(run, user(REVIEWER));
    const entries = parseEntries(run);
    const states = [stateBefore(entries[0]?.signed)];
    for (const { signed, values } of entries) states.push(applyRecord(states.at(-1) ?? stateBefore(undefined), signed, values));
    const texts = states.map(text);

    for (const [from, state] of states.entries()) {
      const end = applyRecords(state, entries.slice(from));
      expect(text(end)).toBe(texts.at(-1));
      expect(text(applyRecords(end, entries))).not.toBe(texts.at(-1));
      expect(text(end)).toBe(texts.at(-1));
    }
    expect(states.map(text)).toEqual(texts);
  });

  test("before the first record is the empty state", () => {
    const run = started(atGate().published);

    expect(stateAt(parseEntries(run), -1)).toMatchObject({ version: 0, status: "pending", cells: [] });
    expect(stateAt([], 5)).toMatchObject({ version: 0 });
  });
});

describe("the memory difference", () => {
  test("names added, changed and removed paths with labels before and after", () => {
    const run = atTriage();
    const [before, after] = [stateAt(parseEntries(run), 1).cells, run.state().cells];
    const changes = diffMemory(before, after);

    expect(brief(changes)).toEqual(["added mail", "added request"]);
    expect(changes[1]?.after).toMatchObject({ content: { known: true, value: { plan: "team" } }, label: { integrity: "untrusted" } });
    expect(brief(diffMemory(after, before))).toEqual(["removed mail", "removed request"]);
  });

  test("reports that a hidden value was written again, and nothing otherwise", () => {
    const run = atParse();
    const before = run.state().version - 1;
    run.work({ kind: "action", action: update("note", "one") });
    const once = run.state().version - 1;
    run.work({ kind: "action", action: update("note", "two") });
    const hidden = hiddenEntriesOf(run);

    expect(brief(diffMemory(stateAt(hidden, before).cells, stateAt(hidden, once).cells))).toEqual(["added note"]);
    const changes = diffMemory(stateAt(hidden, once).cells, stateAt(hidden, once + 1).cells);
    expect(brief(changes)).toEqual(["changed note"]);
    expect(changes[0]?.after?.content).toEqual({ known: false });
  });

  test("includes label changes of equal values", () => {
    const run = atParse();
    run.work({ kind: "action", action: update("note", "same") });
    const cells = run.state().cells;
    const relabelled = cells.map((cell): Cell =>
      cell.path === "note" ? { ...cell, label: { ...cell.label, integrity: "reviewed" } } : cell,
    );

    expect(brief(diffMemory(cells, relabelled))).toEqual(["changed note"]);
  });

  const cell = fc.record({
    path: fc.constantFrom("note", "note.a", "note.b", "result"),
    seq: fc.nat(5),
    value: fc.oneof(fc.constant<Json>({ a: 1 }), fc.integer({ max: 2, min: 0 })),
    known: fc.boolean(),
  });
  const cells = fc.array(cell, { maxLength: 5 }).map((list) =>
    list.map(({ path, seq, value, known }, index): Cell => ({
      path,
      seq,
      index,
      label: { integrity: "trusted", confidentiality: "public", provenance: [] },
      commitment: `${path}${seq}${JSON.stringify(value)}`,
      content: known ? { known: true, value } : { known: false },
    })),
  );

  test("is empty for equal memories, and reversible", () => {
    const turned = { added: "removed", removed: "added", changed: "changed" } as const;
    fc.assert(
      fc.property(cells, cells, (a, b) => {
        expect(diffMemory(a, a)).toEqual([]);
        const back = diffMemory(b, a).map(({ path, change, before, after }) => ({
          path,
          change: turned[change],
          before: after,
          after: before,
        }));
        expect(diffMemory(a, b)).toEqual(back);
      }),
    );
  });
});

describe("a run with a refused start", () => {
  test("has a state at its only record", () => {
    const run = newRun(atParse().published);
    run.work(result());

    expect(text(stateAt(parseEntries(run), 0))).toBe(text(run.state()));
  });
});
