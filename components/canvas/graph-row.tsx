import type { inferRouterOutputs } from "@trpc/server";
import Link from "next/link";
import { WaitingLink } from "@/components/canvas/architect/waiting-link";
import { DigestChip } from "@/components/ui/digest-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { RunStatusMark } from "@/components/values/run-status";
import type { AppRouter } from "@/server/trpc/root";
import { GraphMenu } from "./graph-menu";

export type GraphRow = inferRouterOutputs<AppRouter>["graphs"]["list"][number];

/** Share of ended runs; null before one has. */
const successText = ({ runs }: GraphRow): string | null =>
  runs === null || runs.ended === 0 ? null : `${Math.round((runs.completed / runs.ended) * 100)}% of ${runs.ended}`;

type Props = { readonly graph: GraphRow; readonly cannotEdit: string | null; readonly onTag: (tag: string) => void };

export const GraphTableRow = ({ graph, cannotEdit, onTag }: Props) => (
  <TableRow>
    <TableCell>
      <Link href={`/graphs/${graph.id}`} prefetch={false} className="font-medium hover:text-accent">
        {graph.name}
      </Link>
      {graph.tags.map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={`Show graphs tagged ${tag}`}
          onClick={() => onTag(tag)}
          className="ml-1.5 inline-flex h-6 items-center rounded-sm bg-sunken px-1.5 text-xs text-muted ring-1 ring-line ring-inset hover:text-ink"
        >
          {tag}
        </button>
      ))}
    </TableCell>
    <TableCell>
      {graph.version ? (
        <span className="inline-flex items-center gap-2">
          <span className="tabular">v{graph.version.number}</span>
          <DigestChip digest={graph.version.hash} label="version" />
        </span>
      ) : (
        <span className="text-muted">Not published</span>
      )}
      <WaitingLink graphId={graph.id} />
    </TableCell>
    <TableCell>{graph.owner?.name ?? <span className="text-muted">A former member</span>}</TableCell>
    <TableCell>
      {graph.runs === null ? (
        <span className="text-muted">None</span>
      ) : (
        <Link href={`/runs/${graph.runs.lastId}`} prefetch={false} className="inline-flex items-center gap-1.5 hover:underline">
          <RunStatusMark status={graph.runs.lastStatus} />
          <RelativeTime at={graph.runs.lastAt} className="text-xs text-muted" />
        </Link>
      )}
    </TableCell>
    <TableCell numeric title="Completed, of the last 50 runs that ended. Simulations do not count.">
      {successText(graph) ?? <span className="text-muted">No ended runs</span>}
    </TableCell>
    <TableCell>
      <RelativeTime at={graph.updatedAt} className="text-muted" />
    </TableCell>
    <TableCell className="text-right">
      <GraphMenu graph={graph} cannotEdit={cannotEdit} />
    </TableCell>
  </TableRow>
);
