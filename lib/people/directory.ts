import { z } from "zod";
import { digestOf, type HexDigest } from "@/lib/hash";
import { groupNameSchema } from "@/lib/people/approvers";
import { roleSchema, type Role } from "@/lib/roles";

const MOST_RULES = 200;
const MOST_APPROVER_GROUPS = 20;

export const directorySchema = z.strictObject({
  claim: z.string().min(1).max(200),
  newcomers: z.boolean(),
  otherwise: roleSchema.exclude(["admin"]).nullable(),
  /** The first that matches decides the role. */
  rules: z
    .array(
      z.strictObject({
        group: z.string().min(1).max(256),
        role: roleSchema.nullable(),
        approvers: z.array(groupNameSchema).max(MOST_APPROVER_GROUPS),
      }),
    )
    .max(MOST_RULES),
});
export type Directory = z.infer<typeof directorySchema>;

export const computeDirectoryDigest = (directory: Directory): HexDigest => digestOf("settings", { directory });

/** Each change takes two admins, as claim and order decide too. */
export const makesAdmins = (directory: Directory | null): boolean => directory?.rules.some(({ role }) => role === "admin") === true;

export const listMappedGroups = ({ rules }: Directory): readonly string[] => [...new Set(rules.flatMap(({ approvers }) => approvers))];

export type Access = {
  readonly role: Role | null;
  readonly isNamed: boolean;
  readonly approvers: readonly string[];
};

export const resolveAccess = ({ rules, otherwise }: Directory, groups: readonly string[]): Access => {
  const held = new Set(groups);
  const matching = rules.filter(({ group }) => held.has(group));
  const named = matching.find(({ role }) => role !== null)?.role ?? null;
  const role = named ?? otherwise;

  return {
    role,
    isNamed: named !== null,
    approvers: role === null ? [] : [...new Set(matching.flatMap(({ approvers }) => approvers))].toSorted(),
  };
};

const MOST_CLAIMED = 2_000;

/** Null: malformed, or kept elsewhere (OpenID Connect Core 5.6.2). */
export const readGroups = (claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] | null => {
  const elsewhere = z.record(z.string(), z.unknown()).safeParse(claims["_claim_names"]).data;
  if (elsewhere && Object.hasOwn(elsewhere, claim)) return null;
  const value = Object.hasOwn(claims, claim) ? claims[claim] : [];

  return (
    z
      .array(z.string().max(2_000))
      .max(MOST_CLAIMED)
      .safeParse(typeof value === "string" ? [value] : value).data ?? null
  );
};
