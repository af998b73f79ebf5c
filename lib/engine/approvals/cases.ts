import type { Agent, PublishedGraph } from "@/lib/graph/document";
import { getFamily } from "@/lib/graph/model-family";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import type { CaseOutcome, Designated, Subject } from "@/lib/engine/approvals/case";
import { getNodeKey } from "@/lib/engine/frame";
import { findAside, findCellsAt, getKnownValue, type CaseState, type Cell, type RunState } from "@/lib/engine/state";

/** Returns the text that findings' ranges refer to. */
export const describeTarget = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

export const callOf = (state: RunState, caseId: string): JsonObject => {
  const pending = getKnownValue(findAside(state, `$pending.${caseId}`).at(-1));
  const { server = null, tool = null, arguments: args = null } = isJsonObject(pending) ? pending : {};

  return { server, tool, arguments: args };
};

export const getBasisAt = (state: Pick<RunState, "cells">, path: string): Extract<Subject, { type: "cell" }>["cells"] =>
  findCellsAt(state.cells, path).map(({ path: at, seq, commitment }) => ({ path: at, seq, commitment }));

const isAboutNow = (state: Pick<RunState, "cells">, subject: Subject, path: string): boolean => {
  const now = getBasisAt(state, path);

  return (
    subject.type === "cell" &&
    subject.path === path &&
    subject.cells.length === now.length &&
    now.every((cell) =>
      subject.cells.some(({ path: at, seq, commitment }) => at === cell.path && seq === cell.seq && commitment === cell.commitment),
    )
  );
};

export const isStaleCase = (state: Pick<RunState, "cells">, { case: { subject } }: CaseState): boolean =>
  subject.type === "cell" && !isAboutNow(state, subject, subject.path);

const casesHere = (state: RunState): readonly CaseState[] =>
  state.activation === null ? [] : Object.values(state.cases).filter((found) => found.case.activation === state.activation);

/** Returns the visit's open cases. */
export const openCasesHere = (state: RunState): readonly CaseState[] => casesHere(state).filter((found) => found.status === "open");

export const openCaseHere = (state: RunState): CaseState | undefined => casesHere(state).find((found) => found.status === "open");

/** Returns whether people were asked after failed reviews. */
export const isLastResort = (state: RunState, { case: { id } }: CaseState): boolean =>
  casesHere(state).some((other) => other.case.id !== id && (other.status === "rejected" || other.status === "expired"));

export const countFailedCases = (state: RunState, node: string): number =>
  Object.values(state.cases).filter(({ key, status }) => key === getNodeKey(state, node) && (status === "rejected" || status === "expired"))
    .length;

export const findCaseAbout = (state: RunState, node: string, path: string): CaseState | undefined =>
  Object.values(state.cases).findLast(
    (found) => found.key === getNodeKey(state, node) && found.status !== "void" && isAboutNow(state, found.case.subject, path),
  );

/** Returns whether this was rejected and only models judge again. */
export const wasRefused = (state: RunState, { case: { id, reviewers, subject }, key }: CaseState): boolean =>
  subject.type === "cell" &&
  reviewers.some(({ type }) => type === "agent") &&
  Object.values(state.cases).some(
    (other) =>
      other.case.id !== id && other.key === key && other.status === "rejected" && isAboutNow(state, other.case.subject, subject.path),
  );

export const buildModel = (state: RunState, agent: Pick<Agent, "model">): string =>
  agent.model === "default" ? (state.start?.model ?? "") : agent.model;

const MAKERS = ["agent:", "user:", "model:"];

export const listProducers = (
  published: PublishedGraph,
  state: RunState,
  cells: readonly Pick<Cell, "label">[],
  also: readonly string[] = [],
): readonly string[] => {
  const named = [
    ...cells.flatMap(({ label }) => label.provenance).filter((from) => MAKERS.some((maker) => from.startsWith(maker))),
    ...also.map((id) => `agent:${id}`),
  ];
  const models = published.agents.filter(({ id }) => named.includes(`agent:${id}`)).map((agent) => `model:${buildModel(state, agent)}`);

  return [...new Set([...named, ...models])].toSorted();
};

export type ReviewFault = "agent_missing" | "reviewer_is_producer" | "reviewers_of_one_family";

/**
 * Returns why these reviewers may not judge.
 * @param blind requires different model families
 */
export const findDesignationFault = (
  published: PublishedGraph,
  state: RunState,
  reviewers: readonly Designated[],
  producers: readonly string[],
  blind: boolean,
): ReviewFault | null => {
  const ids = reviewers.flatMap((reviewer) => (reviewer.type === "agent" ? [reviewer.agent] : []));
  const agents = ids.flatMap((id) => published.agents.find((agent) => agent.id === id) ?? []);
  if (agents.length < ids.length) return "agent_missing";
  const made = agents.some((agent) => producers.includes(`agent:${agent.id}`) || producers.includes(`model:${buildModel(state, agent)}`));
  if (made) return "reviewer_is_producer";
  const families = new Set(agents.map((agent) => getFamily(buildModel(state, agent))));

  return blind && families.size < agents.length ? "reviewers_of_one_family" : null;
};

export const getCaseTask = (state: RunState, { case: { id, subject } }: CaseState, index: number): string => {
  if (subject.type === "cell") return `reviewer.${index}`;
  const ordinal = casesHere(state).findIndex((other) => other.case.id === id);

  return `check.${ordinal}.${index}`;
};

export const listSilentModels = (state: RunState, found: CaseState): readonly number[] =>
  found.case.reviewers.flatMap((reviewer, index) => {
    const isSilent = reviewer.type === "agent" && !found.verdicts.some((verdict) => verdict.reviewer === index);

    return isSilent && !Object.hasOwn(state.failedTasks, getCaseTask(state, found, index)) ? [index] : [];
  });

export const countPeople = (reviewers: readonly Designated[]): number =>
  reviewers.reduce((count, reviewer) => count + (reviewer.type === "person" ? reviewer.count : 0), 0);

/** Returns the next free seat; null: none. */
export const findFreeSeat = ({ case: { reviewers }, verdicts }: CaseState): number | null => {
  const free = reviewers.findIndex(
    (reviewer, index) => reviewer.type === "person" && verdicts.filter((verdict) => verdict.reviewer === index).length < reviewer.count,
  );

  return free === -1 ? null : free;
};

export type Standing = { readonly missing: boolean; readonly approvals: number; readonly rejected: boolean };

/** Counts verdicts, once per reviewer. */
export const getStanding = ({ case: { reviewers }, verdicts }: Pick<CaseState, "case" | "verdicts">): Standing => ({
  missing: reviewers.some(
    (reviewer, index) =>
      verdicts.filter((verdict) => verdict.reviewer === index).length < (reviewer.type === "person" ? reviewer.count : 1),
  ),
  approvals: new Set(verdicts.filter(({ verdict }) => verdict === "approve").map(({ by }) => by)).size,
  rejected: verdicts.some(({ verdict }) => verdict === "reject"),
});

export const getOutcome = (found: Pick<CaseState, "case" | "verdicts">): Extract<CaseOutcome, "passed" | "rejected"> => {
  const { missing, approvals, rejected } = getStanding(found);

  return !missing && !rejected && found.case.reviewers.length > 0 && approvals >= found.case.quorum ? "passed" : "rejected";
};
