import { Callout } from "@/components/ui/callout";
import type { ServerView } from "@/server/trpc/routers/mcp/view";

const NEXT = {
  discovered: "Nobody has seen its tools yet: it did not answer. Nothing calls it.",
  quarantined: "Nothing calls it. Read each tool below, then review and pin them.",
  reviewed: "Its tools are pinned. Nothing calls it before it is activated.",
  active: null,
  drifted: "It went out of use by itself. Review the change and pin it anew, or revoke the server.",
  suspended: "Nothing calls it until it is resumed.",
  revoked: "It is out of use for good. Register it again under another id if it is needed.",
} as const satisfies Record<ServerView["status"], string | null>;

/** What stands in the way, most serious first, and what to do next. */
export const ServerNotices = ({ server }: { readonly server: ServerView }) => {
  const drifted = server.tools.filter(({ drift }) => drift !== null);
  // A suspended server that drifted is not resumed but reviewed, which the drift itself says.
  const next = server.status === "suspended" && drifted.length > 0 ? null : NEXT[server.status];

  return (
    <>
      {server.transport ? null : (
        <Callout kind="refused" title="The stored way to reach this server is not valid">
          Somebody changed it outside of Countersign, or it is from another version. Nothing is started or connected.
        </Callout>
      )}
      {drifted.length > 0 ? (
        <Callout kind="tainted" title={`${drifted.length} ${drifted.length === 1 ? "tool is" : "tools are"} not what was reviewed`}>
          {drifted.map(({ name, drift }) => `${name} (${drift ?? ""})`).join(", ")}. Calls are refused until somebody has reviewed the
          change.
        </Callout>
      ) : null}
      {server.lastError && drifted.length === 0 ? <Callout kind="refused" title={server.lastError} /> : null}
      {next ? <Callout kind="waiting" title={next} /> : null}
      {server.status === "active" && server.allowedAgents.length === 0 ? (
        <Callout kind="waiting" title="Nobody may call it: the list of allowed agents is empty." />
      ) : null}
    </>
  );
};
