import { Check } from "lucide-react";
import { DataTable, type Column } from "@/components/ui/list-table";
import { Panel } from "@/components/ui/panel";
import { listHolders, roleSchema, type Permission } from "@/lib/roles";
import { ProcedureList } from "./procedure-list";
import { ALL_PERMISSIONS, listProcedures, getTitle, type Procedure } from "./labels";

/** The add-on combines with any role. */
const HOLDERS = [...roleSchema.options, "auditor"] as const;

const YesNo = ({ isYes }: { readonly isYes: boolean }) => (
  <>
    {isYes ? (
      <Check aria-hidden className="inline size-4 text-accent" />
    ) : (
      <span aria-hidden className="text-faint">
        –
      </span>
    )}
    <span className="sr-only">{isYes ? "yes" : "no"}</span>
  </>
);

const listColumns = (procedures: readonly Procedure[]): readonly Column<Permission>[] => [
  {
    name: "Permission",
    className: "min-w-72 py-2",
    cell: (permission) => (
      <>
        <p className="font-medium">{getTitle(permission)}</p>
        <ProcedureList procedures={listProcedures(procedures, permission)} />
      </>
    ),
  },
  ...HOLDERS.map((holder): Column<Permission> => ({
    name: holder,
    className: "text-center",
    headerClassName: "text-center",
    cell: (permission) => <YesNo isYes={listHolders(permission).includes(holder)} />,
  })),
];

export const PermissionTable = ({ procedures }: { readonly procedures: readonly Procedure[] }) => (
  <Panel title="Permissions by role">
    <DataTable label="Permissions by role" columns={listColumns(procedures)} rows={ALL_PERMISSIONS} rowKey={(permission) => permission} />
    <p className="border-t px-3 py-2 text-xs text-muted">
      From the access table that every procedure is tested against: {procedures.length} procedures,{" "}
      {procedures.filter(({ access }) => access === "public").length} of them available without signing in. Each requires one permission,
      whatever page calls it.
    </p>
  </Panel>
);
