/** Everything that is known when it is over: what the oracles judge. */
import type { RunStatus } from "@/lib/engine/event";
import type { Sample } from "@/bench/chaos/runners";
import type { Takeover } from "@/bench/chaos/faults/takeover";

/** One effect, as the ledger of its run has it. */
export type EffectFact = {
  readonly id: string;
  readonly run: string;
  readonly tool: string;
  /** Safe to send again with the same key. */
  readonly idempotent: boolean;
  /** How often it was decided that it be sent: each recovery that sends it again says so again. */
  readonly intents: number;
  /** How often that was decided after a crash without a person. */
  readonly resentUnasked: number;
  readonly outcome: "ok" | "tool_error" | "abandoned" | null;
  /** Of a simulated fork: nothing may be called. */
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
  /** As the row has it. */
  readonly status: RunStatus | "unknown";
  readonly version: number;
  readonly head: string;
  readonly leased: boolean;
  readonly frozen: string | null;
  /** As replaying the ledger has it; null when it does not verify. */
  readonly replayed: { readonly status: RunStatus; readonly version: number; readonly head: string } | null;
  /** What the engine would do next; `wait` is a reason to wait. */
  readonly next: "propose" | "execute" | "verify" | "undo" | "wait" | "none" | null;
  /** Why it has the status that it has, in the ledger's own word. */
  readonly reason: string | null;
  /** Why the ledger does not verify. */
  readonly fault: string | null;
  /** Its own records in order, without those that a fork goes on from. */
  readonly records: readonly RecordFact[];
  readonly effects: readonly EffectFact[];
};

export type CommandEnd = {
  readonly id: string;
  readonly run: string;
  readonly kind: string;
  readonly status: string;
  /** The record that is its answer; null: it became none. */
  readonly seq: number | null;
};

/** By effect. */
export type Counts = ReadonlyMap<string, number>;

export type Fault = { readonly what: string; readonly run: string | null };

export type End = {
  readonly workspace: string;
  readonly runs: readonly RunEnd[];
  /** Runs that were asked for. */
  readonly wanted: readonly string[];
  /** How often its call arrived at the world. */
  readonly received: Counts;
  /** How often the world did it; what is safe to send again it does once for each key, however often it is sent. */
  readonly deeds: Counts;
  readonly asked: readonly { readonly id: string; readonly run: string }[];
  readonly commands: readonly CommandEnd[];
  /** What `countersign verify --checkpoint` finds, against checkpoints that were kept on the way. */
  readonly audit: { readonly checkpoints: number; readonly faults: readonly Fault[] };
  readonly trust: { readonly faults: readonly Fault[] };
  /** Of the runner that was never ended. */
  readonly memory: readonly Sample[];
  readonly connections: { readonly base: number; readonly end: number; readonly runners: number };
  readonly log: readonly { readonly text: string; readonly level: number }[];
  readonly deaths: readonly { readonly how: string; readonly wasReady: boolean; readonly place: number }[];
  readonly drains: readonly (number | null)[];
  readonly takeovers: readonly Takeover[];
  /** By kind: how often it was to be done. */
  readonly planned: readonly { readonly kind: string; readonly times: number }[];
  /** Why a kind was not even tried here, by kind. */
  readonly skipped: Readonly<Record<string, string>>;
  /** Faults that could not be done, and why. */
  readonly undone: readonly { readonly kind: string; readonly why: string }[];
  /** By kind: how often it was done, and what of the work under way it hit. */
  readonly faults: readonly { readonly kind: string; readonly times: number; readonly hits: number }[];
  /** Of the default length or longer: every kind must have hit something. */
  readonly full: boolean;
};

/** `failures`: what is wrong, with run ids where there are any. */
export type Check = { readonly name: string; readonly count: number; readonly says: string; readonly failures: readonly string[] };
