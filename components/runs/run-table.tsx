import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { DataTable, timeColumn, WIDE, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { RunStatusMark } from "@/components/values/run-status";
import { count, formatMoney } from "@/lib/format";
import type { RunListRow } from "./types";

const COLUMNS: readonly Column<RunListRow>[] = [
  {
    name: "Status",
    cell: ({ status, frozen }) => (
      <>
        <RunStatusMark status={status} />
        {frozen === null ? null : <Mark kind="refused">Frozen</Mark>}
      </>
    ),
  },
  {
    name: "Graph",
    className: "max-w-80",
    cell: ({ id, graphName, parentRun, simulated, environment }) => (
      <>
        {/* One focus stop for the whole row. */}
        <Link href={`/runs/${id}`} prefetch={false} className="font-medium after:absolute after:inset-0 hover:underline">
          {graphName || "Run"}
        </Link>{" "}
        <span className="font-mono text-xs text-faint">{id.slice(0, 8)}</span> {environment === null ? null : <Badge>{environment}</Badge>}{" "}
        {parentRun === null ? null : <Badge>{simulated ? "simulation" : "fork"}</Badge>}
      </>
    ),
  },
  {
    name: "Version",
    className: "tabular text-muted",
    cell: ({ versionNumber }) => (versionNumber === null ? "" : `v${versionNumber}`),
  },
  {
    name: "Current node",
    headerClassName: WIDE,
    className: `font-mono text-xs text-muted ${WIDE}`,
    cell: ({ currentNode }) => currentNode ?? "",
  },
  {
    name: "Refusals",
    numeric: true,
    cell: ({ refusals }) => (refusals > 0 ? <Mark kind="refused">{count(refusals)}</Mark> : <span className="text-faint">0</span>),
  },
  { name: "Records", numeric: true, cell: ({ version }) => count(version) },
  { name: "Tokens", numeric: true, headerClassName: WIDE, className: WIDE, cell: ({ totalTokens }) => count(totalTokens) },
  { name: "Cost", numeric: true, cell: ({ totalMicroUsd }) => formatMoney(totalMicroUsd) },
  { name: "Started by", cell: ({ initiatorName }) => initiatorName },
  timeColumn("Started", ({ createdAt }) => createdAt),
];

export const RunTable = ({ runs }: { readonly runs: readonly RunListRow[] }) => (
  <DataTable label="Runs" columns={COLUMNS} rows={runs} rowKey={({ id }) => id} isLinked />
);
