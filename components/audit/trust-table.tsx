import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { KINDS, describeWhat, describeWho } from "./trust-labels";
import type { TrustRow } from "./types";

const Kind = ({ type }: Pick<TrustRow, "type">) => {
  const { title, mark } = KINDS[type];

  return mark === null ? <Badge>{title}</Badge> : <Mark kind={mark}>{title}</Mark>;
};

const Place = ({ run, seq, ownLedger }: Pick<TrustRow, "run" | "seq"> & { readonly ownLedger: string }) =>
  run === ownLedger ? (
    <span className="text-muted">workspace, {seq}</span>
  ) : (
    // One focus stop for the whole row.
    <Link href={`/runs/${run}?t=${seq}`} className="after:absolute after:inset-0 hover:underline">
      <span className="font-mono text-xs">{run.slice(0, 8)}</span>, record {seq}
    </Link>
  );

type Props = { readonly rows: readonly TrustRow[]; readonly names: Readonly<Record<string, string>>; readonly ownLedger: string };

/** Trust events with record links. */
export const TrustTable = ({ rows, names, ownLedger }: Props) => (
  <Table aria-label="Trust log">
    <TableHead>
      <tr>
        <TableHeader>When</TableHeader>
        <TableHeader>Kind</TableHeader>
        <TableHeader>Actor</TableHeader>
        <TableHeader>Node</TableHeader>
        <TableHeader>Path</TableHeader>
        <TableHeader>Details</TableHeader>
        <TableHeader>Record</TableHeader>
      </tr>
    </TableHead>
    <TableBody>
      {rows.map((row) => (
        <TableRow key={`${row.run} ${row.seq} ${row.index}`} className="relative">
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={row.at} />
          </TableCell>
          <TableCell>
            <Kind type={row.type} />
          </TableCell>
          <TableCell className="max-w-48 truncate" title={row.principal}>
            {describeWho(row.principal, names)}
          </TableCell>
          <TableCell className="max-w-40 truncate font-mono text-xs">{row.node ?? ""}</TableCell>
          <TableCell className="max-w-56 truncate font-mono text-xs" title={row.path ?? undefined}>
            {row.path ?? ""}
          </TableCell>
          <TableCell className="max-w-96 truncate text-muted" title={describeWhat(row)}>
            {describeWhat(row)}
          </TableCell>
          <TableCell className="whitespace-nowrap">
            <Place run={row.run} seq={row.seq} ownLedger={ownLedger} />
          </TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);
