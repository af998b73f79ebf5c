"use client";

import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly tool: ToolView; readonly role: Role };

/** Switches a tool; off applies to the next call of active runs. */
export const ToolSwitch = ({ server, tool, role }: Props) => {
  const { send, pending } = useRegistry();
  if (server.status === "revoked") return null;
  const { blockedAt } = tool;
  const target = { id: server.id, revision: server.revision, tool: tool.name };
  const reason = explainDenial(role, "mcp.manage");

  return (
    <span className="ml-auto flex items-center gap-2">
      {blockedAt === null ? null : (
        <span className="flex items-center gap-1 text-xs text-muted">
          <Mark kind="refused">Off</Mark> <RelativeTime at={blockedAt} />
        </span>
      )}
      {blockedAt === null ? (
        <Button
          size="sm"
          variant="danger"
          disabledReason={reason}
          pending={pending ? "Turning off…" : null}
          onClick={() => void send({ type: "block_tool", ...target }, `${tool.name} is off. Its next call is refused.`)}
        >
          Turn off
        </Button>
      ) : (
        <Button
          size="sm"
          disabledReason={reason}
          pending={pending ? "Turning on…" : null}
          onClick={() => void send({ type: "unblock_tool", ...target }, `${tool.name} is on.`)}
        >
          Turn on
        </Button>
      )}
    </span>
  );
};
