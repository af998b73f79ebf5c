import type { ReactNode } from "react";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { diffDefinitions } from "@/lib/mcp/definition-diff";
import type { Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { CallLimits } from "./call-limits";
import { ConsolePanel } from "./console-panel";
import { DefinitionFields } from "./definition-fields";
import { ServerClaims } from "./server-claims";
import { ToolLabels } from "./tool-labels";
import { ToolTextSigns } from "./tool-text-signs";
import { ToolSwitch } from "./tool-switch";
import { WideningList } from "./widening-list";

type Props = { readonly server: ServerView; readonly tool: ToolView; readonly role: Role };

const Digest = ({ label, digest }: { readonly label: string; readonly digest: string | undefined }): ReactNode => (
  <span className="flex items-center gap-1.5 text-xs text-muted">
    <span>{label}</span>
    {digest ? <DigestChip digest={digest} label={`${label} digest`} /> : <span>none</span>}
  </span>
);

export const ToolDetail = ({ server, tool, role }: Props) => {
  const before = tool.pinned?.definition ?? null;
  const after = tool.seen?.definition ?? null;
  // Without drift, both sides are equal.
  const definition = (
    <DefinitionFields
      fields={diffDefinitions(tool.drift ? before : (after ?? before), tool.drift ? after : (after ?? before))}
      isDiff={tool.drift === "changed"}
    />
  );

  return (
    <div className="flex min-w-0 flex-col gap-4 p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="min-w-0 font-mono text-sm font-semibold break-all">{tool.name}</h3>
        <Digest label="Current" digest={tool.seen?.digest} />
        <Digest label="Pinned" digest={tool.pinned?.digest} />
        <ToolSwitch server={server} tool={tool} role={role} />
      </header>
      {tool.drift === "removed" ? <Callout kind="tainted" title="The server no longer has this tool." /> : null}
      {tool.drift === "added" ? <Callout kind="tainted" title="This tool was added after the review." /> : null}
      {tool.drift === "changed" && before && after ? <WideningList before={before} after={after} /> : null}
      <ToolTextSigns definition={after ?? before} />
      {tool.drift ? definition : null}
      <div className="grid gap-4 lg:grid-cols-2">
        <ServerClaims definition={after ?? before} />
        <ToolLabels server={server} tool={tool} role={role} />
      </div>
      {tool.drift ? null : definition}
      <ConsolePanel server={server} tool={tool} role={role} />
      <CallLimits server={server} tool={tool} role={role} />
    </div>
  );
};
