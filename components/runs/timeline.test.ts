import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CLEAN, type Label } from "@/lib/graph/label";
import { toMemory } from "@/lib/engine/state";
import { parseEntries } from "./entries";
import { listMemoryRows } from "./memory-rows";
import { listFigureChanges, listPathChanges } from "./step-diff";
import { toBatch, type TestRecord } from "./testing";
import { makeTimeline } from "./timeline";

const pii: Label = { integrity: "untrusted", confidentiality: "pii", provenance: ["mcp:customers/find_customer"] };
const write = (path: string, value: number, options: { label?: Label; isHidden?: boolean } = {}) => ({
  path,
  value,
  label: CLEAN,
  ...options,
});

describe("the state at a record", () => {
  test("contains the writes of all records up to it, in any order of access", () => {
    const entries = parseEntries(toBatch(Array.from({ length: 300 }, (_, seq): TestRecord => ({ writes: [write("value", seq)] }))));

    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.array(fc.nat({ max: 299 }), { minLength: 1, maxLength: 5 }), (count, jumps) => {
        const timeline = makeTimeline(entries.slice(0, count));
        for (const seq of jumps.map((jump) => Math.min(jump, count - 1))) {
          expect(toMemory(timeline.stateAt(seq).cells)).toEqual({ value: seq });
          expect(timeline.stateAt(seq).version).toBe(seq + 1);
        }
        expect(timeline.stateAt(-1).cells).toEqual([]);
      }),
    );
  });

  test("contains no hidden values but marks them as present", () => {
    const [row] = listMemoryRows(
      makeTimeline(parseEntries(toBatch([{ writes: [write("customer", 1, { label: pii, isHidden: true })] }]))).stateAt(0),
    );

    expect(row).toMatchObject({ path: "customer", shown: { kind: "hidden" }, label: { integrity: "untrusted" } });
  });

  test("ignores unreadable records", () => {
    const batch = toBatch([{ writes: [write("value", 1)] }, { writes: [write("value", 2)] }]);
    const broken = { ...batch, records: batch.records.map((record) => (record.seq === 1 ? { ...record, body: "{" } : record)) };

    expect(toMemory(makeTimeline(parseEntries(broken)).stateAt(1).cells)).toEqual({ value: 1 });
  });
});

describe("changes of a record", () => {
  const entries = parseEntries(
    toBatch([
      { writes: [write("plan", 1), write("customer", 7, { label: pii, isHidden: true })] },
      {
        writes: [write("plan", 2), write("customer", 8, { label: pii })],
        control: [{ type: "status_changed", to: "running", reason: null }],
      },
    ]),
  );
  const timeline = makeTimeline(entries);
  const [, second] = entries;

  test("lists each path with the values before and after, keeping hidden values hidden", () => {
    expect(second && listPathChanges(timeline.stateAt(0), timeline.stateAt(1), second)).toMatchObject([
      { path: "plan", before: { kind: "value", value: 1 }, after: { kind: "value", value: 2 } },
      { path: "customer", before: { kind: "hidden" }, after: { kind: "value", value: 8 } },
    ]);
  });

  test("lists only the figures that changed", () => {
    expect(listFigureChanges(timeline.stateAt(0), timeline.stateAt(1))).toEqual([{ name: "Status", before: "pending", after: "running" }]);
  });
});
