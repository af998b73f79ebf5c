import type { Gate, RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { areMet, isNamedBy, whoCounts } from "@/lib/people/approvers";

type Made = Extract<RunEvent, { type: "decision_made" }>;

/** Creates the rule that named approvers decided, by the recorded groups and delegators. @returns false: others decided, or too few approved */
export const createApproverRule = (): ((record: LedgerRecord) => boolean) => {
  const gates = new Map<string, { readonly gate: Gate; made: readonly Made[] }>();
  const checkMade = ({ principal }: LedgerRecord, made: Made): boolean => {
    const found = gates.get(made.approval_id);
    if (!found?.gate.demands) return true;
    const person = whoCounts(made);
    const counted = found.made.filter(({ user }) => made.lapsed?.includes(user) !== true);
    const isTaken = counted.some((earlier) => earlier.user === person.id || whoCounts(earlier).id === person.id);
    found.made = [...counted, made];

    return (
      principal.type === "user" && principal.id === made.user && !isTaken && found.gate.demands.some((demand) => isNamedBy(demand, person))
    );
  };
  const checkResolved = ({ approval_id: id, outcome }: Extract<RunEvent, { type: "gate_resolved" }>): boolean => {
    const found = gates.get(id);
    if (outcome !== "approved" || !found?.gate.demands || found.gate.reason === "review") return true;

    return areMet(found.gate.demands, found.made.filter(({ decision }) => decision === "approve").map(whoCounts));
  };

  let isSimulated = false;

  return (record) =>
    record.control.every((event) => {
      // Simulations may pretend approval.
      if (event.type === "run_forked") isSimulated = event.effects === "simulate";
      if (isSimulated) return true;
      if (event.type === "gate_opened") gates.set(event.gate.id, { gate: event.gate, made: [] });
      if (event.type === "decision_made") return checkMade(record, event);

      return event.type !== "gate_resolved" || checkResolved(event);
    });
};
