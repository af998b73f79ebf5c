"use client";

import { Fragment } from "react";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { UseMark } from "./use-mark";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import type { Agent, PinnedTool } from "@/lib/graph/document";
import { getToolId } from "@/lib/graph/tool-ref";
import type { ToolName } from "@/lib/mcp/tool-use";

type Props = {
  readonly agentId: string | null;
  readonly granted: Agent["tools"];
  readonly offered: readonly PinnedTool[];
  readonly onChange: (granted: Agent["tools"]) => void;
};

const isSame = (a: ToolName, b: ToolName): boolean => a.server === b.server && a.tool === b.tool;

export const AgentTools = ({ agentId, granted, offered, onChange }: Props) => {
  const usage = useQuery(useTRPC().agents.usage.queryOptions(undefined, { enabled: agentId !== null }));
  const uses = usage.data?.agents.find(({ id }) => id === agentId)?.tools ?? [];
  const useOf = (tool: ToolName) => uses.find((use) => isSame(use, tool));
  // Unavailable tools can only be removed.
  const gone = [...granted, ...uses].filter(
    (tool, index, all) => !offered.some((one) => isSame(one, tool)) && all.findIndex((one) => isSame(one, tool)) === index,
  );
  const isGranted = (tool: ToolName) => granted.some((one) => isSame(one, tool));
  const without = (tool: ToolName) => granted.filter((one) => !isSame(one, tool));
  const unused = granted.filter((tool) => useOf(tool)?.verdict === "unused");
  const row = (tool: ToolName, remark: string) => {
    const use = useOf(tool);

    return (
      <Checkbox
        key={getToolId(tool.server, tool.tool)}
        checked={isGranted(tool)}
        onCheckedChange={(grant) => onChange(grant ? [...without(tool), { server: tool.server, tool: tool.tool }] : without(tool))}
      >
        <span className="font-mono text-xs">
          {tool.server} / {tool.tool}
        </span>{" "}
        <span className="text-xs text-muted">{remark}</span> {use ? <UseMark use={use} /> : null}
      </Checkbox>
    );
  };

  /** Irreversible calls always need approval. */
  const trust = ({ server, tool }: ToolName) => (
    <div className="ml-6">
      <Checkbox
        checked={granted.some((one) => isSame(one, { server, tool }) && one.trusted === true)}
        onCheckedChange={(trusted) =>
          onChange([...without({ server, tool }), { server, tool, ...(trusted ? { trusted: true as const } : {}) }])
        }
      >
        <span className="text-xs">Trusted with {tool}: writes without approval unless untrusted data shaped the call</span>
      </Checkbox>
    </div>
  );

  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">Tools</legend>
      {offered.length === 0 ? <p className="text-xs text-muted">No pinned tools on active servers.</p> : null}
      {offered.map((tool) => (
        <Fragment key={getToolId(tool.server, tool.tool)}>
          {row(tool, tool.effect)}
          {tool.effect === "write" && isGranted(tool) ? trust(tool) : null}
        </Fragment>
      ))}
      {gone.map((tool) => row(tool, "unavailable"))}
      {unused.length > 0 ? (
        <div>
          <Button size="sm" onClick={() => onChange(granted.filter((tool) => !unused.includes(tool)))}>
            Remove unused ({unused.length})
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
};
