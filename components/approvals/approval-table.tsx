import Link from "next/link";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ApprovalStatusMark } from "./approval-status";
import { Countdown } from "./countdown";
import { GATE_REASON_TEXT } from "./gate-reasons";
import type { ApprovalListRow } from "./types";

const Row = ({ row }: { readonly row: ApprovalListRow }) => (
  <TableRow className="relative">
    <TableCell>
      <ApprovalStatusMark status={row.status} />
    </TableCell>
    <TableCell className="max-w-md">
      {/* The link covers its row: one thing to focus, and the whole row takes the click. */}
      <Link href={`/approvals/${row.id}`} className="block truncate font-medium after:absolute after:inset-0 hover:underline">
        {row.prompt}
      </Link>
      <span className="text-xs text-muted">{GATE_REASON_TEXT[row.reason]}</span>
    </TableCell>
    <TableCell>
      {row.graphName} <span className="font-mono text-xs text-faint">{row.runId.slice(0, 8)}</span>
    </TableCell>
    <TableCell className="font-mono text-xs text-muted">{row.node}</TableCell>
    <TableCell className="text-muted">{row.role}</TableCell>
    <TableCell className="whitespace-nowrap text-muted">
      <RelativeTime at={row.openedAt} />
    </TableCell>
    <TableCell numeric>
      {row.status === "open" ? (
        <Countdown until={row.expiresAt} />
      ) : row.resolvedAt === null ? null : (
        <RelativeTime at={row.resolvedAt} className="text-muted" />
      )}
    </TableCell>
  </TableRow>
);

type Props = { readonly rows: readonly ApprovalListRow[]; readonly isOpen: boolean };

/** Approvals, one a line. */
export const ApprovalTable = ({ rows, isOpen }: Props) => (
  <Table aria-label={isOpen ? "Open approvals" : "Decided approvals"}>
    <TableHead>
      <tr>
        <TableHeader>Status</TableHeader>
        <TableHeader>What is asked</TableHeader>
        <TableHeader>Graph</TableHeader>
        <TableHeader>Node</TableHeader>
        <TableHeader>Needs</TableHeader>
        <TableHeader>Opened</TableHeader>
        <TableHeader numeric>{isOpen ? "Expires in" : "Resolved"}</TableHeader>
      </tr>
    </TableHead>
    <TableBody>
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </TableBody>
  </Table>
);
