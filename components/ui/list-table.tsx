import type { Key, ReactNode } from "react";
import { Panel } from "./panel";
import { RelativeTime } from "./relative-time";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "./table";

export type Column<Row> = {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** Of its cells. */
  readonly className?: string;
  readonly headerClassName?: string;
  /** Full text on hover. */
  readonly hover?: (row: Row) => string | undefined;
  /** Explains the header on hover. */
  readonly hint?: string;
};

export const MUTED = "whitespace-nowrap text-muted";

/** For columns that only wide screens have room for. */
export const WIDE = "max-xl:hidden";

/** Column with a point in time. @param at ms since 1970, or ISO */
export const timeColumn = <Row,>(name: string, at: (row: Row) => number | string | null, never = "never"): Column<Row> => ({
  name,
  className: MUTED,
  cell: (row) => {
    const time = at(row);

    return time === null ? never : <RelativeTime at={time} />;
  },
});

type Props<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => Key;
  /** Last column. */
  readonly renderActions?: (row: Row) => ReactNode;
  /** One link stretches over the row. */
  readonly isLinked?: boolean;
  /** After the rows. */
  readonly children?: ReactNode;
};

export const DataTable = <Row,>({ label, columns, rows, rowKey, renderActions, isLinked = false, children }: Props<Row>) => (
  <Table aria-label={label}>
    <TableHead>
      <TableRow>
        {columns.map(({ name, numeric = false, hint, headerClassName }) => (
          <TableHeader key={name} numeric={numeric} title={hint} className={headerClassName}>
            {name}
          </TableHeader>
        ))}
        {renderActions ? <ActionsHeader /> : null}
      </TableRow>
    </TableHead>
    <TableBody>
      {rows.map((row) => (
        <TableRow key={rowKey(row)} className={isLinked ? "relative" : undefined}>
          {columns.map(({ name, cell, numeric = false, className, hover }) => (
            <TableCell key={name} numeric={numeric} title={hover?.(row)} className={className}>
              {cell(row)}
            </TableCell>
          ))}
          {renderActions ? <TableCell className="text-right whitespace-nowrap">{renderActions(row)}</TableCell> : null}
        </TableRow>
      ))}
      {children}
    </TableBody>
  </Table>
);

export const ListTable = <Row,>({ empty, ...table }: Props<Row> & { readonly empty?: ReactNode }) =>
  table.rows.length === 0 && empty ? (
    empty
  ) : (
    <Panel>
      <DataTable {...table} />
    </Panel>
  );
