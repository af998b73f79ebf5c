import { isJsonObject } from "@/lib/json";
import { listCallRules, obeys, obeysAll } from "@/lib/engine/approvals/rules";
import { getDemands, listEscalations } from "@/lib/engine/approvals/escalation";
import type { Gate, RunEvent } from "@/lib/engine/event";
import { createCallLog, type OpenWrite } from "@/lib/engine/verify/call-log";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { areMet, isNamedBy, isOpenBeside, whoCounts } from "@/lib/people/approvers";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;
type Made = EventOf<"decision_made">;
type Escalated = EventOf<"gate_escalated">;

/**
 * Creates the rule that named approvers decided and the run's workspace rules were obeyed. Amounts in hidden values are not checked.
 * @returns false: others decided, too few approved, or a rule was passed over
 */
export const createApproverRule = (): ((record: LedgerRecord, open: OpenWrite) => boolean) => {
  const gates = new Map<string, { readonly gate: Gate; made: readonly Made[]; escalations: readonly Escalated[] }>();
  let start: EventOf<"run_started"> | null = null;
  const calls = createCallLog();
  let isSimulated = false;

  const checkOpened = ({ gate }: EventOf<"gate_opened">): boolean => {
    gates.set(gate.id, { gate, made: [], escalations: [] });

    return (gate.rules ?? []).every((id) => start?.rules?.some((rule) => rule.id === id && obeys(gate, rule)) === true);
  };
  const checkEscalated = ({ principal, at }: LedgerRecord, event: Escalated): boolean => {
    const found = gates.get(event.approval_id);
    if (!found) return true;
    found.escalations = [...found.escalations, event];
    const isPlanned = listEscalations(found).some((one) => one.at <= at && one.group === event.group && one.rule === event.rule);

    return event.group === undefined || (principal.type === "engine" && isPlanned);
  };
  const checkMade = ({ principal }: LedgerRecord, made: Made): boolean => {
    const found = gates.get(made.approval_id);
    if (!found?.gate.demands && !found?.gate.rules) return true;
    const { gate } = found;
    const person = whoCounts(made);
    const counted = found.made.filter(({ user }) => made.lapsed?.includes(user) !== true);
    const isTaken = counted.some((earlier) => earlier.user === person.id || whoCounts(earlier).id === person.id);
    found.made = [...counted, made];
    const isOpen = isOpenBeside(gate) && made.for === undefined;

    return (
      principal.type === "user" &&
      principal.id === made.user &&
      !isTaken &&
      !(gate.not_publisher && [made.user, person.id].includes(start?.author ?? "")) &&
      (isOpen || getDemands(found)?.some((demand) => isNamedBy(demand, person)) === true)
    );
  };
  const checkResolved = ({ approval_id: id, outcome }: EventOf<"gate_resolved">): boolean => {
    const found = gates.get(id);
    if (outcome !== "approved" || !found || found.gate.reason === "review") return true;
    const approvals = found.made.filter(({ decision }) => decision === "approve").map(whoCounts);

    return areMet(getDemands(found) ?? [], approvals) && (!found.gate.rules || approvals.length >= found.gate.quorum);
  };
  const checkIntended = (intent: EventOf<"effect_intended">, { writes }: LedgerRecord, open: OpenWrite): boolean => {
    const write = writes.find(({ path }) => path === `$arguments.${intent.effect_id}`);
    const args = write && open(write);
    const rules = listCallRules(start, {
      ...intent.effect,
      graphs: start ? [start.graph_id] : [],
      effect: intent.effect_class,
      label: write?.label ?? null,
      args: isJsonObject(args) ? args : null,
      listEarlier: () => calls.listEarlier(intent),
    });
    const gate = intent.approval_id === null ? undefined : gates.get(intent.approval_id)?.gate;

    return rules.length === 0 || (gate !== undefined && obeysAll(gate, rules));
  };

  return (record, open) =>
    record.control.every((event) => {
      // Simulations may pretend approval.
      if (event.type === "run_forked") isSimulated = event.effects === "simulate";
      if (event.type === "run_started") start = event;
      if (isSimulated) return true;
      calls.add(record, event, open);
      if (event.type === "gate_opened") return checkOpened(event);
      if (event.type === "gate_escalated") return checkEscalated(record, event);
      if (event.type === "decision_made") return checkMade(record, event);
      if (event.type === "effect_intended") return checkIntended(event, record, open);

      return event.type !== "gate_resolved" || checkResolved(event);
    });
};
