import type { RunStatus } from "@/lib/engine/event";
import type { Sample } from "@/bench/chaos/runners";
import type { Takeover } from "@/bench/chaos/faults/takeover";

export type EffectFact = {
  readonly id: string;
  readonly run: string;
  readonly tool: string;
  /** With the same key. */
  readonly idempotent: boolean;
  /** Each repeating recovery adds one. */
  readonly intents: number;
  /** After a crash, without a person. */
  readonly resentUnasked: number;
  readonly outcome: "ok" | "tool_error" | "abandoned" | null;
  /** Simulated forks must not call. */
  readonly simulated: boolean;
};

export type RecordFact = {
  readonly seq: number;
  readonly digest: string;
  readonly parent: string;
  readonly epoch: number | null;
  readonly proposal: string;
};

export type RunEnd = {
  readonly id: string;
  readonly status: RunStatus | "unknown";
  readonly version: number;
  readonly head: string;
  readonly leased: boolean;
  readonly frozen: string | null;
  /** Null: it does not verify. */
  readonly replayed: { readonly status: RunStatus; readonly version: number; readonly head: string } | null;
  /** `wait`: a reason to wait. */
  readonly next: "propose" | "execute" | "verify" | "undo" | "wait" | "none" | null;
  /** The ledger's word. */
  readonly reason: string | null;
  readonly fault: string | null;
  /** No parent's. */
  readonly records: readonly RecordFact[];
  readonly effects: readonly EffectFact[];
};

export type CommandEnd = {
  readonly id: string;
  readonly run: string;
  readonly kind: string;
  readonly status: string;
  readonly seq: number | null;
};

/** By effect. */
export type Counts = ReadonlyMap<string, number>;

export type Fault = { readonly what: string; readonly run: string | null };

export type End = {
  readonly workspace: string;
  readonly runs: readonly RunEnd[];
  readonly wanted: readonly string[];
  readonly received: Counts;
  /** Idempotent calls run once per key. */
  readonly deeds: Counts;
  readonly asked: readonly { readonly id: string; readonly run: string }[];
  readonly commands: readonly CommandEnd[];
  /** Against kept checkpoints. */
  readonly audit: { readonly checkpoints: number; readonly faults: readonly Fault[] };
  readonly trust: { readonly faults: readonly Fault[] };
  /** Of the spared runner. */
  readonly memory: readonly Sample[];
  readonly connections: { readonly base: number; readonly end: number; readonly runners: number };
  readonly log: readonly { readonly text: string; readonly level: number }[];
  readonly deaths: readonly { readonly how: string; readonly wasReady: boolean; readonly place: number }[];
  readonly drains: readonly (number | null)[];
  readonly takeovers: readonly Takeover[];
  readonly planned: readonly { readonly kind: string; readonly times: number }[];
  readonly skipped: Readonly<Record<string, string>>;
  readonly undone: readonly { readonly kind: string; readonly why: string }[];
  readonly faults: readonly { readonly kind: string; readonly times: number; readonly hits: number }[];
  /** Long enough for every kind to hit something. */
  readonly full: boolean;
};

export type Check = { readonly name: string; readonly count: number; readonly says: string; readonly failures: readonly string[] };
