import { CopyBlock } from "@/components/ui/copy-block";
import { Callout } from "@/components/ui/callout";
import type { Isolation } from "@/lib/mcp/isolation";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import { ADDRESS_REASONS } from "@/lib/mcp/refused-address";
import type { ProgramPresence } from "@/lib/mcp/program-presence";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { isUnprotected } from "./isolation-text";
import { listDriftedTools, isDrifted } from "./server-drift";
import { ServerFailure } from "./server-failure";

const NEXT = {
  discovered: "Nothing was started or contacted yet. Inspect the server to list its tools.",
  quarantined: "Its tools can't be called yet. Read each tool below, then review and pin them.",
  reviewed: "Its tools are pinned. Activate the server to use them.",
  active: null,
  drifted: "Suspended automatically because it changed. Review the change and pin it again, or revoke the server.",
  suspended: "Suspended. Its tools can't be called until you resume it.",
  revoked: "Revoked permanently. To use the server again, add it under another ID.",
} as const satisfies Record<ServerView["status"], string | null>;

const describeAddress = ({ transport }: ServerView): string => {
  if (transport?.type !== "stdio") return "its connection changed";

  return isBundledProgram(transport.manifest.program) ? "its program was upgraded with Countersign" : "its program or values changed";
};

const describeField = (server: ServerView, field: ServerView["identityDrift"][number]): string =>
  field === "address" ? describeAddress(server) : `its ${field} changed`;

const nextOf = (server: ServerView): string | null => {
  if (server.status === "drifted" && !isDrifted(server)) {
    return "Suspended automatically, but it matches its review again. Resume it, or revoke it if you don't trust that.";
  }

  return server.status === "suspended" && isDrifted(server) ? null : NEXT[server.status];
};

const ProgramNotice = ({ program: { runners, having } }: { readonly program: ProgramPresence }) => {
  if (having === runners) return null;
  if (having > 0) {
    return (
      <Callout kind="tainted" title={`Only ${having} of ${runners} runners have this server's program`}>
        Calls fail on the others. Install it there.
      </Callout>
    );
  }

  return (
    <Callout kind="refused" title={runners === 1 ? "The runner doesn't have this server's program" : "No runner has this server's program"}>
      It was removed or changed after the review, so every call fails. Ask the operator to install it again, or choose what is installed
      under Connection.
    </Callout>
  );
};

/** Problems by severity, then the next step. */
export const ServerNotices = ({ server, isolation }: { readonly server: ServerView; readonly isolation: Isolation | null }) => {
  const drifted = listDriftedTools(server);
  // Drift must be reviewed before resuming.
  const next = nextOf(server);

  return (
    <>
      {server.refused ? (
        <Callout kind="refused" title={`This server is not reached at ${server.refused.origin}`}>
          Reason: {ADDRESS_REASONS[server.refused.fault]}. Enter another address, or have the operator open this origin
          (COUNTERSIGN_MCP_ORIGINS). The origins that are open are listed under Checks.
        </Callout>
      ) : server.transport ? null : server.operatorCommand ? (
        <Callout kind="refused" title="This server has its own command, which is no longer supported">
          Programs now come from the operator. Ask the operator to run the command below, then add the server again.
          <CopyBlock text={server.operatorCommand} label="the command" />
        </Callout>
      ) : (
        <Callout kind="refused" title="The stored connection is invalid">
          It was changed outside Countersign, or added by an earlier version: the address must start with https://. The server isn&apos;t
          started or contacted.
        </Callout>
      )}
      {drifted.length > 0 ? (
        <Callout kind="tainted" title={`${drifted.length} ${drifted.length === 1 ? "tool" : "tools"} changed since the review`}>
          {drifted.map(({ name, drift }) => `${name} (${drift ?? ""})`).join(", ")}. Calls are refused until the change is reviewed.
        </Callout>
      ) : null}
      {server.identityDrift.length > 0 ? (
        <Callout kind="tainted" title="The server's identity changed since the review">
          Since then {server.identityDrift.map((field) => describeField(server, field)).join(", ")}. Calls are refused until the change is
          reviewed.
        </Callout>
      ) : null}
      {server.transport && isolation && server.program?.image === undefined && isUnprotected(server.transport, isolation) ? (
        <Callout kind="tainted" title="This server is not isolated">
          {isolation.reason} It can read and change everything the runner can.
        </Callout>
      ) : null}
      {server.program ? <ProgramNotice program={server.program} /> : null}
      {isDrifted(server) ? null : <ServerFailure server={server} />}
      {next ? <Callout kind="waiting" title={next} /> : null}
      {server.status === "active" && server.allowedAgents.length === 0 ? (
        <Callout kind="waiting" title="Nothing can call this server: no callers are allowed yet." />
      ) : null}
    </>
  );
};
