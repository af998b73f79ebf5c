import type { Json } from "@/lib/json";
import type { LedgerEntry } from "@/lib/engine/timeline";
import type { Step } from "./bodies";

export type StepTestParts = {
  readonly published: Json;
  readonly entries: readonly LedgerEntry[];
  readonly step: Step;
  readonly proposal: Json;
  readonly expected: Json;
  readonly isExact: boolean;
};

/** `__proto__` in a literal would not be a member. */
const parsed = (value: Json): string =>
  `JSON.parse(${JSON.stringify(JSON.stringify(value)).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")})`;

const valuesOf = ({ values, signed }: LedgerEntry): Json =>
  signed.record.writes.map((_write, index) => {
    const value = values[index];

    return value === undefined ? null : { known: value };
  });

const titleOf = ({ record }: Step): string => {
  const what = record.proposal_kind.replaceAll("_", " ");
  const where = record.node === null ? "" : ` in ${record.node}`;

  return record.refusal
    ? `record ${record.seq}: ${what}${where} is refused with ${record.refusal.code}`
    : `record ${record.seq}: ${what}${where} is accepted`;
};

export const formatStepTest = ({ published, entries, step, proposal, expected, isExact }: StepTestParts): string => {
  const { record } = step;
  const first = entries[0]?.signed.record ?? record;
  const how = isExact
    ? "The proposal is the one that was made: its digest is the one in the record."
    : "The original proposal is hidden or stored only as a digest. This one replaces it, with the same result.";

  return `/**
 * Record ${record.seq} of run ${record.run}, decided again.
 * ${how}
 * Values hidden from the person who copied this are left out.
 */
import { expect, test } from "vitest";
import { listWrites } from "@/lib/engine/ledger/chain";
import { decide } from "@/lib/engine/decide";
import type { Proposal } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState } from "@/lib/engine/state";
import { publishedGraphSchema } from "@/lib/graph/document";
import type { Json } from "@/lib/json";

const published = publishedGraphSchema.parse(${parsed(published)});

/** The records before it, and the values of their cells as far as they were shown; null: hidden. */
const records: SignedRecord[] = ${parsed(entries.map(({ signed }) => signed))};
const values: ({ known: Json } | null)[][] = ${parsed(entries.map(valuesOf))};

const proposal: Proposal = ${parsed(proposal)};

/** Without signatures: each run signs with another key. */
const expected: unknown = ${parsed(expected)};

const before = records.reduce(
  (state, signed, at) => applyRecord(state, signed, (values[at] ?? []).map((value) => value?.known)),
  createRunState(${JSON.stringify(first.workspace)}, ${JSON.stringify(first.run)}, ${JSON.stringify(first.graph_hash)}, ${JSON.stringify(first.policy_hash)}),
);

test(${JSON.stringify(titleOf(step))}, () => {
  const verdict = decide(published, before, proposal);
  const events = verdict.ok ? verdict.events : [];
  const outcome = {
    refusal: verdict.ok ? null : verdict.refusal,
    events: events.map((event) =>
      event.type === "gate_resolved" && event.receipt ? { ...event, receipt: { payload: event.receipt.payload } } : event,
    ),
    writes: listWrites(before, proposal, verdict).map(({ path, label }) => ({ path, label })),
  };

  expect(JSON.parse(JSON.stringify(outcome))).toEqual(expected);
});
`;
};
