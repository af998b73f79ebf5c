import { Check } from "lucide-react";
import { Panel } from "@/components/ui/panel";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { listHolders, roleSchema, type Permission } from "@/lib/roles";
import { ProcedureList } from "./procedure-list";
import { ALL_PERMISSIONS, listProcedures, getTitle, type Procedure } from "./labels";

/** The add-on combines with any role. */
const HOLDERS = [...roleSchema.options, "auditor"] as const;

const Row = ({ permission, procedures }: { readonly permission: Permission; readonly procedures: readonly Procedure[] }) => {
  const holders = listHolders(permission);

  return (
    <TableRow>
      <TableCell className="min-w-72 py-2">
        <p className="font-medium">{getTitle(permission)}</p>
        <ProcedureList procedures={procedures} />
      </TableCell>
      {HOLDERS.map((holder) => (
        <TableCell key={holder} className="text-center">
          {holders.includes(holder) ? (
            <>
              <Check aria-hidden className="inline size-4 text-accent" />
              <span className="sr-only">yes</span>
            </>
          ) : (
            <>
              <span aria-hidden className="text-faint">
                –
              </span>
              <span className="sr-only">no</span>
            </>
          )}
        </TableCell>
      ))}
    </TableRow>
  );
};

export const PermissionTable = ({ procedures }: { readonly procedures: readonly Procedure[] }) => (
  <Panel title="Permissions by role">
    <Table aria-label="Permissions by role">
      <TableHead>
        <TableRow>
          <TableHeader>Permission</TableHeader>
          {HOLDERS.map((holder) => (
            <TableHeader key={holder} className="text-center">
              {holder}
            </TableHeader>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {ALL_PERMISSIONS.map((permission) => (
          <Row key={permission} permission={permission} procedures={listProcedures(procedures, permission)} />
        ))}
      </TableBody>
    </Table>
    <p className="border-t px-3 py-2 text-xs text-muted">
      From the access table that every procedure is tested against: {procedures.length} procedures,{" "}
      {procedures.filter(({ access }) => access === "public").length} of them available without signing in. Each requires one permission,
      whatever page calls it.
    </p>
  </Panel>
);
