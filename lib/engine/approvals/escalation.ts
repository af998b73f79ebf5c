import type { TimedEscalation } from "@/lib/engine/events/gates";
import type { GateState } from "@/lib/engine/state";
import { widenDemands, type Demand } from "@/lib/people/approvers";

export const listEscalations = ({ gate: { escalation, demands = [] } }: Pick<GateState, "gate">): readonly TimedEscalation[] => [
  ...(escalation ? [escalation] : []),
  ...demands.flatMap(({ rule, escalation: own }) => (rule === undefined || !own ? [] : [{ ...own, to: "group" as const, rule }])),
];

/** The next due first. */
export const listPendingEscalations = (gateState: GateState): readonly TimedEscalation[] =>
  listEscalations(gateState)
    .filter(({ rule }) => gateState.escalations?.some((done) => done.rule === rule) !== true)
    .toSorted((a, b) => a.at - b.at);

export const getDemands = ({
  gate,
  escalations = [],
}: Pick<GateState, "gate"> & { readonly escalations?: readonly Omit<TimedEscalation, "at">[] }): readonly Demand[] | undefined =>
  gate.demands && widenDemands(gate.demands, escalations);
