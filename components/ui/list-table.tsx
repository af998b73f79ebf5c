import type { ReactNode } from "react";
import { Panel } from "./panel";
import { ActionsHeader, Table, TableBody, TableHead, TableHeader, TableRow } from "./table";

type Props = {
  readonly label: string;
  readonly columns: readonly string[];
  readonly hasActions?: boolean;
  readonly children: ReactNode;
};

/** Table with column headers. */
export const ListTable = ({ label, columns, hasActions = false, children }: Props) => (
  <Panel>
    <Table aria-label={label}>
      <TableHead>
        <TableRow>
          {columns.map((column) => (
            <TableHeader key={column}>{column}</TableHeader>
          ))}
          {hasActions ? <ActionsHeader /> : null}
        </TableRow>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  </Panel>
);
