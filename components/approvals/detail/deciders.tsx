import { Panel } from "@/components/ui/panel";
import type { ApprovalDetails } from "@/components/approvals/types";
import { Decided } from "./decided";

const whoText = ({ gate, run, people }: ApprovalDetails): string => {
  const [named] = gate.demands;
  if (named) {
    const each = gate.demands.map(({ who, count }) => `${who}${count === 1 ? "" : ` (${count} different people)`}`).join("; and ");

    return `Only ${each} can approve this, with the role ${gate.role}, but not the person who started the run.`;
  }
  const many = gate.quorum === 1 ? `One ${gate.role}` : `${gate.quorum} different people with the role ${gate.role}`;
  const author = people[run.author] ?? "the version's author";
  const initiator = people[run.initiator] ?? "the initiator";

  return `${many}, but not ${run.author === run.initiator ? initiator : `${initiator}, who started the run${gate.quorum === 1 ? `, nor ${author}, who published the version` : ""}`}.`;
};

export const Deciders = ({ details }: { readonly details: ApprovalDetails }) => {
  const { gate, canDecide, people, decisions, decidesFor } = details;
  const approvals = decisions.filter(({ decision }) => decision === "approve").length;

  return (
    <Panel
      title="Who can decide"
      actions={
        <span className="tabular text-xs text-muted">
          {approvals} of {gate.quorum} {gate.quorum === 1 ? "approval" : "approvals"}
        </span>
      }
      bodyClassName="flex flex-col gap-1 px-3 py-2 text-sm"
    >
      <p>{whoText(details)}</p>
      {details.editors.length === 0 ? null : (
        <p>
          Edited by {details.editors.map((user) => people[user] ?? "a person").join(", ")}, who can&apos;t approve it
          {gate.quorum === 1 ? "" : " alone"}.
        </p>
      )}
      {details.passkey.required ? <p>Approving requires a passkey{details.passkey.has ? "." : ", and you don't have one."}</p> : null}
      {decidesFor === null ? null : <p>You decide for {people[decidesFor] ?? "a former member"}. Both names are recorded.</p>}
      <p>{canDecide.ok ? "You can decide." : `You can't decide. ${canDecide.reason}`}</p>
      <Decided decisions={decisions} people={people} run={details.run} />
    </Panel>
  );
};
