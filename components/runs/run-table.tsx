import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { count, formatMoney } from "@/lib/format";
import { RunStatusMark } from "@/components/values/run-status";
import type { RunListRow } from "./types";

const Row = ({ run }: { readonly run: RunListRow }) => (
  <TableRow className="relative">
    <TableCell>
      <RunStatusMark status={run.status} />
      {run.frozen === null ? null : <Mark kind="refused">Frozen</Mark>}
    </TableCell>
    <TableCell className="max-w-80">
      {/* One focus stop for the whole row. */}
      <Link href={`/runs/${run.id}`} className="font-medium after:absolute after:inset-0 hover:underline">
        {run.graphName || "Run"}
      </Link>{" "}
      <span className="font-mono text-xs text-faint">{run.id.slice(0, 8)}</span>{" "}
      {run.parentRun === null ? null : <Badge>{run.simulated ? "simulation" : "fork"}</Badge>}
    </TableCell>
    <TableCell className="tabular text-muted">{run.versionNumber === null ? "" : `v${run.versionNumber}`}</TableCell>
    <TableCell className="font-mono text-xs text-muted max-xl:hidden">{run.currentNode ?? ""}</TableCell>
    <TableCell numeric>
      {run.refusals > 0 ? <Mark kind="refused">{count(run.refusals)}</Mark> : <span className="text-faint">0</span>}
    </TableCell>
    <TableCell numeric>{count(run.version)}</TableCell>
    <TableCell numeric className="max-xl:hidden">
      {count(run.totalTokens)}
    </TableCell>
    <TableCell numeric>{formatMoney(run.totalMicroUsd)}</TableCell>
    <TableCell>{run.initiatorName}</TableCell>
    <TableCell className="whitespace-nowrap text-muted">
      <RelativeTime at={run.createdAt} />
    </TableCell>
  </TableRow>
);

export const RunTable = ({ runs }: { readonly runs: readonly RunListRow[] }) => (
  <Table aria-label="Runs">
    <TableHead>
      <tr>
        <TableHeader>Status</TableHeader>
        <TableHeader>Graph</TableHeader>
        <TableHeader>Version</TableHeader>
        <TableHeader className="max-xl:hidden">Current node</TableHeader>
        <TableHeader numeric>Refusals</TableHeader>
        <TableHeader numeric>Records</TableHeader>
        <TableHeader numeric className="max-xl:hidden">
          Tokens
        </TableHeader>
        <TableHeader numeric>Cost</TableHeader>
        <TableHeader>Started by</TableHeader>
        <TableHeader>Started</TableHeader>
      </tr>
    </TableHead>
    <TableBody>
      {runs.map((run) => (
        <Row key={run.id} run={run} />
      ))}
    </TableBody>
  </Table>
);
