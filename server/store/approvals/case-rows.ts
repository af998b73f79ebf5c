import type { Designated, ReviewCase } from "@/lib/engine/approvals/case";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { ownEntry, type RunState } from "@/lib/engine/state";
import { digestOf } from "@/lib/hash";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const eventsOf = <T extends RunEvent["type"]>(record: LedgerRecord, type: T): EventOf<T>[] =>
  record.control.filter((event): event is EventOf<T> => event.type === type);

const designatedAs = (reviewer: Designated): string => (reviewer.type === "agent" ? `agent:${reviewer.agent}` : `role:${reviewer.role}`);

const subjectDigest = ({ subject }: ReviewCase): string => digestOf("subject", subject);

const designationsOf = ({ id, reviewers }: ReviewCase) =>
  reviewers.map((reviewer, index) => ({
    case_id: id,
    reviewer: index,
    principal: designatedAs(reviewer),
    seats: reviewer.type === "person" ? reviewer.count : 1,
  }));

/** Case rows of a record. @param after the state after it @returns null without changes */
export const toCaseRows = (record: LedgerRecord, after: Pick<RunState, "cases">) => {
  const opened = eventsOf(record, "case_opened").map((event) => event.case);
  const given = eventsOf(record, "verdict_given");
  const closed = eventsOf(record, "case_closed");
  if (opened.length + given.length + closed.length === 0) return null;

  return {
    opened: opened.map((one) => ({
      ...one,
      subject_digest: subjectDigest(one),
      status: closed.find(({ case_id: id }) => id === one.id)?.outcome ?? "open",
    })),
    designated: opened.flatMap(designationsOf),
    verdicts: given.map(({ case_id, reviewer, by, model, verdict }) => {
      const asked = ownEntry(after.cases, case_id)?.case;
      const seat = asked?.reviewers[reviewer];

      return {
        case_id,
        reviewer,
        designated: seat ? designatedAs(seat) : "",
        principal: by,
        model,
        subject_digest: asked ? subjectDigest(asked) : "",
        verdict,
      };
    }),
    closed: closed.map(({ case_id, outcome }) => ({ case_id, outcome })),
  };
};
