"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { CanvasPane } from "@/components/canvas/flow/canvas-pane";
import { GraphsLink } from "@/components/canvas/graphs-link";
import { ChangeList } from "@/components/canvas/versions/change-list";
import { FixedCanvas } from "@/components/canvas/versions/fixed-canvas";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Callout } from "@/components/ui/callout";
import { Mark } from "@/components/ui/marks/mark";
import { PageHeader } from "@/components/ui/page-header";
import { diffGraphs } from "@/lib/graph/diff";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { formatMoney } from "@/lib/format";
import { AuthorityChanges } from "@/components/analysis/authority-changes";
import { Disclosure } from "@/components/analysis/disclosure";
import { Attempts } from "./progress";
import type { Job, Proposal } from "./types";

const READ_ONLY = "This is a proposal. Accept it as a draft to edit";

const NO_CATALOG: ValidationContext = { agents: [], tools: [], versions: [] };

type Props = { readonly job: Job; readonly proposal: Proposal };

const spentText = ({ tokens, costMicroUsd, tried }: Job): string => {
  const attempts = `${tried.length + 1} ${tried.length === 0 ? "attempt" : "attempts"}`;

  return `${attempts}, ${tokens.toLocaleString("en-US")} tokens, ${formatMoney(costMicroUsd)}`;
};

export const ProposalView = ({ job, proposal }: Props) => {
  const router = useRouter();
  const trpc = useTRPC();
  const catalog = useQuery(trpc.graphs.catalog.queryOptions());
  const diff = useMemo(() => diffGraphs(proposal.before, proposal.graph), [proposal]);
  const queryClient = useQueryClient();
  const accept = useMutation(
    trpc.architect.accept.mutationOptions({
      onSuccess: (answer) => {
        if (answer.status !== "saved") return;
        // The editor opens the accepted draft.
        queryClient.removeQueries({ queryKey: trpc.graphs.pathKey() });
        router.push(`/graphs/${answer.graphId}`);
      },
    }),
  );
  const isChange = proposal.before !== null;
  const back = job.graphId === null ? "/graphs" : `/graphs/${job.graphId}`;

  return (
    <FixedCanvas
      graphId="proposal"
      document={diff.drawn}
      catalog={catalog.data ?? NO_CATALOG}
      readOnly={READ_ONLY}
      marks={{ nodes: diff.nodes, edges: diff.edges }}
      // A large graph opens at its first change.
      node={isChange ? (diff.nodes.keys().next().value ?? null) : null}
    >
      <div className="flex min-h-0 flex-1 flex-col">
        <PageHeader
          above={<GraphsLink />}
          title={proposal.graph.name}
          description={isChange ? "A change proposed by the architect" : "A graph proposed by the architect"}
          actions={
            <>
              <Link href={back} className={buttonStyle({})}>
                Discard
              </Link>
              <Button
                variant="primary"
                pending={accept.isPending || accept.data?.status === "saved" ? "Saving…" : null}
                onClick={() => accept.mutate({ id: job.id })}
              >
                Accept as draft
              </Button>
            </>
          }
        />
        <div className="flex min-h-0 flex-1 max-lg:flex-col">
          <section aria-label="Canvas" className="min-h-80 min-w-0 flex-1">
            <CanvasPane />
          </section>
          <aside
            aria-label="Proposal details"
            // Reachable by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className="flex w-104 shrink-0 flex-col gap-5 overflow-y-auto border-l bg-surface p-4 max-lg:w-full max-lg:border-t max-lg:border-l-0"
          >
            {accept.error ? <Callout kind="refused" alert title={toApiError(accept.error).message} /> : null}
            {accept.data?.status === "conflict" ? (
              <Callout kind="refused" alert title="Someone else saved the graph">
                Nothing was overwritten. Request the change again for the latest revision.
              </Callout>
            ) : null}
            <section aria-label="Request" className="flex flex-col gap-1">
              <p className="text-sm wrap-anywhere whitespace-pre-wrap">{job.description}</p>
              <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
                {spentText(job)}
                {job.untrusted ? <Mark kind="tainted">Includes pasted text</Mark> : null}
              </p>
              {job.tried.length > 0 ? (
                <Disclosure summary="Failed attempts">
                  <Attempts job={job} />
                </Disclosure>
              ) : null}
            </section>
            <section aria-labelledby="authority" className="flex flex-col gap-2 border-t pt-4">
              <h2 id="authority" className="text-sm font-semibold">
                Authority
              </h2>
              <AuthorityChanges changes={proposal.changes} base={isChange ? "the current graph" : null} />
            </section>
            <section aria-labelledby="drawing" className="flex flex-col gap-2 border-t pt-4">
              <h2 id="drawing" className="text-sm font-semibold">
                Drawing
              </h2>
              <ChangeList diff={diff} before={proposal.before} after={proposal.graph} />
            </section>
            {proposal.warnings.length > 0 ? (
              <section aria-labelledby="warnings" className="flex flex-col gap-2 border-t pt-4">
                <h2 id="warnings" className="text-sm font-semibold">
                  Warnings
                </h2>
                <ul className="flex flex-col gap-1">
                  {proposal.warnings.map(({ code, message }) => (
                    <li key={`${code} ${message}`} className="text-sm wrap-anywhere">
                      {message}
                    </li>
                  ))}
                </ul>
              </section>
            ) : null}
          </aside>
        </div>
      </div>
    </FixedCanvas>
  );
};
