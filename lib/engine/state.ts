/** State of one run: the fold of `reduce` over its records, with no other writer. */
import type { z } from "zod";
import { joinLabels, type Label } from "@/lib/graph/label";
import { isAtOrBelow, parsePath, withValueAt, type Path } from "@/lib/graph/path";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import type { CaseOutcome, ReviewCase } from "@/lib/engine/approvals/case";
import type { Control, Gate, eventSchema, RunStatus } from "@/lib/engine/event";
import type { ForkEffects, RecordedChange } from "@/lib/engine/forks/fork-change";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import { digestOf, type HexDigest } from "@/lib/hash";

type EventOf<T extends string> = Extract<z.infer<typeof eventSchema>, { type: T }>;

/** Values hidden from the reader are absent. `why`: under review; absent: unspecified. */
export type CellValue = { readonly known: true; readonly value: Json } | { readonly known: false; readonly why?: "review" };

export type Cell = {
  readonly path: string;
  readonly seq: number;
  readonly index: number;
  readonly label: Label;
  readonly commitment: HexDigest;
  readonly content: CellValue;
};

export type Effect = EventOf<"effect_intended"> & { readonly seq: number; readonly outcome: EventOf<"effect_settled">["outcome"] | null };

export type GateState = {
  readonly gate: Gate;
  readonly status: "open" | EventOf<"gate_resolved">["outcome"];
  readonly decisions: readonly EventOf<"decision_made">[];
  readonly receipt: Receipt | null;
  /** Effect that used the receipt; receipts authorize once. */
  readonly usedBy: string | null;
};

/** Active subgraph: the outer state to restore, and its own limits. */
export type Frame = {
  readonly node: string;
  readonly activation: number;
  readonly version: HexDigest;
  readonly limits: Pick<EventOf<"frame_entered">, "max_iterations" | "max_execution_time_ms" | "max_token_budget" | "budget_micro_usd">;
  /** Usage of the run at entry. */
  readonly entered: { readonly iterations: number; readonly workedMs: number; readonly tokens: number; readonly costMicroUsd: number };
  readonly outer: Pick<RunState, "cells" | "controls" | "retryCount">;
};

export type Reservation = Pick<EventOf<"budget_reserved">, "node" | "activation" | "task" | "tokens" | "cost_micro_usd" | "epoch"> & {
  /** As in `RunState.spent`. */
  readonly key: string;
};

export type Undo = Omit<EventOf<"compensation_pushed">, "type"> & { readonly outcome: EventOf<"compensation_settled">["outcome"] | null };

export type Fork = {
  readonly parentRun: string;
  readonly parentSeq: number;
  readonly change: RecordedChange;
  readonly effects: ForkEffects;
  /** Number of forks in the lineage, this one included. */
  readonly depth: number;
  /** Initiators of ancestor runs. */
  readonly initiators: readonly string[];
  /** An approval node passed before this record; its effects are asked about again. */
  readonly approved: boolean;
  /** Replacements by this fork and its ancestors: strict taint, and agents' prompts. */
  readonly strictTaint: boolean | null;
  readonly prompts: readonly string[];
};

/** Rest of an externally driven run, and what a failed action restores. */
export type Position = Pick<EventOf<"action_awaited">, "after" | "actions" | "label"> & {
  /** ms since 1970 */
  readonly since: number;
  readonly cells: readonly Cell[];
  readonly controls: readonly Control[];
};

export type CaseState = {
  readonly case: ReviewCase;
  readonly seq: number;
  /** Its node, as in `RunState.spent`. */
  readonly key: string;
  readonly status: "open" | CaseOutcome;
  readonly verdicts: readonly EventOf<"verdict_given">[];
};

export type Spent = { readonly tokens: number; readonly costMicroUsd: number };

export type RunState = {
  readonly workspace: string;
  readonly run: string;
  readonly graphHash: HexDigest;
  readonly policyHash: HexDigest;
  readonly fork: Fork | null;
  /** Number of records, including refusals and a fork's shared ones. */
  readonly version: number;
  readonly head: HexDigest;
  readonly refusals: number;
  readonly status: RunStatus;
  readonly start: EventOf<"run_started"> | null;
  readonly currentNode: string | null;
  /** Record that entered the current node; identifies the visit. */
  readonly activation: number | null;
  /** Branches that current events depend on. */
  readonly controls: readonly Control[];
  /** Active subgraphs, outermost first. Node and memory fields below concern the innermost. */
  readonly frames: readonly Frame[];
  /** End of the innermost subgraph, until the outer graph processes it. */
  readonly frameEnd: Pick<EventOf<"frame_ended">, "outcome" | "code"> | null;
  /** Hand-off target once the node is done. */
  readonly handoff: string | null;
  readonly handoffs: number;
  readonly choices: Readonly<Record<string, number>>;
  readonly failedTasks: Readonly<Record<string, string>>;
  /** Ended visits, successful or not. */
  readonly iterationCount: number;
  /** Last counted visit: a completed visit without a route out counts once. */
  readonly countedActivation: number | null;
  readonly retryCount: number;
  readonly retryAt: number | null;
  readonly lastError: { readonly node: string; readonly code: string } | null;
  readonly startedAt: number | null;
  readonly waitingSince: number | null;
  /** Time waiting for people, excluded from the time limit. */
  readonly waitedMs: number;
  readonly totalTokens: number;
  readonly costMicroUsd: number;
  /** By node key: `outer/inner`. */
  readonly spent: Readonly<Record<string, Spent>>;
  readonly reservations: Readonly<Record<string, Reservation>>;
  /** Reported thresholds as `scope:measure:percent`. */
  readonly thresholds: readonly string[];
  /** Undo stack, oldest first. */
  readonly compensation: readonly Undo[];
  /** Set during the undo phase: the final status. */
  readonly unwinding: (Pick<EventOf<"unwinding">, "to" | "reason"> & { readonly since: number }) | null;
  /** Memory: visible cells, oldest first. */
  readonly cells: readonly Cell[];
  /** Engine cells (`$…`), oldest first. No grant can name them. */
  readonly aside: readonly Cell[];
  readonly effects: Readonly<Record<string, Effect>>;
  readonly gates: Readonly<Record<string, GateState>>;
  readonly cases: Readonly<Record<string, CaseState>>;
  /** Null: not externally driven, or not begun. */
  readonly position: Position | null;
  /** Creators of tokens used here; they count like initiators. */
  readonly drivers: readonly string[];
  readonly proposals: Readonly<Record<string, number>>;
};

export const GENESIS_PARENT = digestOf("genesis", {});

export const createRunState = (workspace: string, run: string, graphHash: HexDigest, policyHash: HexDigest): RunState => ({
  workspace,
  run,
  graphHash,
  policyHash,
  fork: null,
  version: 0,
  head: GENESIS_PARENT,
  refusals: 0,
  status: "pending",
  start: null,
  currentNode: null,
  activation: null,
  controls: [],
  frames: [],
  frameEnd: null,
  handoff: null,
  handoffs: 0,
  choices: {},
  failedTasks: {},
  iterationCount: 0,
  countedActivation: null,
  retryCount: 0,
  retryAt: null,
  lastError: null,
  startedAt: null,
  waitingSince: null,
  waitedMs: 0,
  totalTokens: 0,
  costMicroUsd: 0,
  spent: {},
  reservations: {},
  thresholds: [],
  compensation: [],
  unwinding: null,
  cells: [],
  aside: [],
  effects: {},
  gates: {},
  cases: {},
  position: null,
  drivers: [],
  proposals: {},
});

export const findNextUndo = (state: Pick<RunState, "unwinding" | "compensation">): Undo | undefined =>
  state.unwinding ? state.compensation.findLast((undo) => undo.outcome === null) : undefined;

export const isSimulated = (state: Pick<RunState, "fork">): boolean => state.fork?.effects === "simulate";

/** Returns whether the run waits for an external agent's action. */
export const isResting = (state: Pick<RunState, "position" | "currentNode" | "frames" | "unwinding" | "status">): boolean =>
  state.position !== null &&
  state.currentNode === null &&
  state.frames.length === 0 &&
  state.unwinding === null &&
  state.status === "waiting";

/** Returns the approval that blocks the run while its tool is unavailable. */
export const heldBy = (state: RunState): GateState | undefined => {
  const gates = Object.values(state.gates);
  if (state.status !== "waiting" || isResting(state) || gates.some((gate) => gate.status === "open")) return undefined;

  return gates.findLast((gate) => gate.status === "void" && gate.gate.transition.effect !== null);
};

/** Joins the labels of all branches the run's place depends on. */
export const getControlLabel = (state: Pick<RunState, "controls">): Label => joinLabels(state.controls.map((control) => control.label));

/** Adds a cell and drops those it hides for good. */
export const withCell = (cells: readonly Cell[], cell: Cell): readonly Cell[] => {
  const path = parsePath(cell.path);
  const hides = (other: Cell) => {
    const otherPath = parsePath(other.path);

    return path !== null && otherPath !== null && isAtOrBelow(otherPath, path);
  };

  return [...cells.filter((other) => !hides(other)), cell];
};

/** Merges visible cells into one object, newer over older. */
export const toMemory = (cells: readonly Cell[]): JsonObject => {
  const memory = cells.reduce<Json>((root, cell) => {
    const path = parsePath(cell.path);

    return path && cell.content.known ? withValueAt(root, path, cell.content.value) : root;
  }, {});

  return isJsonObject(memory) ? memory : {};
};

/** Returns the cells behind the value at these segments; keys may be arbitrary. */
export const findCellsAtPath = (cells: readonly Cell[], path: Path): readonly Cell[] =>
  cells.filter((cell) => {
    const cellPath = parsePath(cell.path);

    return cellPath !== null && (isAtOrBelow(path, cellPath) || isAtOrBelow(cellPath, path));
  });

/** Returns the cells at, above or below a path. */
export const findCellsAt = (cells: readonly Cell[], pathText: string): readonly Cell[] => {
  const path = parsePath(pathText);

  return path ? findCellsAtPath(cells, path) : [];
};

/** Ids come from outside: own members only, so that `constructor` finds nothing. */
export const ownEntry = <T>(entries: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(entries, id) ? entries[id] : undefined;

/** Returns engine cells of one name, oldest first. */
export const findAside = (state: RunState, path: string): readonly Cell[] => state.aside.filter((cell) => cell.path === path);

export const getKnownValue = (cell: Cell | undefined): Json | undefined => (cell?.content.known ? cell.content.value : undefined);
