import type { RunEnvironment, Variables } from "@/lib/environments/variables";
import type { Rule } from "@/lib/approval-rules/rule";
import type { Graph, PublishedGraph } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { CLEAN, joinLabels } from "@/lib/graph/label";
import { listVariables } from "@/lib/graph/variables";
import { isFromOutside } from "@/lib/graph/triggers/trigger";
import { isJsonObject, type JsonObject } from "@/lib/json";
import { refuse } from "@/lib/refusal";
import { getLimits } from "@/lib/engine/budget";
import { checkAsker } from "@/lib/engine/decide/check-asker";
import { endRun } from "@/lib/engine/decide/complete";
import { type DecideContext } from "@/lib/engine/decide/context";
import { closeGates, leaveInPlace } from "@/lib/engine/decide/end";
import { accept, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites } from "@/lib/engine/decide/writes";
import { ENV_PATH } from "@/lib/engine/environment";
import type { RunEvent } from "@/lib/engine/event";
import { isServiceAccount, type TriggerPrincipal } from "@/lib/engine/principal";
import { isWithin, narrowBudgets, type RunLimits } from "@/lib/engine/run-limits";

type Starting = {
  readonly initiator: string;
  readonly author: string;
  readonly model: string;
  readonly limits: RunLimits | undefined;
  readonly approvals: "write" | undefined;
  readonly rules?: readonly Rule[] | undefined;
  readonly trigger?: string | undefined;
  readonly environment?: string | undefined;
};
type Started = Extract<RunEvent, { type: "run_started" }>;

export const buildStartedEvent = (
  { graph }: PublishedGraph,
  { initiator, author, model, limits = {}, approvals, rules = [], trigger, environment }: Starting,
): Started => {
  const most = getLimits(graph);

  return {
    type: "run_started",
    graph_id: graph.id,
    initiator,
    author,
    model,
    ...most,
    ...narrowBudgets(most, limits),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(trigger === undefined ? {} : { trigger }),
    ...(environment === undefined ? {} : { environment }),
    ...(approvals ? { approvals } : {}),
    ...(rules.length === 0 ? {} : { rules: [...rules] }),
  };
};

const pick = (variables: Variables, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name)));

const isOwnTrigger = (
  { triggers = [], external }: Graph,
  { trigger: id, publisher, integrity }: TriggerPrincipal,
  author: string,
): boolean =>
  external === undefined &&
  publisher === author &&
  triggers.some((trigger) => trigger.id === id && (integrity === "untrusted") === isFromOutside(trigger));

export const decideStart = ({ published, state, proposal, body }: DecideContext<"start">): Verdict => {
  const { graph } = published;
  const { principal } = proposal;
  if (state.version > 0) return reject(refuse("run_exists"));
  const asked = checkAsker(principal, "run.start", ["run.drive", "runs:start"]);
  if (!asked.ok) return reject(refuse(asked.error));
  // External agents drive external graphs, service accounts start the others.
  if (principal.type === "agent" && isServiceAccount(principal.scopes) !== (graph.external === undefined))
    return reject(refuse("principal_not_allowed"));
  const trigger = principal.type === "trigger" ? principal.trigger : undefined;
  if (principal.type === "trigger" && !isOwnTrigger(graph, principal, body.author)) return reject(refuse("principal_not_allowed"));
  if (body.graph_hash !== state.graphHash) return reject(refuse("not_found"));
  const inputs = body.inputs;
  if (!isJsonObject(inputs) || !matchesSchema(graph.inputs, inputs, true)) return reject(refuse("inputs_invalid"));
  if (body.limits && !isWithin(body.limits, getLimits(graph))) return reject(refuse("limits_exceeded"));
  const { initiator, label } = asked.value;
  const { id: environment, variables, missingSecrets = [] }: RunEnvironment = body.env ?? { variables: {} };
  const names = listVariables(published);
  const missing = names.filter((name) => !Object.hasOwn(variables, name));
  if (missing.length > 0) return reject(refuse("variable_missing", missing));
  if (missingSecrets.length > 0) return reject(refuse("secret_missing", missingSecrets));
  const updates = Object.entries(inputs).map(([path, value]) => ({ path, value }));
  const checked = checkWrites(
    published,
    state,
    updates.map((update) => update.path),
    updates,
    label,
    body.artifacts,
  );
  if (!checked.ok) return reject(checked.error);
  if (checked.value.protectedKeys.length > 0) return reject(refuse("key_protected", checked.value.protectedKeys));
  const own: Write[] = [
    { path: "$goal", value: body.goal, label },
    { path: "$constraints", value: body.constraints, label },
    // As trusted as a constant of the graph: an admin signed it.
    ...(names.length === 0 ? [] : [{ path: ENV_PATH, value: pick(variables, names), label: CLEAN }]),
    // As confidential as the inputs that it fills.
    ...(body.event === undefined
      ? []
      : [{ path: "$event", value: body.event, label: joinLabels([label, ...checked.value.writes.map((write) => write.label)]) }]),
  ];

  return accept({
    events: [
      buildStartedEvent(published, {
        ...body,
        initiator,
        trigger,
        environment,
        limits: body.limits,
        approvals: body.approvals,
      }),
      { type: "status_changed", to: "scheduled", reason: null },
    ],
    writes: [...own, ...checked.value.writes],
  });
};

export const decideCancel = ({ state, proposal, body }: DecideContext<"cancel">): Verdict => {
  const { principal } = proposal;
  const asked = checkAsker(principal, "run.cancel", ["run.drive", "runs:control"]);
  if (!asked.ok) return reject(refuse(asked.error), state.currentNode);
  // A later event of the same trigger replaces its run, and no other.
  if (principal.type === "trigger" && principal.trigger !== state.start?.trigger)
    return reject(refuse("principal_not_allowed"), state.currentNode);
  const { reason } = body;

  return accept({
    events: [
      ...closeGates(state),
      // Cancelling compensation leaves remaining effects, on record.
      ...(state.unwinding ? leaveInPlace(state) : []),
      ...endRun(state, "cancelled", "cancelled"),
    ],
    writes: reason === undefined ? [] : [{ path: "$reason", value: reason.toWellFormed(), label: asked.value.label }],
    node: state.currentNode,
  });
};
