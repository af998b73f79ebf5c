"use client";

import type { Outputs } from "@/components/trpc/outputs";
import { DialogButton } from "@/components/ui/dialog-button";
import { TOOL_NODES } from "@/lib/mcp/tool-use";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { AllowedForm } from "./allowed-agents";
import { UseMark } from "@/components/agents/use-mark";

type CallerUse = Outputs["mcp"]["usage"]["callers"][number];

type Props = { readonly server: ServerView; readonly callers: readonly CallerUse[]; readonly role: Role };

export const CallerGrants = ({ server, callers, role }: Props) => {
  const unused = callers.filter(({ verdict }) => verdict === "unused").map(({ id }) => id);
  const named = unused.map((id) => (id === TOOL_NODES ? "tool nodes in graphs" : id)).join(", ");
  const reason = explainDenial(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);

  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 px-3 py-2">
      <ul className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        {callers.map((use) => (
          <li key={use.id} className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span>{use.id === TOOL_NODES ? "Tool nodes in graphs" : <span className="font-mono text-xs">{use.id}</span>}</span>{" "}
            <UseMark use={use} />
          </li>
        ))}
      </ul>
      {unused.length > 0 ? (
        <DialogButton
          label="Remove unused callers…"
          buttonSize="sm"
          disabledReason={reason}
          title="Remove unused callers"
          description={`Unchecked below because they never called it: ${named}. Nothing changes until you save.`}
        >
          {(close) => <AllowedForm key={server.revision} server={server} role={role} without={unused} onSaved={close} />}
        </DialogButton>
      ) : null}
    </div>
  );
};
