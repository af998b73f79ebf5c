import { Badge } from "@/components/ui/badge";
import type { Procedure } from "./labels";

const PROOFS = { always: "confirms identity", sometimes: "may confirm identity", never: null } as const satisfies Record<
  Procedure["fresh"],
  string | null
>;

export const ProcedureList = ({ procedures }: { readonly procedures: readonly Procedure[] }) => (
  <ul className="flex flex-wrap gap-x-3 gap-y-1 font-mono text-xs text-muted">
    {procedures.map(({ path, fresh }) => (
      <li key={path} className="flex items-center gap-1">
        {path}
        {PROOFS[fresh] ? <Badge className="font-sans">{PROOFS[fresh]}</Badge> : null}
      </li>
    ))}
  </ul>
);
