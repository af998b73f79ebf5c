"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Panel } from "@/components/ui/panel";
import { TOOL_NODES } from "@/lib/mcp/tool-use";
import { whyNot, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly role: Role };

type FormProps = Props & {
  /** Allowed until now, and left out when the form opens: somebody proposed so. */
  readonly without?: readonly string[];
  readonly onSaved?: () => void;
};

/** More agents than that are folded away: who is allowed must not be looked for among them. */
const FEW = 6;

/** The list as it is changed, and its button. */
export const AllowedForm = ({ server, role, without = [], onSaved }: FormProps) => {
  const [allowed, setAllowed] = useState<readonly string[]>(server.allowedAgents.filter((id) => !without.includes(id)));
  const { data } = useQuery(useTRPC().agents.list.queryOptions());
  const { send, pending } = useRegistry({ server });
  const reason = whyNot(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);
  const names = new Map((data ?? []).map(({ agent }) => [agent.id, agent.name]));
  // Whoever is allowed comes first, and stays visible also when the agent was deleted.
  const first = [...new Set([TOOL_NODES, ...server.allowedAgents])];
  const others = [...names.keys()].filter((id) => !first.includes(id));
  const isChanged = allowed.length !== server.allowedAgents.length || allowed.some((id) => !server.allowedAgents.includes(id));
  const isWider = allowed.some((id) => !server.allowedAgents.includes(id));
  const toggle = (id: string, isAllowed: boolean) => setAllowed(isAllowed ? [...allowed, id] : allowed.filter((each) => each !== id));
  const save = async () => {
    const { id, revision } = server;
    if (await send({ type: "set_allowed_agents", id, revision, agents: [...allowed] }, "The list of allowed agents is saved.")) onSaved?.();
  };

  const choice = (id: string) => (
    <Checkbox key={id} checked={allowed.includes(id)} onCheckedChange={(next) => toggle(id, next)} disabled={reason !== null}>
      {id === TOOL_NODES ? "Tool nodes of graphs" : (names.get(id) ?? "An agent that is gone")}{" "}
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
        {allowed.length === 0 ? "Nobody may call this server." : "Everybody else is refused, whatever a graph grants."}
      </p>
      {isWider ? <SignatureNote to="let further callers use this server" /> : null}
      <div>
        <Button size="sm" disabled={!isChanged} disabledReason={reason} pending={pending ? "Saving…" : null} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
};

/** Who may call this server at all. An empty list means nobody. */
export const AllowedAgents = (props: Props) => (
  <Panel title="Allowed to call" bodyClassName="p-3">
    <AllowedForm {...props} />
  </Panel>
);
