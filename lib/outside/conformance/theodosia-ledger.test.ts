/** Theodosia checks 34 to 41 (docs/decisions/conformance.md). */
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Json } from "@/lib/json";
import type { Principal } from "@/lib/engine/principal";
import type { ProposalBody } from "@/lib/engine/proposal";
import { isResting } from "@/lib/engine/state";
import { plan } from "@/lib/engine/plan";
import { parseEntries } from "@/lib/engine/testing/entries";
import { step as node } from "@/lib/engine/testing/kinds";
import { chainOf, exportOf, getKeys, newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { agent, atRest, does, driven, step } from "@/lib/engine/testing/outside";
import { engine, executor, newRun, result, startBody, update, uuid, type TestRun } from "@/lib/engine/testing/run";
import { createFailure } from "@/lib/engine/testing/work";
import { stateAt } from "@/lib/engine/timeline";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";

const GRAPH = driven([node("first", { action: { inputs: [{ name: "subject", path: "topic" }] } }), node("second"), node("last")]);

let key: TestKey;
let records: LedgerExport["records"];
let ledger: LedgerExport;

const signedBy = async (run: TestRun, by: TestKey): Promise<LedgerExport> =>
  exportOf(
    run,
    await chainOf(
      run.records().map(({ record }) => record),
      by,
    ),
  );

const worked = (): TestRun => {
  const run = atRest(GRAPH);
  step(run, "last");
  step(run, "first", { subject: "plans" });
  does(run);
  step(run, "second");
  run.work(createFailure());

  return run;
};

beforeAll(async () => {
  key = await newKey("k1");
  ledger = await signedBy(worked(), key);
  ({ records } = ledger);
});

const verify = (change: Partial<LedgerExport> = {}, keys = getKeys(key)) => verifyLedger({ ...ledger, ...change }, keys);

type Event = (run: TestRun) => unknown;

const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.tuple(fc.constantFrom("first", "second", "last", "nowhere"), fc.constantFrom<Json>(null, { subject: "x" }, "{", { other: 1 })).map(
    ([action, inputs]): Event =>
      (run) =>
        step(run, action, inputs),
  ),
  fc.constant<Event>((run) => does(run)),
  fc.constant<Event>((run) => run.work(createFailure())),
);

test("34. the ledger verifies after any attempts in any order", async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 15, size: "max" }), async (events) => {
      const run = atRest(GRAPH);
      for (const event of events) event(run);
      const whole = await signedBy(run, key);
      expect(await verifyLedger(whole, getKeys(key))).toMatchObject({ ok: true, records: run.records().length });
      for (const { record } of run.records()) reached.add(record.refusal?.code ?? record.kind);
    }),
    { numRuns: 40 },
  );
  for (const code of ["unknown_action", "invalid_transition", "validation_failed"]) expect([...reached]).toContain(code);
});

test("35. detects an edit in any record and names it", async () => {
  for (const { seq, body } of records) {
    const places = Array.from({ length: 10 }, (_, index) => Math.floor((index * body.length) / 10));
    for (const place of places) {
      const edited = `${body.slice(0, place)}${body[place] === "7" ? "8" : "7"}${body.slice(place + 1)}`;
      const found = await verify({ records: records.map((record) => (record.seq === seq ? { ...record, body: edited } : record)) });
      expect(found).toMatchObject({ ok: false, seq });
    }
  }
});

test("36. detects swapped, duplicate and missing records and names the first", async () => {
  for (const [at, record] of records.entries()) {
    const missing = at === records.length - 1 ? "truncated" : "seq_gap";
    expect(await verify({ records: records.toSpliced(at, 1) })).toEqual({ ok: false, seq: at, reason: missing });
    expect(await verify({ records: records.toSpliced(at, 0, record) })).toEqual({ ok: false, seq: at + 1, reason: "seq_gap" });
  }
  for (const [at, next] of records.slice(1).entries()) {
    const swapped = records.toSpliced(at, 2, next, ...records.slice(at, at + 1));
    expect(await verify({ records: swapped })).toEqual({ ok: false, seq: at, reason: "seq_gap" });
  }
});

test("37. detects a truncated tail by the head's count", async () => {
  for (let count = 0; count < records.length; count += 1) {
    const cells = ledger.cells.filter(({ seq }) => seq < count);
    expect(await verify({ records: records.slice(0, count), cells })).toEqual({ ok: false, seq: count, reason: "truncated" });
  }
});

test("38. verifies a ledger under its own key only, and reports unknown and wrong keys", async () => {
  const other = await newKey("k1");
  expect(await verify()).toMatchObject({ ok: true });
  expect(await verify({}, {})).toEqual({ ok: false, seq: 0, reason: "unknown_key" });
  expect(await verify({}, getKeys(await newKey("k2")))).toEqual({ ok: false, seq: 0, reason: "unknown_key" });
  expect(await verify({}, getKeys(other))).toEqual({ ok: false, seq: 0, reason: "signature" });
});

test("39. verifies a ledger for its own run and workspace only", async () => {
  expect(await verify({ run: uuid(77) })).toMatchObject({ ok: false, reason: "wrong_run" });
  expect(await verify({ workspace: uuid(78) })).toMatchObject({ ok: false, reason: "wrong_run" });
});

test("40. names an unreadable record after checking all before it, and ignores what follows", async () => {
  for (const { seq } of records) {
    let checked = 0;
    const broken = records.map((record) => (record.seq === seq ? { ...record, body: record.body.slice(1) } : record));
    const found = await verifyLedger({ ...ledger, records: broken }, getKeys(key), (count) => {
      checked = count;
    });
    expect([found, checked]).toEqual([{ ok: false, seq, reason: "malformed" }, seq]);
  }
});

type Wanted = readonly [Principal, ProposalBody | ((run: TestRun) => ProposalBody)];

const work = (body: Record<string, unknown>): Wanted => [
  executor("first"),
  (run) => ({ activation: run.state().activation ?? 0, ...body }) as unknown as ProposalBody,
];

const WANTED: readonly Wanted[] = [
  [agent(), startBody(GRAPH, {})],
  [agent(), { kind: "step", action: "last", inputs: null }],
  [agent(), { kind: "step", action: "first", inputs: { subject: "plans" } }],
  work(result(update("out", 1))),
  [agent(), { kind: "cancel" }],
];

test("41. two writers that read the head each time write the same bytes as one that keeps it", async () => {
  const one = newRun(GRAPH);
  const chains: string[][] = [[], []];
  let ids = 500;
  const both = (by: Principal, body: ProposalBody): void => {
    const proposal = { id: uuid((ids += 1)), fresh: [uuid((ids += 1)), uuid((ids += 1))] as const, at: one.now() };
    const entries = parseEntries(one);
    const anew = entries.length === 0 ? newRun(GRAPH) : newRun(GRAPH, undefined, stateAt(entries, entries.length - 1));
    for (const [index, run] of [one, anew].entries()) {
      run.propose(by, body, { ...proposal, fresh: [...proposal.fresh] });
      chains[index]?.push(JSON.stringify(run.records().at(-1)));
    }
  };
  for (const [by, body] of WANTED) {
    both(by, typeof body === "function" ? body(one) : body);
    for (let next = plan(GRAPH, one.state(), one.now(), 1); next.type === "propose"; next = plan(GRAPH, one.state(), one.now(), 1))
      both(engine, next.body);
  }
  expect(chains[1]).toEqual(chains[0]);
  expect([one.state().status, isResting(one.state()), one.records().length > WANTED.length]).toEqual(["cancelled", false, true]);
});
