import type { ReactNode } from "react";
import { Panel } from "@/components/ui/panel";
import { ActionsHeader, Table, TableBody, TableHead, TableHeader, TableRow } from "@/components/ui/table";

type Props = {
  readonly label: string;
  readonly columns: readonly string[];
  /** Adds a last column for row actions. */
  readonly hasActions?: boolean;
  /** The rows. */
  readonly children: ReactNode;
};

/** Table in a panel, with column headers. */
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
