import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { DataTable, timeColumn, WIDE, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
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

const listColumns = ({ names, ownLedger }: Omit<Props, "rows">): readonly Column<TrustRow>[] => [
  timeColumn("When", ({ at }) => at),
  { name: "Kind", cell: ({ type }) => <Kind type={type} /> },
  {
    name: "Actor",
    className: "max-w-48 truncate",
    hover: ({ principal }) => principal,
    cell: ({ principal }) => describeWho(principal, names),
  },
  { name: "Node", headerClassName: WIDE, className: `max-w-40 truncate font-mono text-xs ${WIDE}`, cell: ({ node }) => node ?? "" },
  {
    name: "Path",
    className: "max-w-56 truncate font-mono text-xs max-xl:max-w-36",
    hover: ({ path }) => path ?? undefined,
    cell: ({ path }) => path ?? "",
  },
  {
    name: "Details",
    className: "max-w-96 truncate text-muted max-xl:max-w-44",
    hover: (row) => describeWhat(row, names),
    cell: (row) => describeWhat(row, names),
  },
  {
    name: "Record",
    className: "whitespace-nowrap",
    cell: ({ run, seq }) => <Place run={run} seq={seq} ownLedger={ownLedger} />,
  },
];

export const TrustTable = ({ rows, ...known }: Props) => (
  <DataTable
    label="Trust log"
    columns={listColumns(known)}
    rows={rows}
    rowKey={({ run, seq, index }) => `${run} ${seq} ${index}`}
    isLinked
  />
);
