"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { DEFAULT_CALL_LIMITS, type CallLimits as Limits } from "@/lib/mcp/call-limits";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { LIMIT_FIELDS, LIMIT_ORDER, toLimitsDraft, describeLimits, readLimits } from "./call-limits-draft";
import { useRegistry } from "./use-registry";

type Props = {
  readonly server: ServerView;
  /** Null: the server's limits. */
  readonly tool: ToolView | null;
  readonly role: Role;
};

type Source = "own" | "server" | "ours";

const SOURCES = {
  own: "This tool's own limits.",
  server: "Inherited from the server.",
  ours: "Default limits.",
} as const satisfies Record<Source, string>;

const inForce = (server: ServerView, tool: ToolView | null): { readonly limits: Limits; readonly source: Source } => {
  const [own, others] = tool ? [tool.limits, server.limits] : [server.limits, null];
  if (own !== null && own !== "unreadable") return { limits: own, source: "own" };

  return others !== null && others !== "unreadable"
    ? { limits: others, source: "server" }
    : { limits: DEFAULT_CALL_LIMITS, source: "ours" };
};

/** Call limits; remount per tool and revision. */
export const CallLimits = ({ server, tool, role }: Props) => {
  const { limits, source } = inForce(server, tool);
  const [draft, setDraft] = useState(toLimitsDraft(limits));
  const { send, pending } = useRegistry();
  const reason = explainDenial(role, "mcp.manage") ?? (server.status === "revoked" ? "The server is revoked" : null);
  const stored = tool ? tool.limits : server.limits;
  const read = readLimits(draft);
  const isChanged = LIMIT_ORDER.some((field) => draft[field] !== toLimitsDraft(limits)[field]);
  const target = { type: "set_limits", id: server.id, revision: server.revision, tool: tool?.name ?? null } as const;

  return (
    <section aria-label={tool ? "Call limits" : "Server limits"} className={cn("border", tool ? "rounded-md" : "rounded-lg bg-surface")}>
      <div className="flex flex-col gap-1 p-3">
        <h4 className="text-sm font-medium">{tool ? "Call limits" : "Server limits"}</h4>
        <p className="text-xs text-muted">{tool ? SOURCES[source] : "For tools without their own limits."}</p>
        <p className="text-sm tabular-nums">{describeLimits(limits)}</p>
      </div>
      {stored === "unreadable" ? (
        <Callout kind="refused" title="The stored limits are invalid" className="mx-3 mb-3">
          They were changed outside Countersign. Tools can't be called until you save valid limits.
        </Callout>
      ) : null}
      <details className="border-t">
        <summary className="px-3 py-2 text-xs font-medium text-muted hover:text-ink">Edit limits</summary>
        <div className="flex flex-col gap-3 p-3 pt-1">
          <div className="grid grid-cols-[repeat(auto-fill,minmax(180px,1fr))] gap-x-3 gap-y-2">
            {LIMIT_ORDER.map((field) => (
              <Field key={field} label={LIMIT_FIELDS[field].label} hint={LIMIT_FIELDS[field].hint} error={read.problems[field] ?? null}>
                <Input
                  inputMode="decimal"
                  className="tabular-nums"
                  disabled={reason !== null}
                  value={draft[field]}
                  onChange={(event) => setDraft({ ...draft, [field]: event.target.value })}
                />
              </Field>
            ))}
          </div>
          <div className="flex flex-wrap gap-2">
            <Button
              size="sm"
              disabledReason={
                reason ??
                (read.limits === null ? "Fix the fields marked above" : !isChanged && stored !== "unreadable" ? "Nothing changed" : null)
              }
              pending={pending ? "Saving…" : null}
              onClick={() => void send({ ...target, limits: read.limits }, "Limits saved. They apply from the next call.")}
            >
              Save limits
            </Button>
            {stored === null ? null : (
              <Button
                size="sm"
                variant="ghost"
                disabledReason={reason}
                onClick={() => void send({ ...target, limits: null }, "Limits removed.")}
              >
                {tool ? "Use server limits" : "Use default limits"}
              </Button>
            )}
          </div>
        </div>
      </details>
    </section>
  );
};
