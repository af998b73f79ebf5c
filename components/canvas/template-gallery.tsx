"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LayoutTemplate } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { placeUnplaced } from "@/components/canvas/tidy/place-unplaced";
import { GraphMap } from "@/components/graph-map/graph-map";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Mark } from "@/components/ui/marks/mark";
import { QueryState } from "@/components/ui/query-state";
import type { Graph } from "@/lib/graph/document";
import { fillTemplate, type Filled, type Need } from "@/lib/graph/templates/template";
import { TEMPLATES } from "@/lib/graph/templates/templates";
import { useNewDialog } from "./use-new-dialog";

const Drawing = ({ graph, label }: { readonly graph: Graph; readonly label: string }) => (
  <GraphMap
    label={label}
    nodes={graph.nodes.map(({ id, title, kind }) => ({ id, title: title ?? id, kind, at: null, state: "idle" }))}
    edges={graph.edges.map(({ source, target }) => ({ source, target, isTaken: false }))}
    className="h-28 rounded-md bg-sunken p-2"
  />
);

const NeedLine = ({ need: { what, tools, server } }: { readonly need: Need }) => (
  <li>
    {server === null ? (
      <>
        <Mark kind="waiting">Missing</Mark> {what} with <span className="font-mono">{tools.join(", ")}</span>.{" "}
        <Link href="/admin/mcp" className="underline underline-offset-2">
          MCP servers
        </Link>
      </>
    ) : (
      <>
        <Mark kind="clean">Available</Mark> {what}: <span className="font-mono">{server}</span>
      </>
    )}
  </li>
);

type CardProps = {
  readonly name: string;
  readonly about: string;
  readonly filled: Filled;
  readonly pending: boolean;
  readonly onUse: () => void;
};

const Card = ({ name, about, filled, pending, onUse }: CardProps) => (
  <li className="flex flex-col gap-2 rounded-lg border p-3">
    <Drawing graph={filled.document} label={`Drawing of ${name}`} />
    <h3 className="text-sm font-semibold">{name}</h3>
    <p className="text-sm text-muted">{about}</p>
    <ul className="flex flex-col gap-1 text-xs text-muted">
      {filled.needs.map((need) => (
        <NeedLine key={need.what} need={need} />
      ))}
      <li>
        {filled.agents.length === 0
          ? "Uses agents of this workspace."
          : `Creates ${filled.agents.length === 1 ? "the agent" : "the agents"} ${filled.agents.map((agent) => agent.name).join(" and ")}.`}
      </li>
    </ul>
    <Button className="mt-auto self-start" aria-label={`Use template ${name}`} pending={pending ? "Creating…" : null} onClick={onUse}>
      Use template
    </Button>
  </li>
);

const useTemplate = () => {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();

  return useMutation({
    mutationFn: async ({ filled }: { readonly id: string; readonly filled: Filled }) => {
      for (const agent of filled.agents) await client.agents.save.mutate({ agent, revision: null });

      return client.graphs.import.mutate({ document: placeUnplaced(filled.document) });
    },
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: trpc.graphs.list.queryKey() });
      router.push(`/graphs/${id}`);
    },
  });
};

const Gallery = () => {
  const catalog = useQuery(useTRPC().graphs.catalog.queryOptions());
  const create = useTemplate();
  const busy = create.isPending || create.isSuccess ? create.variables.id : null;

  return (
    <QueryState query={catalog} rows={6}>
      {({ agents, tools }) => (
        <>
          {create.error ? <Callout kind="refused" alert className="mb-3" title={toApiError(create.error).message} /> : null}
          <ul className="grid gap-3 sm:grid-cols-2">
            {TEMPLATES.map((template) => {
              const filled = fillTemplate(template, { agents: [...agents], tools });

              return (
                <Card
                  key={template.id}
                  name={template.name}
                  about={template.about}
                  filled={filled}
                  pending={busy === template.id}
                  onUse={() => (busy === null ? create.mutate({ id: template.id, filled }) : undefined)}
                />
              );
            })}
          </ul>
        </>
      )}
    </QueryState>
  );
};

export const TemplateGallery = ({ disabledReason }: { readonly disabledReason: string | null }) => {
  const dialog = useNewDialog("template");

  return (
    <>
      <Button disabledReason={disabledReason} onClick={() => dialog.setOpen(true)}>
        <LayoutTemplate aria-hidden /> New from template
      </Button>
      <Dialog
        open={dialog.isOpen && disabledReason === null}
        onOpenChange={dialog.setOpen}
        title="New from template"
        description="Creates the draft of a new graph. Nothing is published or run."
        size="xl"
      >
        <Gallery />
      </Dialog>
    </>
  );
};
