import { describe, expect, it } from "vitest";
import { judge } from "./all";
import type { EffectFact, End, RecordFact, RunEnd } from "./end";
import { checkFaults, fitted } from "./processes";

const MB = 1_048_576;

const record = (seq: number, epoch: number | null = 1): RecordFact => ({
  seq,
  digest: `d${seq}`,
  parent: `d${seq - 1}`,
  epoch,
  proposal: `p${seq}`,
});

const effect = (change: Partial<EffectFact> = {}): EffectFact => ({
  id: "e1",
  run: "r1",
  tool: "send",
  idempotent: false,
  intents: 1,
  resentUnasked: 0,
  outcome: "ok",
  simulated: false,
  ...change,
});

const run = (change: Partial<RunEnd> = {}): RunEnd => ({
  id: "r1",
  status: "completed",
  version: 3,
  head: "d2",
  leased: false,
  frozen: null,
  replayed: { status: "completed", version: 3, head: "d2" },
  next: "none",
  reason: null,
  fault: null,
  records: [record(0, null), record(1), record(2)],
  effects: [effect()],
  ...change,
});

const sample = (index: number, heap: number, rss: number) => ({ place: 0, pid: 1, at: index * 1_000, heap, rss });
const flat = Array.from({ length: 90 }, (_, index) => sample(index, 100 * MB + (index % 5) * MB, 300 * MB));

const waiting = run({
  id: "r2",
  status: "waiting",
  next: "wait",
  effects: [],
  replayed: { status: "waiting", version: 3, head: "d2" },
  records: [record(0, null), record(1), record(2)].map((one) => ({ ...one, proposal: `r2 ${one.proposal}` })),
});

const END: End = {
  workspace: "w",
  runs: [run(), waiting],
  wanted: ["r1", "r2"],
  received: new Map([["e1", 1]]),
  deeds: new Map([["e1", 1]]),
  asked: [{ id: "p0", run: "r1" }],
  commands: [{ id: "p0", run: "r1", kind: "start", status: "accepted", seq: 0 }],
  audit: { checkpoints: 2, faults: [] },
  trust: { faults: [] },
  memory: flat,
  connections: { base: 20, end: 24, runners: 3 },
  log: [
    { level: 30, text: "the runner is ready" },
    { level: 40, text: "looking for runs to drive failed: error: the database system is starting up" },
  ],
  deaths: [{ how: "exit 1", wasReady: false, place: 1 }],
  drains: [2_000],
  takeovers: [{ fault: "kill", orphans: 2, firstMs: 11_000, lastMs: 12_000, stuck: [] }],
  planned: [
    { kind: "kill", times: 1 },
    { kind: "disk", times: 1 },
  ],
  skipped: { disk: "only root may mount" },
  undone: [],
  faults: [{ kind: "kill", times: 1, hits: 2 }],
  full: true,
};

const failing = (change: Partial<End>): string[] =>
  judge({ ...END, ...change })
    .filter(({ failures }) => failures.length > 0)
    .map(({ name }) => name);

const withRun = (change: Partial<RunEnd>): Partial<End> => ({ runs: [run(change), waiting] });
const withEffect = (change: Partial<EffectFact>, done: number, received = done): Partial<End> => ({
  runs: [run({ effects: [effect(change)] }), waiting],
  received: new Map(received === 0 ? [] : [["e1", received]]),
  deeds: new Map(done === 0 ? [] : [["e1", done]]),
});
const POST = { tool: "post", idempotent: true } as const;
const growing = (what: "heap" | "rss", byMb: number) => flat.map((one, index) => ({ ...one, [what]: one[what] + index * byMb * MB }));

it("reports no fault in a clean end state", () => {
  expect(failing({})).toEqual([]);
});

describe("reports", () => {
  it.each<[string, Partial<End>, string]>([
    ["a running run that no runner drives", withRun({ status: "running", next: "execute", replayed: null }), "settled"],
    ["a run that is still leased", withRun({ status: "running", leased: true, replayed: null }), "settled"],
    ["a waiting run without a request", withRun({ status: "waiting", next: "execute", replayed: null, effects: [effect()] }), "settled"],
    ["a frozen run", withRun({ frozen: "graph at record 0" }), "settled"],
    ["a run that never started", { wanted: ["r1", "r2", "r3"] }, "settled"],
    ["a call executed twice but decided once", withEffect({}, 2), "effects"],
    ["an idempotent call sent fifty times, executed once and decided once", withEffect(POST, 1, 50), "effects"],
    ["an idempotent call sent once more than decided", withEffect({ ...POST, intents: 2 }, 1, 3), "effects"],
    ["a read sent twice but decided once", withEffect({ tool: "look", idempotent: true }, 0, 2), "effects"],
    ["an effect whose call was not counted", withEffect({}, 1, 0), "effects"],
    ["a call recorded as done but never received", withEffect({}, 0), "effects"],
    ["a call recorded as done but without effect", withEffect({}, 0, 1), "effects"],
    ["an effect without a record", { deeds: new Map([...END.deeds, ["e9", 1]]) }, "effects"],
    ["a call without a record", { received: new Map([...END.received, ["e9", 1]]) }, "effects"],
    ["a call of a simulated fork", withEffect({ simulated: true }, 0, 1), "effects"],
    ["a call without an outcome in a completed run", withEffect({ outcome: null }, 1), "effects"],
    ["a call resent without approval", withEffect({ intents: 2, resentUnasked: 1 }, 1), "effects"],
    ["a ledger that does not verify", withRun({ fault: "hash at record 1", replayed: null }), "ledgers"],
    ["a row that differs from the ledger", withRun({ replayed: { status: "failed", version: 3, head: "d2" } }), "heads"],
    ["a commit by a runner that had lost the lease", withRun({ records: [record(0, null), record(1, 2), record(2, 1)] }), "fencing"],
    ["two records with the same number", withRun({ records: [record(0, null), record(1), { ...record(1), proposal: "p9" }] }), "fencing"],
    ["a record with the wrong parent", withRun({ records: [record(0, null), record(1), { ...record(2), parent: "d0" }] }), "fencing"],
    ["a command without an answer", { commands: [{ id: "p0", run: "r1", kind: "start", status: "pending", seq: null }] }, "commands"],
    [
      "a command answered with the wrong record",
      { commands: [{ id: "p0", run: "r1", kind: "start", status: "accepted", seq: 1 }] },
      "commands",
    ],
    ["a command decided twice", withRun({ records: [record(0, null), { ...record(1), proposal: "p0" }, record(2)] }), "commands"],
    ["a missing command", { asked: [...END.asked, { id: "p9", run: "r1" }] }, "commands"],
    ["a rewritten log", { audit: { checkpoints: 2, faults: [{ what: "root", run: "r1" }] } }, "checkpoints"],
    ["no checkpoint", { audit: { checkpoints: 0, faults: [] } }, "checkpoints"],
    ["a trust log that lacks a row", { trust: { faults: [{ what: "trust_missing at 1.0", run: "r1" }] } }, "trust log"],
    ["a late takeover", { takeovers: [{ fault: "kill", orphans: 1, firstMs: 31_000, lastMs: 31_000, stuck: [] }] }, "takeover"],
    [
      "runs that no runner takes over",
      { takeovers: [{ fault: "pause", orphans: 1, firstMs: null, lastMs: null, stuck: ["r1"] }] },
      "takeover",
    ],
    ["a crashed runner", { deaths: [{ how: "exit 1", wasReady: true, place: 0 }] }, "processes"],
    ["a runner that does not stop", { drains: [null] }, "processes"],
    ["a growing heap", { memory: growing("heap", 1) }, "memory"],
    ["a growing process", { memory: growing("rss", 3) }, "memory"],
    ["connections that stay open", { connections: { base: 20, end: 40, runners: 3 } }, "connections"],
    ["an error that no fault explains", { log: [{ level: 50, text: "an executor failed: TypeError: x is not a function" }] }, "log"],
    [
      "a run logged as frozen, whatever its ledger says now",
      { log: [{ level: 50, text: "a run is frozen: its ledger does not verify" }] },
      "log",
    ],
    ["no faults in a full run", { faults: [], full: true }, "faults"],
    ["no faults in a short run", { faults: [], full: false }, "faults"],
    ["only skipped faults", { planned: [{ kind: "disk", times: 1 }], faults: [] }, "faults"],
    [
      "a fault that could not be injected in a short run",
      { planned: [...END.planned, { kind: "cut", times: 2 }], undone: [{ kind: "cut", why: "refused" }], full: false },
      "faults",
    ],
    ["a fault that hit nothing", { faults: [{ kind: "kill", times: 9, hits: 0 }] }, "faults"],
  ])("%s", (_what, change, name) => {
    expect(failing(change)).toEqual([name]);
  });
});

describe("accepts correct behaviour", () => {
  it.each<[string, Partial<End>]>([
    ["a call that a person resent after a crash", withEffect({ intents: 2 }, 2)],
    ["an idempotent call resent as often as decided and executed once", withEffect({ ...POST, intents: 3, resentUnasked: 2 }, 1, 3)],
    ["a read that returned", withEffect({ tool: "look", idempotent: true }, 0, 1)],
    ["a call that failed after it was executed", withEffect({ outcome: "tool_error" }, 1)],
    ["a call without an outcome, abandoned on record", withEffect({ outcome: "abandoned" }, 0)],
    ["a fork that starts mid-run", { ...withRun({ records: [record(5), record(6)], effects: [] }), received: new Map(), deeds: new Map() }],
    [
      "a commit timeout of a paused runner",
      { log: [{ level: 40, text: "driving a run was cut off by the database; the sweep goes on: Error: Query read timeout" }] },
    ],
    [
      "the first spilling sort after database creation while the disk is full",
      {
        log: [
          {
            level: 50,
            text: 'no checkpoint was taken: error: could not create temporary file "base/pgsql_tmp/pgsql_tmp42.0": No such file or directory',
          },
        ],
      },
    ],
    ["a few samples", { memory: flat.slice(0, 10) }],
    ["faults that hit nothing within a few seconds", { faults: [{ kind: "kill", times: 1, hits: 0 }], full: false }],
  ])("%s", (_what, change) => {
    expect(failing(change)).toEqual([]);
  });
});

it("reports why a fault was not injected or was skipped", () => {
  const planned = [...END.planned, { kind: "cut", times: 2 }];
  const check = checkFaults({ ...END, planned, undone: [{ kind: "cut", why: "refused" }] });
  expect(check.failures).toEqual(["cut was planned 2 times and never done: refused"]);
  expect(check.says).toContain("disk skipped: only root may mount");
});

it("fits a line through collinear points exactly", () => {
  const { first, last } = fitted([0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x })));
  expect(first).toBeCloseTo(5);
  expect(last).toBeCloseTo(11);
});
