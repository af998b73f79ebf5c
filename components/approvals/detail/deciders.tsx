import { Panel } from "@/components/ui/panel";
import type { ApprovalDetails } from "@/components/approvals/types";
import { Decided } from "./decided";

const whoText = ({ gate, run, people }: ApprovalDetails): string => {
  const { role, quorum, onlyNamed, notPublisher } = gate;
  const each = gate.demands.map(({ who, count }) => `${who}${count === 1 ? "" : ` (${count} different people)`}`).join("; and ");
  const initiator = people[run.initiator] ?? "the initiator";
  const author = `, nor ${people[run.author] ?? "the version's author"}, who published the version`;
  const isAuthorOut = (quorum === 1 || notPublisher) && run.author !== run.initiator;
  const parties = `but not ${initiator}, who started the run${isAuthorOut ? author : ""}.`;
  if (onlyNamed) return `Only ${each} can approve this, with the role ${role}, ${parties}`;
  const many = quorum === 1 ? `One ${role}` : `${quorum} different people with the role ${role}`;

  return `${many}${each === "" ? "" : `, among them ${each}`}, ${parties}`;
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
