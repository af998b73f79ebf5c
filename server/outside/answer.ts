/** Answers with the run's state and legal actions, never repeating input. */
import { listActionNodes } from "@/lib/graph/actions";
import type { Json, JsonObject } from "@/lib/json";
import { projectMemory } from "@/lib/outside/project";
import { REFUSALS, type Refusal, type RefusalCode } from "@/lib/refusal";
import type { AgentSession } from "@/server/store/agents/sessions";
import type { Caller } from "./caller";
import type { Opened } from "./open-run";
import { describeOutlook } from "./outlook";
import type { Answer } from "./tool";

export const OUTSIDE_ERRORS = {
  action_timeout: "The action took longer than it may; nothing of it counts.",
  action_error: "The action failed; nothing of it counts.",
  no_session: "No session was named, so there is nothing to go back in.",
  missing_sequence_id: "Name the entry of the history to go back to, as sequence_id.",
  unknown_sequence_id: "The history has no such entry.",
  cannot_fork_to_refusal: "Nothing happened at this entry, so there is nothing to go back to.",
  cannot_fork_to_meta_entry: "This entry is a reset or a fork itself; name one of an action.",
  architect_refused: "The architect cannot do this now.",
  internal: "Something went wrong on our side.",
  runner_silent: "The runner did not answer in time. The request stays queued; ask for the state.",
} as const;

export type OutsideError = RefusalCode | keyof typeof OUTSIDE_ERRORS;

const messageOf = (error: OutsideError): string =>
  error in REFUSALS ? REFUSALS[error as RefusalCode].message : OUTSIDE_ERRORS[error as keyof typeof OUTSIDE_ERRORS];

export type Standing = { readonly caller: Caller; readonly session: AgentSession | null; readonly opened: Opened | null };

const publishedAt = ({ caller, opened }: Standing) => opened?.published ?? caller.graph.published;

const common = (standing: Standing): JsonObject => {
  const { session, opened } = standing;
  const published = publishedAt(standing);

  return {
    ...describeOutlook(published, opened?.state ?? null),
    app_id: opened?.runId ?? null,
    session: session?.id ?? null,
    tracker_project: published.graph.id,
  };
};

export const stateOf = (standing: Standing): JsonObject =>
  standing.opened ? projectMemory(standing.opened.published, standing.opened.state, standing.opened.sealed) : {};

const list = (names: Json | undefined): string => (Array.isArray(names) && names.length > 0 ? names.join(", ") : "(end)");

export const succeeded = (standing: Standing, action: string, fields: JsonObject): Answer => {
  const payload: JsonObject = { action, ...fields, ...common(standing) };

  return { kind: "success", payload, headline: `${action} ⊢ → ${list(payload["valid_next_actions"])}` };
};

/** Does not repeat other names, which are the caller's text. */
const known = (standing: Standing, requested: string | null): string | null =>
  listActionNodes(publishedAt(standing).graph).some(({ id }) => id === requested) ? requested : null;

const AT_INPUTS: readonly OutsideError[] = ["validation_failed", "integrity_too_low", "key_protected"];

type Refused = {
  readonly error: OutsideError;
  readonly requested: string | null;
  readonly refusal?: Refusal;
  readonly undeclared?: readonly number[];
  readonly fields?: JsonObject;
};

const detailsOf = (standing: Standing, { error, refusal, undeclared = [] }: Refused): JsonObject => {
  if (error === "unknown_action") return { known_actions: listActionNodes(publishedAt(standing).graph).map(({ id }) => id) };
  const extra = undeclared.length === 0 ? {} : { undeclared_positions: [...undeclared] };

  return AT_INPUTS.includes(error) ? { reason: messageOf(error), details: { inputs: refusal?.ids ?? [], ...extra } } : {};
};

const answerOf = (kind: "refusal" | "failure", standing: Standing, what: Refused): Answer => {
  const { error, requested, fields = {} } = what;
  const name = known(standing, requested);
  const payload: JsonObject = {
    error,
    requested: name,
    message: messageOf(error),
    ...detailsOf(standing, what),
    ...fields,
    ...common(standing),
  };

  return { kind, payload, headline: `${name ?? "call"} × ${error}` };
};

export const toRefused = (standing: Standing, what: Refused): Answer => answerOf("refusal", standing, what);

export const failed = (standing: Standing, what: Refused): Answer => answerOf("failure", standing, what);
