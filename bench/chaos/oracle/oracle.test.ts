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

it("finds nothing in a clean end", () => {
  expect(failing({})).toEqual([]);
});

describe("finds faults", () => {
  it.each<[string, Partial<End>, string]>([
    ["a running run that no runner drives", withRun({ status: "running", next: "execute", replayed: null }), "settled"],
    ["a run that is still under lease", withRun({ status: "running", leased: true, replayed: null }), "settled"],
    ["a run that waits for nothing", withRun({ status: "waiting", next: "execute", replayed: null, effects: [effect()] }), "settled"],
    ["a frozen run", withRun({ frozen: "graph at record 0" }), "settled"],
    ["a run that was never begun", { wanted: ["r1", "r2", "r3"] }, "settled"],
    ["a call that happened twice, and was decided once", withEffect({}, 2), "effects"],
    ["an idempotent call that was sent fifty times, done once, and decided once", withEffect(POST, 1, 50), "effects"],
    ["an idempotent call that was sent once more than it was decided", withEffect({ ...POST, intents: 2 }, 1, 3), "effects"],
    ["a read that was sent twice, and decided once", withEffect({ tool: "look", idempotent: true }, 0, 2), "effects"],
    ["an effect whose call was not counted", withEffect({}, 1, 0), "effects"],
    ["a call that is recorded as done, and never came", withEffect({}, 0), "effects"],
    ["a call that is recorded as done, and came to nothing", withEffect({}, 0, 1), "effects"],
    ["a deed that no record knows", { deeds: new Map([...END.deeds, ["e9", 1]]) }, "effects"],
    ["a call that no record knows", { received: new Map([...END.received, ["e9", 1]]) }, "effects"],
    ["a call of a simulated fork", withEffect({ simulated: true }, 0, 1), "effects"],
    ["a call without an outcome in a run that is completed", withEffect({ outcome: null }, 1), "effects"],
    ["a call that was sent again without asking anybody", withEffect({ intents: 2, resentUnasked: 1 }, 1), "effects"],
    ["a ledger that does not verify", withRun({ fault: "hash at record 1", replayed: null }), "ledgers"],
    ["a row that is not what the ledger says", withRun({ replayed: { status: "failed", version: 3, head: "d2" } }), "heads"],
    ["a commit by a runner that had lost the lease", withRun({ records: [record(0, null), record(1, 2), record(2, 1)] }), "fencing"],
    ["two records of one number", withRun({ records: [record(0, null), record(1), { ...record(1), proposal: "p9" }] }), "fencing"],
    [
      "a record that goes on from another one",
      withRun({ records: [record(0, null), record(1), { ...record(2), parent: "d0" }] }),
      "fencing",
    ],
    ["a command without an answer", { commands: [{ id: "p0", run: "r1", kind: "start", status: "pending", seq: null }] }, "commands"],
    [
      "a command that was answered with another record",
      { commands: [{ id: "p0", run: "r1", kind: "start", status: "accepted", seq: 1 }] },
      "commands",
    ],
    ["a command that was decided twice", withRun({ records: [record(0, null), { ...record(1), proposal: "p0" }, record(2)] }), "commands"],
    ["a command that is gone", { asked: [...END.asked, { id: "p9", run: "r1" }] }, "commands"],
    ["a log that was rewritten", { audit: { checkpoints: 2, faults: [{ what: "root", run: "r1" }] } }, "checkpoints"],
    ["no checkpoint at all", { audit: { checkpoints: 0, faults: [] } }, "checkpoints"],
    ["a trust log that lacks a row", { trust: { faults: [{ what: "trust_missing at 1.0", run: "r1" }] } }, "trust log"],
    [
      "a takeover that comes too late",
      { takeovers: [{ fault: "kill", orphans: 1, firstMs: 31_000, lastMs: 31_000, stuck: [] }] },
      "takeover",
    ],
    [
      "runs that no runner takes over",
      { takeovers: [{ fault: "pause", orphans: 1, firstMs: null, lastMs: null, stuck: ["r1"] }] },
      "takeover",
    ],
    ["a runner that falls over", { deaths: [{ how: "exit 1", wasReady: true, place: 0 }] }, "processes"],
    ["a runner that does not stop", { drains: [null] }, "processes"],
    ["a heap that grows", { memory: growing("heap", 1) }, "memory"],
    ["a process that grows", { memory: growing("rss", 3) }, "memory"],
    ["connections that stay open", { connections: { base: 20, end: 40, runners: 3 } }, "connections"],
    ["an error that no fault explains", { log: [{ level: 50, text: "an executor failed: TypeError: x is not a function" }] }, "log"],
    [
      "a run that is frozen, whatever its ledger says now",
      { log: [{ level: 50, text: "a run is frozen: its ledger does not verify" }] },
      "log",
    ],
    ["no faults at all in a full run", { faults: [], full: true }, "faults"],
    ["no faults at all in a short run", { faults: [], full: false }, "faults"],
    ["nothing but faults that were skipped", { planned: [{ kind: "disk", times: 1 }], faults: [] }, "faults"],
    [
      "a fault that could never be done, in a short run",
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
    ["a call that a person had sent again after a crash", withEffect({ intents: 2 }, 2)],
    [
      "an idempotent call that was sent again as often as decided, and done once",
      withEffect({ ...POST, intents: 3, resentUnasked: 2 }, 1, 3),
    ],
    ["a read that came back", withEffect({ tool: "look", idempotent: true }, 0, 1)],
    ["a call that came to an error after it was done", withEffect({ outcome: "tool_error" }, 1)],
    ["a call without an outcome, abandoned on record", withEffect({ outcome: "abandoned" }, 0)],
    [
      "a fork that begins in the middle",
      { ...withRun({ records: [record(5), record(6)], effects: [] }), received: new Map(), deeds: new Map() },
    ],
    [
      "a commit that was under way when its runner was stopped for longer than it may take",
      { log: [{ level: 50, text: "driving a run failed: Error: Query read timeout\n    at storeRows" }] },
    ],
    [
      "a sort that spills while the disk is full, for the first time since the database was made",
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
    ["faults that hit nothing in a few seconds", { faults: [{ kind: "kill", times: 1, hits: 0 }], full: false }],
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
