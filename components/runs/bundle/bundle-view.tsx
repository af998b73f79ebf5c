"use client";

import Link from "next/link";
import { useMemo, type ReactNode } from "react";
import { useFeed } from "@/components/runs/feed/use-feed";
import { getNodeNames } from "@/components/runs/node-names";
import { RunTimeline } from "@/components/runs/run-timeline";
import { useRecordCursor } from "@/components/runs/use-record-cursor";
import { buttonStyle } from "@/components/ui/button-style";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { count } from "@/lib/format";
import { listNotProved } from "@/lib/engine/verify/verify-replay";
import { bundleSource, getGraph, findPublishedIn } from "./bundle-source";
import type { KeptBundle } from "./bundle-store";
import { FaultCallout, ProgressLine, describeTrustEvent } from "./bundle-status";
import type { Bundle } from "./read-bundle";
import { useOpenedBundle } from "./use-bundles";

const Head = ({ kept }: { readonly kept: KeptBundle | null }) => (
  <PageHeader
    title={kept ? kept.graphName || kept.name : "Bundle"}
    description={kept ? `From the file ${kept.name}` : undefined}
    above={
      <Link href="/runs/import" className="hover:text-ink hover:underline">
        Bundles
      </Link>
    }
  />
);

/** Names the keys it was verified with. */
const Banner = ({ kept, bundle }: { readonly kept: KeptBundle; readonly bundle: Bundle }) => (
  <Callout
    kind={kept.trust.type === "file" ? "tainted" : "clean"}
    title={`Imported file, ${describeTrustEvent(kept.trust)}`}
    className="mx-6 my-2 shrink-0"
  >
    <details>
      <summary className="text-xs text-muted">
        {count(bundle.records)} records and {count(bundle.cellsOpened)} values verified, {count(bundle.cellsHidden)} values hidden. What
        this does not prove
      </summary>
      <ul className="mt-1 list-disc pl-4 text-xs text-muted">
        {listNotProved(bundle.isWhole).map((gap) => (
          <li key={gap}>{gap}</li>
        ))}
      </ul>
    </details>
  </Callout>
);

const NOBODY = {};

const Records = ({ bundle }: { readonly bundle: Bundle }) => {
  const { document, records } = bundle;
  const graph = useMemo(() => getGraph(findPublishedIn(document)), [document]);
  const source = useMemo(() => bundleSource(document), [document]);
  const names = useMemo(() => getNodeNames(graph), [graph]);
  const cursor = useRecordCursor(records);
  const feed = useFeed({ source, total: records, want: cursor.selected, names });

  return (
    <RunTimeline
      feed={feed}
      cursor={cursor}
      graph={graph}
      names={names}
      people={NOBODY}
      revealIn={null}
      note={<span className="text-xs text-muted">Imported file</span>}
      renderActions={() => null}
    />
  );
};

const Whole = ({ children, kept = null }: { readonly children: ReactNode; readonly kept?: KeptBundle | null }) => (
  <>
    <Head kept={kept} />
    <div className="p-6">{children}</div>
  </>
);

export const BundleView = ({ userId, id }: { readonly userId: string; readonly id: string }) => {
  const { opened, progress } = useOpenedBundle(userId, id);
  if (opened.isError) {
    return (
      <Whole>
        <Callout kind="refused" title="This browser could not read the file" alert />
      </Whole>
    );
  }
  if (opened.isPending) {
    return (
      <Whole>
        <ProgressLine progress={progress} />
      </Whole>
    );
  }
  if (opened.data === null) {
    return (
      <EmptyState
        isPage
        kind="no_match"
        title="Bundle not found in this browser"
        action={
          <Link href="/runs/import" className={buttonStyle()}>
            All bundles
          </Link>
        }
      >
        It was removed, or it was imported in another browser or by another user.
      </EmptyState>
    );
  }
  const { kept, result } = opened.data;
  if (!result.ok) {
    return (
      <Whole kept={kept}>
        <FaultCallout fault={result} />
      </Whole>
    );
  }

  return (
    <>
      <Head kept={kept} />
      <Banner kept={kept} bundle={result.bundle} />
      <Records bundle={result.bundle} />
    </>
  );
};
