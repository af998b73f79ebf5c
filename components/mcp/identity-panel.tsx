import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { describeIdentity } from "./server-drift";

const Fact = ({ label, text, changed }: { readonly label: string; readonly text: string; readonly changed: boolean }) => (
  <div>
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="flex flex-wrap items-center gap-2 break-all">
      {text}
      {changed ? <Mark kind="tainted">Changed</Mark> : null}
    </dd>
  </div>
);

export const IdentityPanel = ({ server }: { readonly server: ServerView }) => {
  const { identity, pinnedIdentity, identityDrift } = server;
  const isOther = identityDrift.some((field) => field !== "address");

  return (
    <Panel title="Identity" bodyClassName="flex flex-col gap-2 p-3 text-sm">
      <dl className="flex flex-col gap-2">
        <Fact label="Reports itself as" text={describeIdentity(identity)} changed={isOther} />
        <Fact
          label="Reviewed as"
          text={pinnedIdentity ? describeIdentity(pinnedIdentity.server) : "not reviewed yet"}
          changed={identityDrift.includes("address")}
        />
      </dl>
      <p className="text-xs text-muted">
        {identityDrift.includes("address")
          ? "The connection or program changed since the review."
          : "A changed name, version, connection or tool counts as drift."}
      </p>
    </Panel>
  );
};
