import type { z } from "zod";
import type { Json } from "@/lib/json";
import type { Put } from "@/lib/engine/copy-on-write";
import type { TrustEvent } from "@/lib/engine/labels/trust-event";
import type { CellWrite } from "@/lib/engine/ledger/record";
import type { RunState } from "@/lib/engine/state";
import type { Promoted } from "@/lib/engine/events/cells";

export type Moment = { readonly seq: number; readonly at: number };

export type Marker = "refusal" | "gate" | "approved" | "rejected" | "effect" | "model" | "failure" | "end" | "step" | "malformed";

export type Line = { readonly marker: Marker; readonly title: string; readonly detail: string };

/** Returns a node's title, or its id. */
export type NameNode = (id: string) => string;

export type RecordTag = "refusal" | "gate" | "decision" | "effect" | "error" | "fork" | "tainted" | "cleared" | "end";

/** Without `principal` and `node`: the record's. */
export type TrustRow = Pick<TrustEvent, "type" | "path" | "detail"> & { readonly principal?: string; readonly node?: string };

/** After the record. */
export type TrustContext = Pick<RunState, "cases" | "gates">;

/** Record fields that trust rows use. */
export type TrustRecord = { readonly writes: readonly CellWrite[]; readonly promoted: readonly Promoted[] };

// Methods, since their bivariance lets `entryOf` return the entry of any event.
export type EventParts<E> = {
  readonly about: string;
  /** Events about missing things change nothing. */
  reduce(state: RunState, event: E, moment: Moment, put: Put): RunState;
  /** A timeline row shows its record's lightest event. */
  readonly weight: number;
  /** A row mentions it beside a lighter one. */
  readonly isMentioned: boolean;
  line(event: E, name: NameNode): Line;
  tags(event: E): readonly RecordTag[];
  /** Without times, digests and prices; null: comparisons of runs skip it. */
  compared(event: E): Json;
  trust(event: E, record: TrustRecord, context: TrustContext): readonly TrustRow[];
};

export type EventEntry<S extends z.ZodType> = { readonly schema: S } & EventParts<z.infer<S>>;

/** Types an entry by its schema, which must come first. */
export const defineEvent = <S extends z.ZodType>(entry: EventEntry<S>): EventEntry<S> => entry;

export const keepState = (state: RunState): RunState => state;

export const none = (): readonly [] => [];

export const skip = (): null => null;

/** For events that only the timeline shows. */
export const LINE_ONLY = { isMentioned: false, tags: none, compared: skip, trust: none };

export const step = (title: string, detail = ""): Line => ({ marker: "step", title, detail });

export const DIGEST_SHOWN = 8;
