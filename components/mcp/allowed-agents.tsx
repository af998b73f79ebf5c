"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Panel } from "@/components/ui/panel";
import { TOOL_NODES } from "@/lib/mcp/tool-use";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role };

type FormProps = Props & {
  readonly without?: readonly string[];
  readonly onSaved?: () => void;
};

/** Above this, other agents are collapsed. */
const FEW = 6;

export const AllowedForm = ({ server, role, without = [], onSaved }: FormProps) => {
  const [allowed, setAllowed] = useState<readonly string[]>(server.allowedAgents.filter((id) => !without.includes(id)));
  const { data } = useQuery(useTRPC().agents.list.queryOptions());
  const { send, pending } = useRegistry(server);
  const reason = explainDenial(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);
  const names = new Map((data ?? []).map(({ agent }) => [agent.id, agent.name]));
  // Allowed callers stay listed after deletion.
  const first = [...new Set([TOOL_NODES, ...server.allowedAgents])];
  const others = [...names.keys()].filter((id) => !first.includes(id));
  const isChanged = allowed.length !== server.allowedAgents.length || allowed.some((id) => !server.allowedAgents.includes(id));
  const isWider = allowed.some((id) => !server.allowedAgents.includes(id));
  const toggle = (id: string, isAllowed: boolean) => setAllowed(isAllowed ? [...allowed, id] : allowed.filter((each) => each !== id));
  const save = async () => {
    const { id, revision } = server;
    if (await send({ type: "set_allowed_agents", id, revision, agents: [...allowed] }, "Allowed callers saved.")) onSaved?.();
  };

  const choice = (id: string) => (
    <Checkbox key={id} checked={allowed.includes(id)} onCheckedChange={(next) => toggle(id, next)} disabled={reason !== null}>
      {id === TOOL_NODES ? "Tool nodes in graphs" : (names.get(id) ?? "Deleted agent")}{" "}
      <span className="font-mono text-xs text-muted">{id}</span>
    </Checkbox>
  );

  return (
    <div className="flex flex-col gap-2">
      {first.map(choice)}
      {others.length > 0 ? (
        <details open={others.length <= FEW}>
          <summary className="flex min-h-6 cursor-pointer items-center text-xs text-muted">Other agents ({others.length})</summary>
          <div className="mt-1 flex flex-col gap-2">{others.map(choice)}</div>
        </details>
      ) : null}
      <p className="text-xs text-muted">
        {allowed.length === 0 ? "Nothing can call this server." : "All other callers are refused, whatever a graph grants."}
      </p>
      {isWider ? <SignatureNote to="allow more callers" /> : null}
      <div>
        <Button
          size="sm"
          disabledReason={reason ?? (isChanged ? null : "Nothing changed")}
          pending={pending ? "Saving…" : null}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </div>
  );
};

/** Allowed callers; an empty list means none. */
export const AllowedAgents = (props: Props) => (
  <Panel title="Allowed callers" bodyClassName="p-3">
    <AllowedForm {...props} />
  </Panel>
);
