import { computeMemberDigest } from "@/lib/engine/ledger/settings-digests";
import { getSettingsKey, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { HexDigest } from "@/lib/hash";
import type { Standing } from "@/lib/people/command";
import { roleSchema } from "@/lib/roles";

export type MemberInForce = Standing & { readonly disabled: boolean };

const YES_OR_NO = [true, false];

/** All states by digest; there are few. */
const STANDINGS: ReadonlyMap<HexDigest, MemberInForce> = new Map(
  roleSchema.options.flatMap((role) =>
    YES_OR_NO.flatMap((auditor) =>
      YES_OR_NO.map((disabled) => [computeMemberDigest({ role, auditor }, disabled), { role, auditor, disabled }] as const),
    ),
  ),
);

const PREFIX = getSettingsKey("people", "");

/** Lists members, disabled ones included, without invites. */
export const listMembersInForce = ({ settings }: WorkspaceAuthority): ReadonlyMap<string, MemberInForce> =>
  new Map(
    [...settings].flatMap(([key, { digest }]) => {
      const member = key.startsWith(PREFIX) ? STANDINGS.get(digest) : undefined;

      return member ? [[key.slice(PREFIX.length), member] as const] : [];
    }),
  );
