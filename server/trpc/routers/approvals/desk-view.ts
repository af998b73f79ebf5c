/** A case as its reviewers see it: who is asked, what of, by which rules it is judged, and, once they have spoken, who said what. */
import type { PublishedGraph } from "@/lib/graph/document";
import { extractPath } from "@/lib/graph/extract-form";
import { familyOf } from "@/lib/graph/model-family";
import { modelOf } from "@/lib/engine/cases";
import { publishedHere } from "@/lib/engine/frame";
import { asideAt, knownValue, ownEntry, type CaseState, type GateState, type RunState } from "@/lib/engine/state";

type Verdict = CaseState["verdicts"][number];

const seatsOf = (published: PublishedGraph, state: RunState, { case: asking, verdicts }: CaseState) =>
  asking.reviewers.map((reviewer, index) => {
    const spoken = verdicts.filter((verdict) => verdict.reviewer === index).length;
    if (reviewer.type === "person") return { kind: "person" as const, name: reviewer.role, detail: null, asked: reviewer.count, spoken };
    const agent = published.agents.find(({ id }) => id === reviewer.agent);
    const model = agent ? modelOf(state, agent) : "";

    return { kind: "agent" as const, name: agent?.name ?? reviewer.agent, detail: `${model}, family ${familyOf(model)}`, asked: 1, spoken };
  });

/** What a reviewer wrote beside the verdict: as untrusted as anything. */
const commentOf = (state: RunState, caseId: string, index: number): string | null => {
  const value = knownValue(asideAt(state, `$verdict.${caseId}.${index}`).at(-1));

  return typeof value === "string" && value !== "" ? value : null;
};

const spokenOf = (published: PublishedGraph, state: RunState, { case: asking, verdicts }: CaseState) =>
  verdicts.map(({ by, model, verdict, findings, reviewer }: Verdict, index) => {
    const seat = asking.reviewers[reviewer];
    const agent = seat?.type === "agent" ? published.agents.find(({ id }) => id === seat.agent) : undefined;

    return { by, name: agent?.name ?? null, model, verdict, findings, comment: commentOf(state, asking.id, index) };
  });

/** Blind: nobody who may still speak is told what others have said. */
const maySeeVerdicts = (found: CaseState, gateState: GateState, user: string): boolean =>
  found.status !== "open" || gateState.status !== "open" || found.verdicts.some(({ by }) => by === `user:${user}`);

/**
 * Without a single value of memory but what reviewers have written.
 * @returns null when the gate is for no case
 */
export const deskView = (root: PublishedGraph, state: RunState, gateState: GateState, user: string) => {
  const found = ownEntry(state.cases, gateState.gate.id);
  if (!found) return null;
  const published = publishedHere(root, state);
  const { nodes } = published.graph;
  const node = nodes.find(({ id }) => id === found.case.node);
  const review = node?.kind === "review" ? node.config : null;
  const form = nodes.find((other) => other.kind === "extract" && review !== null && extractPath(other) === review.target);
  const judge = nodes.find((other) => other.kind === "judge" && other.config.review === found.case.node);

  return {
    case_id: found.case.id,
    status: found.status,
    quorum: found.case.quorum,
    seats: seatsOf(published, state, found),
    verdicts: maySeeVerdicts(found, gateState, user) ? spokenOf(published, state, found) : null,
    finding_codes: review?.findings ?? [],
    target: review?.target ?? null,
    source: review?.source ?? null,
    fields: form?.kind === "extract" ? form.config.fields : null,
    judge: judge?.kind === "judge" ? { node: judge.id, title: judge.title, rules: judge.config.rules } : null,
  };
};
