import { CopyBlock } from "@/components/connect/copy-block";
import { Callout } from "@/components/ui/callout";
import type { Isolation } from "@/lib/mcp/isolation";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { isUnprotected } from "./isolation-text";
import { driftedTools, isDrifted } from "./server-drift";
import { ServerFailure } from "./server-failure";

const NEXT = {
  discovered: "Nothing was started or reached yet. Inspect the server to list its tools.",
  quarantined: "Nothing calls it. Read each tool below, then review and pin them.",
  reviewed: "Its tools are pinned. Nothing calls it before it is activated.",
  active: null,
  drifted: "It went out of use by itself. Review the change and pin it anew, or revoke the server.",
  suspended: "Nothing calls it until it is resumed.",
  revoked: "It is out of use for good. Register it again under another id if it is needed.",
} as const satisfies Record<ServerView["status"], string | null>;

const FIELDS = {
  name: "it calls itself something else",
  version: "it says it is another version",
  address: "it is not reached as it was then",
} as const satisfies Record<ServerView["identityDrift"][number], string>;

const nextOf = (server: ServerView): string | null => {
  if (server.status === "drifted" && !isDrifted(server)) {
    return "It went out of use by itself, and is now what was reviewed again. Resume it, or revoke it if you do not trust that.";
  }

  return server.status === "suspended" && isDrifted(server) ? null : NEXT[server.status];
};

/** What stands in the way, most serious first, and what to do next. */
export const ServerNotices = ({ server, isolation }: { readonly server: ServerView; readonly isolation: Isolation | null }) => {
  const drifted = driftedTools(server);
  // A suspended server that drifted is not resumed but reviewed, which the drift itself says.
  const next = nextOf(server);

  return (
    <>
      {server.transport ? null : server.operatorCommand ? (
        <Callout kind="refused" title="This server names a command of its own, which is no longer run">
          Programs are offered by the operator. Ask the operator to run the command below, then register the server anew.
          <CopyBlock text={server.operatorCommand} label="the command" />
        </Callout>
      ) : (
        <Callout kind="refused" title="The stored way to reach this server is not valid">
          It was changed outside of Countersign, or an earlier version allowed it: an address must begin with https://. Nothing is started
          or connected.
        </Callout>
      )}
      {drifted.length > 0 ? (
        <Callout kind="tainted" title={`${drifted.length} ${drifted.length === 1 ? "tool is" : "tools are"} not what was reviewed`}>
          {drifted.map(({ name, drift }) => `${name} (${drift ?? ""})`).join(", ")}. Calls are refused until somebody has reviewed the
          change.
        </Callout>
      ) : null}
      {server.identityDrift.length > 0 ? (
        <Callout kind="tainted" title="It is not the server that was reviewed">
          Since then {server.identityDrift.map((field) => FIELDS[field]).join(", ")}. Calls are refused until somebody has reviewed that.
        </Callout>
      ) : null}
      {server.transport && isolation && isUnprotected(server.transport, isolation) ? (
        <Callout kind="tainted" title="This server is not isolated">
          {isolation.reason} It can read and change everything that the runner can.
        </Callout>
      ) : null}
      {isDrifted(server) ? null : <ServerFailure server={server} />}
      {next ? <Callout kind="waiting" title={next} /> : null}
      {server.status === "active" && server.allowedAgents.length === 0 ? (
        <Callout kind="waiting" title="Nobody may call it: the list of allowed agents is empty." />
      ) : null}
    </>
  );
};
