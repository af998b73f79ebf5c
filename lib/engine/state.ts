/** State of one run, written by `reduce` only. Single schemas: the catalogue's type depends on this one. */
import type { z } from "zod";
import { joinLabels, type Label } from "@/lib/graph/label";
import { isAtOrBelow, parsePath, withValueAt, type Path } from "@/lib/graph/path";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { oncePer } from "@/lib/once-per";
import type { CaseOutcome, ReviewCase } from "@/lib/engine/approvals/case";
import type { Outage } from "@/lib/engine/outage-causes";
import type { Control, Gate, RunStatus } from "@/lib/engine/event";
import type { budgetReservedSchema } from "@/lib/engine/events/budget";
import type { verdictGivenSchema } from "@/lib/engine/events/cases";
import type {
  compensationPushedSchema,
  compensationSettledSchema,
  effectIntendedSchema,
  effectSettledSchema,
} from "@/lib/engine/events/effects";
import type { frameEndedSchema, frameEnteredSchema } from "@/lib/engine/events/frames";
import type { decisionMadeSchema, gateResolvedSchema, TimedEscalation } from "@/lib/engine/events/gates";
import type { actionAwaitedSchema } from "@/lib/engine/events/outside";
import type { runStartedSchema, unwindingSchema } from "@/lib/engine/events/run";
import type { waitOpenedSchema } from "@/lib/engine/events/waits";
import type { ForkEffects, RecordedChange } from "@/lib/engine/forks/fork-change";
import type { Receipt } from "@/lib/engine/approvals/receipt";
import { digestOf, type HexDigest } from "@/lib/hash";

/** `why`: under review; absent: unspecified. */
export type CellValue = { readonly known: true; readonly value: Json } | { readonly known: false; readonly why?: "review" };

export type Cell = {
  readonly path: string;
  readonly seq: number;
  readonly index: number;
  readonly label: Label;
  readonly commitment: HexDigest;
  readonly content: CellValue;
};

export type Effect = z.infer<typeof effectIntendedSchema> & {
  readonly seq: number;
  readonly atMs: number;
  readonly outcome: z.infer<typeof effectSettledSchema>["outcome"] | null;
};

/** Returns its event, to make it again. */
export const toIntent = ({ seq: _seq, atMs: _atMs, outcome: _outcome, ...event }: Effect): z.infer<typeof effectIntendedSchema> => event;

export type GateState = {
  readonly gate: Gate;
  readonly status: "open" | z.infer<typeof gateResolvedSchema>["outcome"];
  readonly decisions: readonly z.infer<typeof decisionMadeSchema>[];
  readonly receipt: Receipt | null;
  /** Receipts authorize once. */
  readonly usedBy: string | null;
  /** ms since 1970; absent: not escalated. */
  readonly escalatedAt?: number;
  readonly escalations?: readonly TimedEscalation[];
};

export type Frame = {
  readonly node: string;
  readonly activation: number;
  readonly version: HexDigest;
  readonly limits: Pick<
    z.infer<typeof frameEnteredSchema>,
    "max_iterations" | "max_execution_time_ms" | "max_token_budget" | "budget_micro_usd"
  >;
  readonly entered: { readonly iterations: number; readonly workedMs: number; readonly tokens: number; readonly costMicroUsd: number };
  readonly outer: Pick<RunState, "cells" | "controls" | "retryCount">;
};

export type Reservation = Pick<
  z.infer<typeof budgetReservedSchema>,
  "node" | "activation" | "task" | "tokens" | "cost_micro_usd" | "epoch"
> & {
  readonly key: string;
  readonly atMs: number;
};

export type Undo = Omit<z.infer<typeof compensationPushedSchema>, "type"> & {
  readonly outcome: z.infer<typeof compensationSettledSchema>["outcome"] | null;
};

export type Fork = {
  readonly parentRun: string;
  readonly parentSeq: number;
  readonly change: RecordedChange;
  readonly effects: ForkEffects;
  /** Forks in the lineage, inclusive. */
  readonly depth: number;
  readonly initiators: readonly string[];
  /** An earlier approval node passed; its effects are asked again. */
  readonly approved: boolean;
  /** By this fork or its ancestors. */
  readonly strictTaint: boolean | null;
  readonly prompts: readonly string[];
};

/** A failed action restores it. */
export type Position = Pick<z.infer<typeof actionAwaitedSchema>, "after" | "actions" | "label"> & {
  readonly since: number;
  readonly cells: readonly Cell[];
  readonly controls: readonly Control[];
};

export type CaseState = {
  readonly case: ReviewCase;
  readonly seq: number;
  readonly key: string;
  readonly status: "open" | CaseOutcome;
  readonly verdicts: readonly z.infer<typeof verdictGivenSchema>[];
};

export type Wait = Omit<z.infer<typeof waitOpenedSchema>, "type"> & { readonly tokenHash: HexDigest | null };

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
  /** Signs of an attack or a mistake; see `isRefusedAttempt`. */
  readonly attempts: number;
  /** By refusal code and name; at most 40, later ones count as one. */
  readonly tried: Readonly<Record<string, number>>;
  readonly status: RunStatus;
  readonly start: z.infer<typeof runStartedSchema> | null;
  readonly currentNode: string | null;
  /** Record that entered the current node; identifies the visit. */
  readonly activation: number | null;
  readonly controls: readonly Control[];
  /** Outermost first. Node and memory below concern the innermost. */
  readonly frames: readonly Frame[];
  readonly frameEnd: Pick<z.infer<typeof frameEndedSchema>, "outcome" | "code"> | null;
  readonly handoff: string | null;
  readonly handoffs: number;
  readonly choices: Readonly<Record<string, number>>;
  readonly failedTasks: Readonly<Record<string, string>>;
  /** Ended visits, failed ones too. */
  readonly iterationCount: number;
  /** A visit without a route out counts once. */
  readonly countedActivation: number | null;
  /** Retries of the current node that were begun or scheduled. */
  readonly retryCount: number;
  readonly retryAt: number | null;
  /** Kept until a model answers. */
  readonly outage: Outage | null;
  readonly lastError: { readonly node: string; readonly code: string } | null;
  /** Why the run ended; null before the end and once completed. */
  readonly endReason: string | null;
  readonly startedAt: number | null;
  readonly waitingSince: number | null;
  /** Waiting for people; excluded from limits. */
  readonly waitedMs: number;
  readonly totalTokens: number;
  readonly costMicroUsd: number;
  /** Keyed by `outer/inner`. */
  readonly spent: Readonly<Record<string, Spent>>;
  readonly reservations: Readonly<Record<string, Reservation>>;
  /** `scope:measure:percent`. */
  readonly thresholds: readonly string[];
  readonly compensation: readonly Undo[];
  readonly unwinding: (Pick<z.infer<typeof unwindingSchema>, "to" | "reason"> & { readonly since: number }) | null;
  readonly cells: readonly Cell[];
  /** Engine cells (`$…`), oldest first; never granted. */
  readonly aside: readonly Cell[];
  readonly effects: Readonly<Record<string, Effect>>;
  readonly gates: Readonly<Record<string, GateState>>;
  readonly cases: Readonly<Record<string, CaseState>>;
  readonly wait: Wait | null;
  /** Null: not externally driven, or not begun. */
  readonly position: Position | null;
  /** Token creators; count like initiators. */
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
  attempts: 0,
  tried: {},
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
  outage: null,
  lastError: null,
  endReason: null,
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
  wait: null,
  position: null,
  drivers: [],
  proposals: {},
});

export const findNextUndo = (state: Pick<RunState, "unwinding" | "compensation">): Undo | undefined =>
  state.unwinding ? state.compensation.findLast((undo) => undo.outcome === null) : undefined;

export const isSimulated = (state: Pick<RunState, "fork">): boolean => state.fork?.effects === "simulate";

export const isResting = (state: Pick<RunState, "position" | "currentNode" | "frames" | "unwinding" | "status">): boolean =>
  state.position !== null &&
  state.currentNode === null &&
  state.frames.length === 0 &&
  state.unwinding === null &&
  state.status === "waiting";

export const findOpenWait = ({ wait, activation, status }: Pick<RunState, "wait" | "activation" | "status">): Wait | null =>
  wait !== null && status === "waiting" && wait.activation === activation ? wait : null;

export const heldBy = (state: RunState): GateState | undefined => {
  const gates = Object.values(state.gates);
  if (state.status !== "waiting" || isResting(state) || findOpenWait(state) || gates.some((gate) => gate.status === "open"))
    return undefined;

  return gates.findLast((gate) => gate.status === "void" && gate.gate.transition.effect !== null);
};

export const getControlLabel = (state: Pick<RunState, "controls">): Label => joinLabels(state.controls.map((control) => control.label));

export const withCell = (cells: readonly Cell[], cell: Cell): readonly Cell[] => {
  const path = parsePath(cell.path);
  const hides = (other: Cell) => {
    const otherPath = parsePath(other.path);

    return path !== null && otherPath !== null && isAtOrBelow(otherPath, path);
  };

  return [...cells.filter((other) => !hides(other)), cell];
};

export const toMemory = oncePer((cells: readonly Cell[]): JsonObject => {
  const memory = cells.reduce<Json>((root, cell) => {
    const path = parsePath(cell.path);

    return path && cell.content.known ? withValueAt(root, path, cell.content.value) : root;
  }, {});

  return isJsonObject(memory) ? memory : {};
});

/** Returns cells at these segments, which may be arbitrary. */
export const findCellsAtPath = (cells: readonly Cell[], path: Path): readonly Cell[] =>
  cells.filter((cell) => {
    const cellPath = parsePath(cell.path);

    return cellPath !== null && (isAtOrBelow(path, cellPath) || isAtOrBelow(cellPath, path));
  });

export const findCellsAt = (cells: readonly Cell[], pathText: string): readonly Cell[] => {
  const path = parsePath(pathText);

  return path ? findCellsAtPath(cells, path) : [];
};

/** Returns a path's joined label; undefined: nothing there. */
export const findLabelAt = ({ cells }: RunState, path: Path): Label | undefined => {
  const found = findCellsAtPath(cells, path);

  return found.length === 0 ? undefined : joinLabels(found.map(({ label }) => label));
};

/** Own members only, so that an id `constructor` finds nothing. */
export const ownEntry = <T>(entries: Readonly<Record<string, T>>, id: string): T | undefined =>
  Object.hasOwn(entries, id) ? entries[id] : undefined;

export const findAside = (state: RunState, path: string): readonly Cell[] => state.aside.filter((cell) => cell.path === path);

export const getKnownValue = (cell: Cell | undefined): Json | undefined => (cell?.content.known ? cell.content.value : undefined);
