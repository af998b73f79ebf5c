import { Check } from "lucide-react";
import { Panel } from "@/components/ui/panel";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { holdersOf, roleSchema, type Permission } from "@/lib/roles";
import { ProcedureList } from "./procedure-list";
import { ALL_PERMISSIONS, proceduresOf, titleOf, type Procedure } from "./words";

/** The add-on is a column of its own: it goes with any role. */
const HOLDERS = [...roleSchema.options, "auditor"] as const;

const Row = ({ permission, procedures }: { readonly permission: Permission; readonly procedures: readonly Procedure[] }) => {
  const holders = holdersOf(permission);

  return (
    <TableRow>
      <TableCell className="min-w-72 py-2">
        <p className="font-medium">{titleOf(permission)}</p>
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

/** Every permission, the roles that have it, and the procedures that ask for it. */
export const PermissionTable = ({ procedures }: { readonly procedures: readonly Procedure[] }) => (
  <Panel title="Roles and what they may do">
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
          <Row key={permission} permission={permission} procedures={proceduresOf(procedures, permission)} />
        ))}
      </TableBody>
    </Table>
    <p className="border-t px-3 py-2 text-xs text-muted">
      Made from the table in the code that every procedure is tested against: {procedures.length} procedures, of which{" "}
      {procedures.filter(({ access }) => access === "public").length} work before anybody has signed in. Each asks for one permission,
      whatever page it is called from.
    </p>
  </Panel>
);
