/** Independent of `decide` and `reduce`. */
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { withValueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { newTaint } from "@/bench/adversary/taint";
import type { Violation, World } from "@/bench/adversary/world";
import { checkLimits } from "./budget";
import { takeEvent, takeRecall } from "./events";
import { cross, newPlace } from "./places";
import { checkProposer } from "./proposers";
import { placeOf, type Blame, type Seen } from "./visibility";
import { checkAside, checkWrite } from "./writes";

const isOpen = (seen: Seen) => [...seen.gates.values()].some(({ status }) => status === "open");

const newSeen = (world: World): Seen => ({
  world,
  taint: newTaint(),
  gates: new Map(),
  escalated: new Set(),
  effects: new Map(),
  cases: new Map(),
  arguments: new Map(),
  results: new Map(),
  answered: new Map(),
  proposals: new Set(),
  reservations: new Map(),
  spent: new Map(),
  choices: new Map(),
  undo: [],
  places: [newPlace(world.scenario.published, null, false, { iterations: 0, workedMs: 0, tokens: 0, cost: 0 })],
  wait: null,
  initiator: "",
  author: "",
  handoffs: 0,
  iterations: 0,
  counted: null,
  tokens: 0,
  cost: 0,
  startedAt: null,
  waitingSince: null,
  waitedMs: 0,
  started: false,
  unwinding: false,
  over: false,
});

/** Engine cells explain the rest. */
const takeWrites = (seen: Seen, record: LedgerRecord, values: readonly Json[], crossing: ReturnType<typeof cross>, blame: Blame): void => {
  for (const [index, { path, label }] of record.writes.entries()) {
    if (!path.startsWith("$")) continue;
    const value = values[index] ?? null;
    if (path.startsWith("$arguments.")) seen.arguments.set(path.slice("$arguments.".length), value);
    if (path.startsWith("$result.")) seen.results.set(path.slice("$result.".length), value);
    checkAside(seen, { path, label }, blame);
  }
  // Only influences before the decision count.
  for (const [index, { path: placed, label }] of record.writes.entries()) {
    if (placed.startsWith("$")) continue;
    const place = placeOf(seen);
    const prefix = seen.places.length > 1 ? /^@[0-9]+\//u.exec(placed)?.[0] : "";
    if (prefix === undefined) blame("W1", `${placed} was written outside of the subgraph`);
    const path = placed.slice(prefix?.length ?? 0);
    const value = values[index] ?? null;
    place.memory = withValueAt(place.memory, path.split("."), value);
    checkWrite(seen, record, { path, value, label }, crossing, blame);
  }
};

export const judgeLedger = (world: World): Violation[] => {
  const found: Violation[] = [];
  const seen = newSeen(world);
  const values = world.run.values();
  for (const [index, { record }] of world.run.records().entries()) {
    const blame: Blame = (property, what) => found.push({ property, what: `record ${index} (${record.proposal_kind}): ${what}` });
    if (record.kind === "refusal") {
      if (record.writes.some(({ path }) => path !== "$attempt") || record.control.length > 0) blame("I2", "a refusal did something");
      continue;
    }
    checkProposer(seen, record, isOpen(seen), blame);
    checkLimits(seen, record, blame);
    const own = values[index] ?? [];
    const crossing = cross(seen, record, blame);
    takeWrites(seen, record, own, crossing, blame);
    if (record.proposal_kind === "recall") takeRecall(seen, record, blame);
    for (const event of record.control) takeEvent(seen, record, event, own, crossing, blame);
  }

  return found;
};
