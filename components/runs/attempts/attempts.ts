import type { Entry } from "@/components/runs/entries";
import { trackPlacesBefore, formatNodeTitle, type NodeNames } from "@/components/runs/node-names";
import type { Gate } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { Refusal, RefusalCode } from "@/lib/refusal";

export type Refused = { readonly seq: number; readonly record: LedgerRecord; readonly refusal: Refusal };

/** Refusals of one node by one rule. */
export type RefusedGroup = {
  readonly node: string | null;
  readonly title: string;
  readonly code: RefusalCode;
  /** Oldest first. */
  readonly attempts: readonly Refused[];
};

/** Gated proposal that was not approved. */
export type Denied = {
  /** `seq` resolved the gate, `askedAt` opened it. */
  readonly seq: number;
  readonly askedAt: number;
  readonly title: string;
  readonly gate: Gate;
  readonly outcome: string;
};

export type Attempts = { readonly refused: readonly RefusedGroup[]; readonly denied: readonly Denied[] };

const ALLOWED: readonly string[] = ["approved"];

/** Orders groups by first attempt. */
export const listAttempts = (entries: readonly Entry[], names: NodeNames): Attempts => {
  const places = trackPlacesBefore(entries);
  const titleOf = (seq: number, node: string | null) => (node === null ? "Run" : formatNodeTitle(names, places[seq] ?? [], node));
  const groups = new Map<string, { group: Omit<RefusedGroup, "attempts">; attempts: Refused[] }>();
  const gates = new Map<string, { gate: Gate; askedAt: number }>();
  const denied: Denied[] = [];
  for (const { seq, record } of entries) {
    if (!record) continue;
    const { refusal, node } = record;
    if (refusal) {
      const title = titleOf(seq, node);
      const key = JSON.stringify([title, refusal.code]);
      const known = groups.get(key) ?? { group: { node, title, code: refusal.code }, attempts: [] };
      known.attempts.push({ seq, record, refusal });
      groups.set(key, known);
    }
    for (const event of record.control) {
      if (event.type === "gate_opened") gates.set(event.gate.id, { gate: event.gate, askedAt: seq });
      const asked = event.type === "gate_resolved" ? gates.get(event.approval_id) : undefined;
      if (event.type !== "gate_resolved" || !asked || ALLOWED.includes(event.outcome)) continue;
      denied.push({ seq, ...asked, title: titleOf(asked.askedAt, asked.gate.transition.node), outcome: event.outcome });
    }
  }

  return { refused: [...groups.values()].map(({ group, attempts }) => ({ ...group, attempts })), denied };
};
