"use client";

import { ArrowLeftRight, X } from "lucide-react";
import { useMemo } from "react";
import { AuthorityChanges } from "@/components/analysis/authority-changes";
import { CanvasPane } from "@/components/canvas/flow/canvas-pane";
import { GraphsLink } from "@/components/canvas/graphs-link";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { useCanvasUrl } from "@/components/canvas/state/use-canvas-url";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { readAuthority } from "@/lib/architect/authority";
import { diffAuthority } from "@/lib/architect/authority-diff";
import { diffGraphs } from "@/lib/graph/diff";
import { ChangeList } from "./change-list";
import { FixedCanvas } from "./fixed-canvas";
import { SideSelect } from "./side-select";
import { freezeCatalog, describeSides, type Side, type Sides } from "./sides";
import { useSides } from "./use-sides";
import { VersionFailure } from "./version-failure";

const READ_ONLY = "This is a comparison. Go back to the draft to edit";

const Section = ({ title, children }: { readonly title: string; readonly children: React.ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-2 border-t pt-4 first:border-t-0 first:pt-0">
    <h2 className="text-sm font-semibold">{title}</h2>
    {children}
  </section>
);

const Body = ({ before, after }: { readonly before: Side; readonly after: Side }) => {
  // Selection is in the URL, as in the draft.
  useCanvasUrl();
  const old = before.published.graph;
  const now = after.published.graph;
  const diff = useMemo(() => diffGraphs(old, now), [old, now]);
  const changes = useMemo(() => diffAuthority(readAuthority(before.published), readAuthority(after.published)), [before, after]);

  return (
    <div className="flex min-h-0 flex-1">
      <section aria-label="Canvas" className="min-w-0 flex-1">
        <CanvasPane />
      </section>
      <aside
        aria-label="Changes"
        // Reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="flex w-104 shrink-0 flex-col gap-4 overflow-y-auto border-l bg-surface p-4"
      >
        <Section title="Authority">
          <AuthorityChanges changes={changes} base={before.name} />
        </Section>
        <Section title="Graph">
          <ChangeList diff={diff} before={old} after={now} />
        </Section>
      </aside>
    </div>
  );
};

type ComparedProps = { readonly before: Side; readonly after: Side; readonly node: string | null };

const Compared = ({ before, after, node }: ComparedProps) => {
  const id = useCanvas((state) => state.graphId);
  const catalog = useCanvas((state) => state.catalog);
  const frozen = useMemo(() => freezeCatalog(after.published, catalog), [after.published, catalog]);
  const diff = useMemo(() => diffGraphs(before.published.graph, after.published.graph), [before, after]);

  return (
    <FixedCanvas
      graphId={id}
      document={diff.drawn}
      catalog={frozen}
      readOnly={READ_ONLY}
      marks={{ nodes: diff.nodes, edges: diff.edges }}
      node={node ?? diff.nodes.keys().next().value ?? null}
    >
      <Body before={before} after={after} />
    </FixedCanvas>
  );
};

export const DiffView = ({ sides }: { readonly sides: Sides }) => {
  const { place, setPlace } = useCanvasUrl();
  const name = useCanvas((state) => state.history.document.name);
  const { before, after, error } = useSides(sides);
  const compare = (next: Sides) => void setPlace({ diff: describeSides(next), node: null, edge: null }, { history: "push" });

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader
        above={<GraphsLink />}
        title={name}
        actions={
          <>
            <SideSelect label="Compare" value={sides.before} onChange={(next) => compare({ ...sides, before: next })} />
            <Button
              size="iconMd"
              variant="ghost"
              aria-label="Swap sides"
              onClick={() => compare({ before: sides.after, after: sides.before })}
            >
              <ArrowLeftRight aria-hidden />
            </Button>
            <SideSelect label="With" value={sides.after} onChange={(next) => compare({ ...sides, after: next })} />
            <Button variant="primary" onClick={() => void setPlace({ diff: null, node: null, edge: null }, { history: "push" })}>
              <X aria-hidden /> Back to draft
            </Button>
          </>
        }
      />
      {error ? (
        <VersionFailure error={error} title="Could not load the versions" />
      ) : before && after ? (
        <Compared key={`${describeSides(sides)} ${before.published.graph.nodes.length}`} before={before} after={after} node={place.node} />
      ) : (
        <SkeletonRows />
      )}
    </div>
  );
};
