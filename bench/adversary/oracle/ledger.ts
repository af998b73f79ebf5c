/** Walks a run's records once and says what should never have been accepted. It asks nothing of `decide` or `reduce`. */
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/record";
import { withValueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { effectiveReads } from "@/bench/adversary/grants";
import { newTaint } from "@/bench/adversary/taint";
import type { Violation, World } from "@/bench/adversary/world";
import { checkEffect } from "./effects";
import { checkResolved } from "./gates";
import { checkProposer } from "./proposers";
import { checkEntered, checkLimits } from "./route";
import { nodeOf, type Blame, type Seen } from "./seen";
import { checkWrite } from "./writes";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const readsOf = (seen: Seen): string[] => {
  const node = nodeOf(seen, seen.at);

  return node ? effectiveReads(seen.scenario, node) : [];
};

const isOpen = (seen: Seen) => [...seen.gates.values()].some(({ status }) => status === "open");

/** What the writes beside memory say: what was asked and what waits. */
const takeAside = (seen: Seen, record: LedgerRecord, values: readonly Json[], pending: Map<string, Json>): void => {
  for (const [index, { path }] of record.writes.entries()) {
    const value = values[index] ?? null;
    if (path.startsWith("$arguments.")) seen.arguments.set(path.slice("$arguments.".length), value);
    if (path.startsWith("$pending.")) pending.set(path.slice("$pending.".length), value);
  }
};

const takeStatus = (seen: Seen, event: EventOf<"status_changed">, at: number): void => {
  if (event.to === "running") seen.startedAt ??= at;
  if (event.to === "waiting") seen.waitingSince ??= at;
  else if (seen.waitingSince !== null) {
    seen.waitedMs += at - seen.waitingSince;
    seen.waitingSince = null;
  }
};

const takeEvent = (seen: Seen, record: LedgerRecord, event: RunEvent, pending: ReadonlyMap<string, Json>, blame: Blame): void => {
  switch (event.type) {
    case "run_started":
      seen.initiator = event.initiator;
      seen.author = event.author;
      break;
    case "status_changed":
      if (event.to === "completed" && !seen.scenario.published.graph.end_nodes.includes(seen.at ?? "")) blame("F1", `ended at ${seen.at}`);
      if (event.to === "completed" && nodeOf(seen, seen.at)?.kind === "tool" && !seen.answered.has(seen.activation))
        blame("F1", "ended at a tool that was not called");
      takeStatus(seen, event, record.at);
      break;
    case "node_entered":
      checkEntered(seen, record, event, blame);
      seen.at = event.node;
      seen.activation = event.activation;
      break;
    case "node_completed":
      seen.iterations += 1;
      break;
    case "attempt_failed":
      break;
    case "model_called":
      seen.tokens += event.usage.input_tokens + event.usage.output_tokens;
      seen.cost += event.usage.cost_micro_usd;
      break;
    case "effect_intended":
      checkEffect(seen, record, event, blame);
      seen.effects.set(event.effect_id, { ...event, settled: false });
      break;
    case "effect_settled": {
      const effect = seen.effects.get(event.effect_id);
      if (!effect || effect.settled) blame("R1", "an effect was settled that was not under way");
      else effect.settled = true;
      if (effect && record.principal.type === "executor" && record.principal.node !== effect.node)
        blame("R1", "another node said what came of an effect");
      if (effect && event.outcome !== "abandoned") {
        seen.answered.add(effect.activation);
        seen.taint.answered(effect.activation);
      }
      break;
    }
    case "gate_opened":
      if (isOpen(seen)) blame("F1", "a second gate was opened");
      seen.gates.set(event.gate.id, {
        gate: event.gate,
        status: "open",
        approvers: [],
        receipt: null,
        visit: seen.activation,
        tainted: seen.taint.visit(readsOf(seen)),
        pending: pending.get(event.gate.id) ?? null,
      });
      break;
    case "decision_made":
      if (event.decision === "approve") seen.gates.get(event.approval_id)?.approvers.push(event.user);
      break;
    case "gate_resolved":
      checkResolved(seen, record, event, blame);
      break;
    default:
      event satisfies never;
  }
};

/** Every violation that the ledger of this run shows. */
export const judgeLedger = (world: World): Violation[] => {
  const found: Violation[] = [];
  const seen: Seen = {
    scenario: world.scenario,
    world,
    taint: newTaint(),
    gates: new Map(),
    effects: new Map(),
    arguments: new Map(),
    answered: new Set(),
    proposals: new Set(),
    memory: {},
    at: null,
    activation: -1,
    initiator: "",
    author: "",
    iterations: 0,
    tokens: 0,
    cost: 0,
    startedAt: null,
    waitingSince: null,
    waitedMs: 0,
  };
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
    const pending = new Map<string, Json>();
    takeAside(seen, record, own, pending);
    // What is written now was decided before: only what the visit could see until here counts.
    for (const [position, write] of record.writes.entries()) {
      if (write.path.startsWith("$")) continue;
      seen.memory = withValueAt(seen.memory, write.path.split("."), own[position] ?? null);
      checkWrite(seen, record, { path: write.path, value: own[position] ?? null }, blame);
    }
    for (const event of record.control) takeEvent(seen, record, event, pending, blame);
  }

  return found;
};
