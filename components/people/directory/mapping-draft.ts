import { findNameObjection } from "@/lib/people/directory-command";
import { directorySchema, makesAdmins, type Directory } from "@/lib/people/directory";
import { roleSchema, type Role } from "@/lib/roles";

export type RuleRow = {
  readonly key: string;
  readonly group: string;
  readonly role: Role | null;
  readonly approvers: readonly string[];
};

export type MappingDraft = {
  readonly claim: string;
  readonly newcomers: boolean;
  readonly otherwise: Directory["otherwise"];
  readonly rows: readonly RuleRow[];
};

/** A select has no empty value. */
export const NO_ROLE = "no_role";

const toItems = <R extends Role>(roles: readonly R[]) => [
  { value: NO_ROLE, label: "No role" } as const,
  ...roles.map((role) => ({ value: role, label: role })),
];

export const ROLE_ITEMS = toItems(roleSchema.options);
export const OTHERWISE_ITEMS = toItems(roleSchema.exclude(["admin"]).options);

export const toDraft = (directory: Directory | null): MappingDraft => ({
  claim: directory?.claim ?? "groups",
  newcomers: directory?.newcomers ?? false,
  otherwise: directory?.otherwise ?? null,
  rows: (directory?.rules ?? []).map((rule) => ({ key: rule.group, ...rule })),
});

type Checked = { readonly directory: Directory; readonly needsSecond: boolean } | { readonly problem: string };

export const checkDraft = ({ claim, newcomers, otherwise, rows }: MappingDraft): Checked => {
  const rules = rows.map(({ group, role, approvers }) => ({ group, role, approvers: [...approvers] }));
  if (claim.trim() === "") return { problem: "Enter the claim" };
  if (rules.some(({ group }) => group === "")) return { problem: "Enter a name for each group" };
  if (new Set(rules.map(({ group }) => group)).size < rules.length) return { problem: "A group appears twice" };
  if (rules.length === 0 && otherwise === null) return { problem: "Add a group, or choose a role for everyone else" };
  const directory = directorySchema.safeParse({ claim: claim.trim(), newcomers, otherwise, rules }).data;

  if (!directory) return { problem: "A name or the list is too long" };
  const objection = findNameObjection(directory);

  return objection === null ? { directory, needsSecond: makesAdmins(directory) } : { problem: objection };
};
