/** Carpenter checks 1 to 8 (docs/decisions/conformance.md). */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CLASSIFICATIONS, INTEGRITIES, joinLabels, type Label } from "@/lib/graph/label";
import { graphSchema } from "@/lib/graph/document";
import { recordSchema } from "@/lib/engine/ledger/record";
import { isolateView } from "@/lib/engine/isolation";
import { getCode, result } from "@/lib/engine/testing/run";
import { atExtract, atReview, FORM, judge, judgeNow, review, says, speak, zone } from "@/lib/engine/testing/zones";

const label: fc.Arbitrary<Label> = fc.record({
  integrity: fc.constantFrom(...INTEGRITIES),
  confidentiality: fc.constantFrom(...CLASSIFICATIONS),
  provenance: fc.subarray(["graph", "mcp:docs/read", "user:a"]),
});
const raised = (run: ReturnType<typeof atReview>) =>
  run
    .state()
    .cells.filter((cell) => cell.label.integrity === "reviewed")
    .map(({ path }) => path);

test("1. a value made of two is as trusted as the less trusted one, in any order", () => {
  fc.assert(
    fc.property(label, label, (a, b) => {
      const joined = joinLabels([a, b]);
      expect(joined).toEqual(joinLabels([b, a]));
      expect(INTEGRITIES.indexOf(joined.integrity)).toBe(Math.min(INTEGRITIES.indexOf(a.integrity), INTEGRITIES.indexOf(b.integrity)));
      expect(joined.provenance).toEqual([...new Set([...a.provenance, ...b.provenance])].toSorted());
    }),
  );
});

test("3. a review without reviewers opens no case, and nothing behind it is raised", () => {
  const run = atReview(zone({ review: review({ reviewers: [] }) }));
  expect(Object.values(run.state().cases).filter(({ status }) => status === "open" || status === "passed")).toEqual([]);
  expect(raised(run)).toEqual([]);
});

test("4. a judge of another review, or an unknown reviewer, raises nothing", () => {
  const elsewhere = atReview(zone({ judge: judge({ review: "elsewhere" }) }));
  speak(elsewhere, says("approve"));
  judgeNow(elsewhere);
  expect(elsewhere.state().lastError?.code).toBe("judge_rejected");
  expect(raised(elsewhere)).toEqual([]);
  const unknown = atReview(zone({ review: review({ reviewers: [{ type: "agent", agent_id: "missing" }] }) }));
  expect(unknown.state().lastError?.code).toBe("agent_missing");
});

test("5. proposers cannot set the integrity of their own values", () => {
  const run = atExtract();
  const trusted = { integrity: "trusted", confidentiality: "public", provenance: [] };
  const labelled = { type: "update_memory", updates: [{ path: "form", value: FORM, label: trusted }] };
  expect(getCode(run.work(result(labelled)))).not.toBe("accepted");
  expect(getCode(run.work(result({ type: "update_memory", updates: [{ path: "form", value: FORM }], allow_tainted: true })))).not.toBe(
    "accepted",
  );
  expect(getCode(run.work({ ...result(), allow_tainted: true }))).toBe("malformed");
  expect(run.state().cells.some(({ path }) => path === "form")).toBe(false);
});

test("6. a promotion creates one new cell and leaves its sources unchanged", () => {
  const run = atReview();
  const before = run.state().cells;
  speak(run, says("approve"));
  judgeNow(run);
  expect(raised(run)).toEqual(["good"]);
  expect(run.state().cells.filter(({ path }) => path !== "good")).toEqual(before);
});

test("7. unlabelled values are untrusted: no record has one, and isolated agents see a handle", () => {
  const run = atReview();
  const record = run.records().find((each) => each.record.writes.length > 0)?.record;
  expect(recordSchema.safeParse(record).success).toBe(true);
  const unlabelled = record?.writes.map(({ path, commitment }) => ({ path, commitment }));
  expect(recordSchema.safeParse({ ...record, writes: unlabelled }).success).toBe(false);
  const cells = run.state().cells.map((cell) => (cell.path === "topic" ? { ...cell, label: JSON.parse("{}") as Label } : cell));
  expect(isolateView(run.published.graph, { cells }, ["topic"])).toMatchObject({ topic: { $handle: { key: "topic" } } });
});

test("8. a graph cannot set integrity, nor name unknown kinds or roles", () => {
  const document = JSON.parse(JSON.stringify(zone().graph)) as { nodes: object[]; memory: object[] };
  expect(graphSchema.safeParse(document).success).toBe(true);
  const [first, ...others] = document.nodes;
  for (const change of [{ integrity: "trusted" }, { label: "trusted" }, { kind: "untrusted_shape" }, { role: "reviewer" }]) {
    expect(graphSchema.safeParse({ ...document, nodes: [{ ...first, ...change }, ...others] }).success).toBe(false);
  }
  const [key, ...keys] = document.memory;
  expect(graphSchema.safeParse({ ...document, memory: [{ ...key, integrity: "trusted" }, ...keys] }).success).toBe(false);
});
