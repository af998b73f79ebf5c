import type { Label } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import type { Refusal } from "@/lib/refusal";
import type { RunEvent } from "@/lib/engine/event";
import type { Cell } from "@/lib/engine/state";

export type Write = { readonly path: string; readonly value: Json; readonly label: Label };
export type Read = { readonly key: string; readonly seq: number };

export type Accepted = {
  readonly events: readonly RunEvent[];
  readonly writes: readonly Write[];
  readonly reads: readonly Read[];
  readonly node: string | null;
};

export type Verdict = ({ readonly ok: true } & Accepted) | { readonly ok: false; readonly refusal: Refusal; readonly node: string | null };

export const accept = (accepted: Partial<Accepted> & Pick<Accepted, "events">): Verdict => ({
  ok: true,
  writes: [],
  reads: [],
  node: null,
  ...accepted,
});

export const reject = (refusal: Refusal, node: string | null = null): Verdict => ({ ok: false, refusal, node });

export const listReads = (cells: readonly Cell[]): Read[] => cells.map((cell) => ({ key: cell.path, seq: cell.seq }));
