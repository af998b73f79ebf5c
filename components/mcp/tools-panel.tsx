"use client";

import { parseAsString, useQueryState } from "nuqs";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import type { Isolation } from "@/lib/mcp/isolation";
import type { Role } from "@/lib/roles";
import type { ServerView, ToolView } from "@/server/trpc/routers/mcp/view";
import { DriftMark } from "./drift-mark";
import { NOT_LABELLED } from "./label-options";
import { LabelTools } from "./label-tools";
import { ToolDetail } from "./tool-detail";
import { UnusableTools } from "./unusable-tools";

type Props = { readonly server: ServerView; readonly isolation: Isolation | null; readonly role: Role };

const ReviewMark = ({ tool }: { readonly tool: ToolView }) => {
  if (tool.drift) return <DriftMark drift={tool.drift} />;

  return tool.pinned ? <Mark kind="reviewed">Pinned</Mark> : <Mark kind="waiting">Not reviewed</Mark>;
};

/** Scrolls only its own list. */
const bringIntoSight = (entry: HTMLElement | null): void => {
  const list = entry?.parentElement;
  if (!entry || !list) return;
  const [{ top, bottom, height }, frame] = [entry.getBoundingClientRect(), list.getBoundingClientRect()];
  if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - (frame.height - height) / 2;
};

export const ToolsPanel = ({ server, isolation, role }: Props) => {
  const [chosen, choose] = useQueryState("tool", parseAsString);
  const selected = server.tools.find(({ name }) => name === chosen) ?? server.tools.find(({ drift }) => drift) ?? server.tools[0];
  if (!selected) {
    return (
      <Panel title="Tools">
        <EmptyState kind="nothing_yet" title="No tools yet">
          Inspect the server to list its tools. If that failed, the reason is shown above.
        </EmptyState>
        <UnusableTools tools={server.unusable} />
      </Panel>
    );
  }

  return (
    <Panel
      title={`Tools (${server.tools.length})`}
      actions={<LabelTools server={server} isolation={isolation} role={role} />}
      bodyClassName="grid min-w-0 md:grid-cols-[260px_minmax(0,1fr)]"
    >
      <div className="border-r max-md:border-r-0 max-md:border-b">
        <ul aria-label="Tools" className="flex max-h-[70vh] flex-col overflow-y-auto py-1 max-md:max-h-60">
          {server.tools.map((tool) => (
            <li key={tool.name} ref={tool.name === selected.name ? bringIntoSight : null}>
              <button
                type="button"
                aria-current={tool.name === selected.name ? "true" : undefined}
                onClick={() => void choose(tool.name)}
                className={cn(
                  "flex w-full flex-col items-start gap-1 px-3 py-1.5 text-left text-sm transition-colors hover:bg-hover focus-visible:-outline-offset-2",
                  tool.name === selected.name && "bg-accent-soft",
                )}
              >
                <span className="font-mono text-xs break-all">{tool.name}</span>
                <span className="flex flex-wrap items-center gap-1">
                  <ReviewMark tool={tool} />
                  {tool.blockedAt === null ? null : <Mark kind="refused">Off</Mark>}
                  {tool.labelled ? <Badge>{tool.effect}</Badge> : <span className="text-xs text-muted">{NOT_LABELLED}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {/* Remounted per tool and revision. */}
      <ToolDetail key={`${selected.name}/${server.revision}`} server={server} tool={selected} role={role} />
      <UnusableTools tools={server.unusable} />
    </Panel>
  );
};
