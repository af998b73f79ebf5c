import type { PublishedGraph } from "@/lib/graph/document";
import { extractPath } from "@/lib/graph/extract-form";
import { fillsForm, judgesCase, opensCase } from "@/lib/graph/kind-of";
import { getFamily } from "@/lib/graph/model-family";
import { buildModel } from "@/lib/engine/approvals/cases";
import { getPublishedHere } from "@/lib/engine/frame";
import { NOTHING_SEALED, findWithheld, type Reader } from "@/lib/engine/labels/reading";
import { findAside, getKnownValue, ownEntry, type CaseState, type GateState, type RunState } from "@/lib/engine/state";

type Verdict = CaseState["verdicts"][number];

export type DeskReader = Reader & { readonly id: string };

const seatsOf = (published: PublishedGraph, state: RunState, { case: asking, verdicts }: CaseState) =>
  asking.reviewers.map((reviewer, index) => {
    const spoken = verdicts.filter((verdict) => verdict.reviewer === index).length;
    if (reviewer.type === "person") return { kind: "person" as const, name: reviewer.role, detail: null, asked: reviewer.count, spoken };
    const agent = published.agents.find(({ id }) => id === reviewer.agent);
    const model = agent ? buildModel(state, agent) : "";

    return {
      kind: "agent" as const,
      name: agent?.name ?? reviewer.agent,
      detail: `${model}, family ${getFamily(model)}`,
      asked: 1,
      spoken,
    };
  });

const commentOf = (state: RunState, caseId: string, index: number, reader: Reader): string | null => {
  const cell = findAside(state, `$verdict.${caseId}.${index}`).at(-1);
  const value = cell && findWithheld(reader, { label: cell.label, from: [cell] }) === null ? getKnownValue(cell) : undefined;

  return typeof value === "string" && value !== "" ? value : null;
};

const spokenOf = (published: PublishedGraph, state: RunState, { case: asking, verdicts }: CaseState, reader: Reader) =>
  verdicts.map(({ by, model, verdict, findings, reviewer }: Verdict, index) => {
    const seat = asking.reviewers[reviewer];
    const agent = seat?.type === "agent" ? published.agents.find(({ id }) => id === seat.agent) : undefined;

    return { by, name: agent?.name ?? null, model, verdict, findings, comment: commentOf(state, asking.id, index, reader) };
  });

const hasSpoken = ({ verdicts }: CaseState, { id }: DeskReader): boolean => verdicts.some(({ by }) => by === `user:${id}`);

/** Blind: pending reviewers don't see others' verdicts. */
const maySeeVerdicts = (found: CaseState, gateState: GateState, reader: DeskReader): boolean =>
  found.status !== "open" || gateState.status !== "open" || hasSpoken(found, reader);

/** Builds the view; null without a case. Reviewers' texts are its only memory values. */
export const buildDeskView = (root: PublishedGraph, state: RunState, gateState: GateState, reader: DeskReader) => {
  const found = ownEntry(state.cases, gateState.gate.id);
  if (!found) return null;
  const published = getPublishedHere(root, state);
  const told = hasSpoken(found, reader) ? { ...reader, sealed: NOTHING_SEALED } : reader;
  const { nodes } = published.graph;
  const node = nodes.find(({ id }) => id === found.case.node);
  const review = opensCase(node) ? node.config : null;
  const form = nodes.find((other) => fillsForm(other) && review !== null && extractPath(other) === review.target);
  const judge = nodes.find((other) => judgesCase(other) && other.config.review === found.case.node);

  return {
    caseId: found.case.id,
    status: found.status,
    quorum: found.case.quorum,
    seats: seatsOf(published, state, found),
    verdicts: maySeeVerdicts(found, gateState, reader) ? spokenOf(published, state, found, told) : null,
    findingCodes: review?.findings ?? [],
    target: review?.target ?? null,
    source: review?.source ?? null,
    fields: fillsForm(form) ? form.config.fields : null,
    judge: judgesCase(judge) ? { node: judge.id, title: judge.title, rules: judge.config.rules } : null,
  };
};
