import { toPlainJson, type Json } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import type { PublishedGraph } from "@/lib/graph/document";
import { toPlainVersion } from "@/lib/graph/publish";
import { toCanonicalJson } from "@/lib/json";
import { digestOf } from "@/lib/hash";
import { listWrites } from "@/lib/engine/ledger/chain";
import { HISTORY_DAYS, historySchema, type History } from "@/lib/engine/approvals/history";
import { decide } from "@/lib/engine/decide";
import type { Verdict } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import type { Proposal, ProposalBody } from "@/lib/engine/proposal";
import { stateAt, type LedgerEntry } from "@/lib/engine/timeline";
import { listBodies, listHiddenInState, listHiddenPaths, type Body, type Step } from "./bodies";
import { formatStepTest } from "./text";

const MOST_CHARACTERS = 4_000_000;

/** Signatures depend on the key. */
export type Outcome = {
  readonly refusal: Json;
  readonly events: readonly Json[];
  readonly writes: readonly { readonly path: string; readonly label: Json }[];
};

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const unsigned = (event: RunEvent): Json =>
  asJson(event.type === "gate_resolved" && event.receipt ? { ...event, receipt: { payload: event.receipt.payload } } : event);

const recorded = ({ record }: Step): Outcome => ({
  refusal: asJson(record.refusal),
  events: record.control.map(unsigned),
  writes: record.writes.map(({ path, label }) => ({ path, label: asJson(label) })),
});

const cameOf = (state: Step["before"], proposal: Proposal, verdict: Verdict): Outcome => ({
  refusal: verdict.ok ? null : asJson(verdict.refusal),
  events: verdict.ok ? verdict.events.map(unsigned) : [],
  writes: listWrites(state, proposal, verdict).map(({ path, label }) => ({ path, label: asJson(label) })),
});

const NOBODY = "00000000-0000-4000-8000-000000000000";

const freshIn = ({ record }: Step): [string, string] => {
  const ids = record.control.flatMap((event): string[] => {
    if (event.type === "effect_intended") return [event.effect_id];
    if (event.type === "budget_reserved") return [event.reservation_id];
    if (event.type === "gate_opened") return [event.gate.id, event.gate.nonce];

    return event.type === "case_opened" ? [event.case.id] : [];
  });

  return [ids[0] ?? NOBODY, ids[1] ?? NOBODY];
};

const epochOf = ({ record }: Step): number => {
  const named = record.control.find((event) => event.type === "effect_intended" || event.type === "budget_reserved");
  if (named?.type === "effect_intended" || named?.type === "budget_reserved") return named.epoch;

  return "epoch" in record.principal ? record.principal.epoch : 1;
};

const UNKNOWN: History = { days: HISTORY_DAYS, calls: 0, amounts: [], counts: [], firsts: [] };

/** What the runner had looked up; only its label is compared. */
const historyIn = ({ record, values }: Step): Pick<Proposal, "history"> => {
  const index = record.writes.findIndex(({ path }) => path.startsWith("$history."));
  const label = record.writes[index]?.label;
  const digest = record.control.flatMap((event) => (event.type === "gate_opened" ? (event.gate.transition.effect ?? []) : []))[0];
  if (!label || !digest) return {};
  const history = historySchema.safeParse(values[index]).data ?? UNKNOWN;

  return { history: { argumentsDigest: digest.arguments_digest, history, label } };
};

const seatIn = ({ record }: Step): Pick<Proposal, "seats"> => {
  const made = record.control.find((event) => event.type === "decision_made");

  return made?.type === "decision_made" ? { seats: [{ for: made.for ?? [], groups: made.groups ?? [] }] } : {};
};

const proposalOf = (step: Step, body: Body): Proposal => ({
  id: step.record.proposal_id,
  workspace: step.record.workspace,
  run: step.record.run,
  at: step.record.at,
  principal: step.record.principal,
  epoch: epochOf(step),
  fresh: freshIn(step),
  // `decide` parses its input.
  body: body as unknown as ProposalBody,
  ...historyIn(step),
  ...seatIn(step),
});

const isExact = ({ record }: Step, body: Body): boolean => {
  const plain = toPlainJson(body, { maxBytes: 64 * 1_048_576, maxDepth: 256 });

  return plain.ok && digestOf("proposal", plain.value) === record.proposal_digest;
};

const reproduces = (published: PublishedGraph, step: Step, proposal: Proposal): boolean => {
  try {
    const outcome = cameOf(step.before, proposal, decide(published, step.before, proposal));

    return toCanonicalJson(asJson(outcome)) === toCanonicalJson(asJson(recorded(step)));
  } catch {
    return false;
  }
};

const whyNot = (step: Step): string => {
  const hidden = [...new Set([...listHiddenPaths(step), ...listHiddenInState(step)])];
  if (hidden.length > 0) return `The test would contain values hidden from you (${hidden.slice(0, 5).join(", ")}).`;

  return "The ledger stores only a digest of the proposal, so it can't be replayed.";
};

/** Builds a vitest file, or says why not. */
export const buildStepTest = (published: PublishedGraph, entries: readonly LedgerEntry[], seq: number): Result<string, string> => {
  const entry = entries[seq];
  if (!entry) return err("Record not found.");
  const { record } = entry.signed;
  if (record.proposal_kind === "fork") return err("A fork is decided by its parent. Copy a step of the fork instead.");
  const step: Step = { record, values: entry.values, before: stateAt(entries, seq - 1) };
  const body = listBodies(step).find((candidate) => reproduces(published, step, proposalOf(step, candidate)));
  if (!body) return err(whyNot(step));
  const text = formatStepTest({
    published: toPlainVersion(published),
    entries: entries.slice(0, seq),
    step,
    proposal: asJson(proposalOf(step, body)),
    expected: asJson(recorded(step)),
    isExact: isExact(step, body),
  });

  return text.length > MOST_CHARACTERS ? err("Too many records precede this step, so the test would be too large to paste.") : ok(text);
};
