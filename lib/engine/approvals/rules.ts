/** Workspace rules of the run's start. */
import { applies, type RuledCall } from "@/lib/approval-rules/match";
import { namesPeople, type Needs, type Rule } from "@/lib/approval-rules/rule";
import { getRunEnvironment } from "@/lib/environments/environment";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Label } from "@/lib/graph/label";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { findGatedTool, listActingNodes } from "@/lib/engine/approvals/authority-class";
import { listEarlierCalls } from "@/lib/engine/approvals/run-calls";
import { getEffectClass, pickStrictest } from "@/lib/engine/effect-class";
import type { Gate, RunEvent } from "@/lib/engine/event";
import type { RunState } from "@/lib/engine/state";
import type { Demand } from "@/lib/people/approvers";

type Started = Extract<RunEvent, { type: "run_started" }>;

export const listCallRules = (start: Pick<Started, "rules" | "environment"> | null, call: RuledCall): readonly Rule[] => {
  const here = getRunEnvironment(start);

  return start?.rules?.filter((rule) => (rule.when.environment ?? here) === here && applies(rule, call)) ?? [];
};

export const listGraphs = (root: PublishedGraph, here: PublishedGraph): readonly string[] => [...new Set([root.graph.id, here.graph.id])];

type Opening = {
  readonly state: RunState;
  readonly start: Started | null;
  readonly gate: Gate;
  readonly pending: { readonly value: Json; readonly label: Label } | undefined;
  readonly closing: readonly string[];
};

export const listGateRules = (
  [root, here]: readonly [PublishedGraph, PublishedGraph],
  { state, start, gate, pending, closing }: Opening,
): readonly Rule[] => {
  const { effect } = gate.transition;
  // Reviewers of a case advise; the call is asked about afterwards.
  if (!start?.rules || !effect || gate.reason === "review") return [];
  const pin = findGatedTool(here, gate);
  const classes = pin ? listActingNodes(here, gate).map((node) => getEffectClass(node, pin)) : [];
  const args = ownMember(pending?.value, "arguments");
  const effectId = ownMember(pending?.value, "effect_id");

  return listCallRules(start, {
    graphs: listGraphs(root, here),
    server: effect.server,
    tool: effect.tool,
    effect: pickStrictest([...classes, ...(pin ? [pin.effect] : []), ...(gate.reason === "undo" ? (["write"] as const) : [])]),
    label: pending?.label ?? { integrity: "untrusted", confidentiality: "secret" },
    args: isJsonObject(args) ? args : {},
    listEarlier: () => listEarlierCalls(state, effect, { closing, ...(typeof effectId === "string" ? { effect: effectId } : {}) }),
  });
};

const withoutRules = ({ demands, rules: _rules, ...gate }: Gate): Gate => {
  const own = demands?.filter(({ rule }) => rule === undefined) ?? [];

  return own.length === 0 ? gate : { ...gate, demands: own };
};

const planEscalation = (
  { opened_at: openedAt, expires_at: expiresAt }: Pick<Gate, "opened_at" | "expires_at">,
  { escalation }: Needs,
): Pick<Demand, "escalation"> =>
  escalation && openedAt + escalation.after_ms < expiresAt
    ? { escalation: { at: openedAt + escalation.after_ms, group: escalation.group } }
    : {};

/** Adds the rules' demands; lowers none of graph or engine. */
export const bindRules = (before: Gate, rules: readonly Rule[]): Gate => {
  const gate = withoutRules(before);
  if (rules.length === 0) return gate;
  const named = rules.flatMap(({ id, needs }) => {
    const { groups, people, count } = needs;

    return namesPeople(needs) ? [{ groups, people, count, rule: id, ...planEscalation(gate, needs) }] : [];
  });
  const demands = [...(gate.demands ?? []), ...named];

  return {
    ...gate,
    quorum: Math.max(gate.quorum, ...rules.map(({ needs }) => needs.count)),
    rules: rules.map(({ id }) => id),
    ...(demands.length === 0 ? {} : { demands }),
    ...(rules.some(({ needs }) => needs.passkey) ? { signature: "passkey" } : {}),
    ...(rules.some(({ needs }) => needs.not_publisher) ? { not_publisher: true } : {}),
  };
};

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one));

const isSameEscalation = (a: Demand["escalation"], b: Demand["escalation"]): boolean => a?.at === b?.at && a?.group === b?.group;

/** Returns whether a gate demanded as much. */
export const obeys = (gate: Gate, { id, needs }: Rule): boolean =>
  gate.rules?.includes(id) === true &&
  gate.quorum >= needs.count &&
  (!needs.passkey || gate.signature === "passkey") &&
  (!needs.not_publisher || gate.not_publisher === true) &&
  (!namesPeople(needs) ||
    gate.demands?.some(
      ({ rule, groups, people, count, escalation }) =>
        rule === id &&
        count >= needs.count &&
        isSame(groups, needs.groups) &&
        isSame(people, needs.people) &&
        isSameEscalation(escalation, planEscalation(gate, needs).escalation),
    ) === true);

export const obeysAll = (gate: Gate, rules: readonly Rule[]): boolean => rules.every((rule) => obeys(gate, rule));

export const listBinding = ({ start }: Pick<RunState, "start">, { rules = [] }: Gate): readonly Rule[] =>
  start?.rules?.filter(({ id }) => rules.includes(id)) ?? [];
