import { PERMISSION_TEXTS } from "@/lib/permission-texts";
import { PERMISSIONS, type Permission } from "@/lib/roles";
import type { AskedFor } from "@/lib/permission-reasons";

export type Procedure = AskedFor & { readonly path: string };

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

export const getTitle = (permission: Permission): string => {
  const text = PERMISSION_TEXTS[permission];

  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

export const listProcedures = (procedures: readonly Procedure[], permission: Permission): readonly Procedure[] =>
  procedures.filter(({ access }) => access === permission);
