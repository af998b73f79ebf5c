/** The state of one run, as the ledger determines it. Nothing else writes it: it is the fold of `reduce` over the records. */
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

/** A value that the reader of this state may not see is simply not there. `why`: it is under review; absent: nobody has said why. */
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
  /** The effect that used the receipt up; a receipt authorizes once. */
  readonly usedBy: string | null;
};

/** A subgraph at work: what of the run around it comes back when it ends, and the limits that it brought along. */
export type Frame = {
  /** The subgraph node, and its visit. */
  readonly node: string;
  readonly activation: number;
  readonly version: HexDigest;
  readonly limits: Pick<EventOf<"frame_entered">, "max_iterations" | "max_execution_time_ms" | "max_token_budget" | "budget_micro_usd">;
  /** What the run had used when it was entered. */
  readonly entered: { readonly iterations: number; readonly workedMs: number; readonly tokens: number; readonly costMicroUsd: number };
  readonly outer: Pick<RunState, "cells" | "controls" | "retryCount">;
};

export type Reservation = Pick<EventOf<"budget_reserved">, "node" | "activation" | "task" | "tokens" | "cost_micro_usd" | "epoch"> & {
  /** As in `RunState.spent`. */
  readonly key: string;
};

export type Undo = Omit<EventOf<"compensation_pushed">, "type"> & { readonly outcome: EventOf<"compensation_settled">["outcome"] | null };

/** Where a run that goes on from another one comes from. */
export type Fork = {
  readonly parentRun: string;
  readonly parentSeq: number;
  readonly change: RecordedChange;
  readonly effects: ForkEffects;
  /** Forks before this one, and this one. */
  readonly depth: number;
  /** Who started the runs that it goes on from. */
  readonly initiators: readonly string[];
  /** Whether people said yes at an approval node before this record: what that let pass is asked about again. */
  readonly approved: boolean;
  /** What this fork and those before it replaced in the version: its strict taint, and agents' prompts. */
  readonly strictTaint: boolean | null;
  readonly prompts: readonly string[];
};

/** Where a run that outside agents drive rests, and what of it comes back when an action comes to nothing. */
export type Position = Pick<EventOf<"action_awaited">, "after" | "actions" | "label"> & {
  /** ms since 1970 */
  readonly since: number;
  readonly cells: readonly Cell[];
  readonly controls: readonly Control[];
};

export type CaseState = {
  readonly case: ReviewCase;
  /** The record that opened it. */
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
  /** Records so far, refusals included; of a fork, those of its parent that it goes on from as well. */
  readonly version: number;
  readonly head: HexDigest;
  readonly refusals: number;
  readonly status: RunStatus;
  readonly start: EventOf<"run_started"> | null;
  readonly currentNode: string | null;
  /** The record that entered the current node: it names this visit. */
  readonly activation: number | null;
  /** The decisions that what happens now depends on. */
  readonly controls: readonly Control[];
  /** The subgraphs that the run is in, outermost first. Everything about nodes and memory below is about the innermost. */
  readonly frames: readonly Frame[];
  /** How the innermost subgraph ended, until the graph around it has taken note. */
  readonly frameEnd: Pick<EventOf<"frame_ended">, "outcome" | "code"> | null;
  /** Where the current node hands the run to when it is done. */
  readonly handoff: string | null;
  readonly handoffs: number;
  /** Choices of each supervisor so far. */
  readonly choices: Readonly<Record<string, number>>;
  /** Tasks of the current attempt that have failed for good. */
  readonly failedTasks: Readonly<Record<string, string>>;
  /** Visits that ended, well or not. */
  readonly iterationCount: number;
  /** The visit that was counted last: one that is done and then finds no way on has still been one. */
  readonly countedActivation: number | null;
  readonly retryCount: number;
  readonly retryAt: number | null;
  readonly lastError: { readonly node: string; readonly code: string } | null;
  readonly startedAt: number | null;
  readonly waitingSince: number | null;
  /** Time spent waiting for people, which the wall clock does not count. */
  readonly waitedMs: number;
  readonly totalTokens: number;
  readonly costMicroUsd: number;
  /** By node, with the subgraph nodes it lies in: `outer/inner`. */
  readonly spent: Readonly<Record<string, Spent>>;
  readonly reservations: Readonly<Record<string, Reservation>>;
  /** Budget thresholds that have been told, as `scope:measure:percent`. */
  readonly thresholds: readonly string[];
  /** What can be undone, in the order in which it was done. */
  readonly compensation: readonly Undo[];
  /** Set while the run undoes what it did, before it ends like this. */
  readonly unwinding: (Pick<EventOf<"unwinding">, "to" | "reason"> & { readonly since: number }) | null;
  /** Memory: only cells that still show somewhere, oldest first. */
  readonly cells: readonly Cell[];
  /** The engine's own cells (`$…`), oldest first. No grant can name them. */
  readonly aside: readonly Cell[];
  readonly effects: Readonly<Record<string, Effect>>;
  readonly gates: Readonly<Record<string, GateState>>;
  readonly cases: Readonly<Record<string, CaseState>>;
  /** Null: nobody drives the run from outside, or it has not begun. */
  readonly position: Position | null;
  /** Who made the tokens that something was done with here: as much in it as whoever started the run. */
  readonly drivers: readonly string[];
  /** The record that each proposal became. */
  readonly proposals: Readonly<Record<string, number>>;
};

export const GENESIS_PARENT = digestOf("genesis", {});

/** The state before the first record. */
export const emptyState = (workspace: string, run: string, graphHash: HexDigest, policyHash: HexDigest): RunState => ({
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

/** The effect that is to be undone next. */
export const nextUndo = (state: Pick<RunState, "unwinding" | "compensation">): Undo | undefined =>
  state.unwinding ? state.compensation.findLast((undo) => undo.outcome === null) : undefined;

/** Whether nothing that this run asks for may ever be called. */
export const isSimulated = (state: Pick<RunState, "fork">): boolean => state.fork?.effects === "simulate";

/** Whether the run waits for an outside agent to take an action. */
export const isResting = (state: Pick<RunState, "position" | "currentNode" | "frames" | "unwinding" | "status">): boolean =>
  state.position !== null &&
  state.currentNode === null &&
  state.frames.length === 0 &&
  state.unwinding === null &&
  state.status === "waiting";

/**
 * The approval that the run is held by: it came to nothing because its tool cannot be called, and it is asked again when the
 * tool can be, or counts as expired when its time is over.
 */
export const heldBy = (state: RunState): GateState | undefined => {
  const gates = Object.values(state.gates);
  if (state.status !== "waiting" || isResting(state) || gates.some((gate) => gate.status === "open")) return undefined;

  return gates.findLast((gate) => gate.status === "void" && gate.gate.transition.effect !== null);
};

/** The label of every decision that the run's being here depends on. */
export const controlLabel = (state: Pick<RunState, "controls">): Label => joinLabels(state.controls.map((control) => control.label));

/** Adds a cell; the cells that it hides for good go. */
export const withCell = (cells: readonly Cell[], cell: Cell): readonly Cell[] => {
  const path = parsePath(cell.path);
  const hides = (other: Cell) => {
    const otherPath = parsePath(other.path);

    return path !== null && otherPath !== null && isAtOrBelow(otherPath, path);
  };

  return [...cells.filter((other) => !hides(other)), cell];
};

/** Memory as one object: each cell laid over the older ones. Cells that may not be seen are left out. */
export const memoryOf = (cells: readonly Cell[]): JsonObject => {
  const memory = cells.reduce<Json>((root, cell) => {
    const path = parsePath(cell.path);

    return path && cell.content.known ? withValueAt(root, path, cell.content.value) : root;
  }, {});

  return isJsonObject(memory) ? memory : {};
};

/** The cells that the value at these segments comes from, whatever the segments look like: values may have any keys. */
export const cellsAtPath = (cells: readonly Cell[], path: Path): readonly Cell[] =>
  cells.filter((cell) => {
    const cellPath = parsePath(cell.path);

    return cellPath !== null && (isAtOrBelow(path, cellPath) || isAtOrBelow(cellPath, path));
  });

/** The cells that a path's value comes from: those at or above it and those below it. */
export const cellsAt = (cells: readonly Cell[], pathText: string): readonly Cell[] => {
  const path = parsePath(pathText);

  return path ? cellsAtPath(cells, path) : [];
};

/** Ids come from outside, and `constructor` is nobody's id. */
export const ownEntry = <T>(entries: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(entries, id) ? entries[id] : undefined;

/** The engine's own cells under one name, oldest first. */
export const asideAt = (state: RunState, path: string): readonly Cell[] => state.aside.filter((cell) => cell.path === path);

export const knownValue = (cell: Cell | undefined): Json | undefined => (cell?.content.known ? cell.content.value : undefined);
