import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { makesAdmins, type Directory } from "@/lib/people/directory";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";

export type DirectoryToken = {
  readonly publicKey: string;
  readonly by: string;
  /** ms since 1970, like `expiresAt` and `usedAt`. */
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly isConfirmed: boolean;
  readonly usedAt: number | null;
};

export type DirectoryGroup = {
  readonly name: string;
  readonly externalId: string | null;
  readonly people: ReadonlySet<string>;
  readonly madeAt: number;
  readonly changedAt: number;
  readonly seq: number;
};

export type ProvisionRefusal = {
  readonly seq: number;
  readonly at: number;
  readonly code: RefusalCode;
  readonly kind: string;
  readonly subject: string;
};

export type ProvisionFold = {
  /** Not ended; may have expired. */
  readonly tokens: ReadonlyMap<string, DirectoryToken>;
  readonly groups: ReadonlyMap<string, DirectoryGroup>;
  readonly refused: readonly ProvisionRefusal[];
};

export const NO_PROVISION: ProvisionFold = { tokens: new Map(), groups: new Map(), refused: [] };

const MOST_REFUSED = 20;

/** One that can make admins needs a second admin, like the mapping. */
export const isTokenInForce = (token: DirectoryToken, mapping: Directory | null, nowMs: number): boolean =>
  token.expiresAt > nowMs && (token.isConfirmed || !makesAdmins(mapping));

/** Lists names and external ids, as rules may use either. */
export const listProviderGroups = ({ groups }: ProvisionFold, user: string): readonly string[] =>
  [...groups.values()].flatMap(({ name, externalId, people }) =>
    people.has(user) ? [name, ...(externalId === null ? [] : [externalId])] : [],
  );

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

const foldToken = (
  tokens: ProvisionFold["tokens"],
  { principal, at }: LedgerRecord,
  { token: id, step, key }: EventOf<"directory_token">,
): ProvisionFold["tokens"] => {
  const isOperator = principal.type === "engine";
  const isAdmin = principal.type === "user" && isAllowed(principal.role, "people.manage");
  if (!isAdmin && !(isOperator && step === "confirmed")) return tokens;
  const after = new Map(tokens);
  const token = tokens.get(id);
  if (step === "ended") after.delete(id);
  else if (step === "confirmed") {
    if (!token || (isAdmin && principal.id === token.by)) return tokens;
    after.set(id, { ...token, isConfirmed: true });
  } else {
    if (token || !key || !isAdmin) return tokens;
    const { public_key: publicKey, expires_at: expiresAt } = key;
    after.set(id, { publicKey, by: principal.id, madeAt: at, expiresAt, isConfirmed: false, usedAt: null });
  }

  return after;
};

export const applyGroup = (
  groups: ProvisionFold["groups"],
  { at, seq }: Pick<LedgerRecord, "at" | "seq">,
  { group: id, name, external_id: externalId, joins, leaves }: EventOf<"directory_group">,
): ProvisionFold["groups"] => {
  const after = new Map(groups);
  const before = groups.get(id);
  if (name === null) after.delete(id);
  else {
    const people = new Set(before?.people);
    for (const user of leaves) people.delete(user);
    for (const user of joins) people.add(user);
    after.set(id, { name, externalId, people, madeAt: before?.madeAt ?? at, changedAt: at, seq });
  }

  return after;
};

const dropPerson = (groups: ProvisionFold["groups"], user: string): ProvisionFold["groups"] =>
  new Map(
    [...groups].map(([id, group]) => {
      if (!group.people.has(user)) return [id, group];
      const people = new Set(group.people);
      people.delete(user);

      return [id, { ...group, people }];
    }),
  );

export const foldProvisionEvent = (fold: ProvisionFold, record: LedgerRecord, event: RunEvent): ProvisionFold => {
  if (event.type === "directory_token") return { ...fold, tokens: foldToken(fold.tokens, record, event) };
  const { principal } = record;
  if (principal.type !== "directory" || !fold.tokens.has(principal.token)) return fold;
  if (event.type === "directory_group") return { ...fold, groups: applyGroup(fold.groups, record, event) };
  if (event.type !== "admin_changed" || event.area !== "directory" || event.after !== null) return fold;

  return { ...fold, groups: dropPerson(fold.groups, event.subject) };
};

export const foldAttempt = (fold: ProvisionFold, { principal, at, seq, refusal, proposal_kind: kind }: LedgerRecord): ProvisionFold => {
  const token = principal.type === "directory" ? fold.tokens.get(principal.token) : undefined;
  if (principal.type !== "directory" || !token) return fold;
  const tokens = new Map(fold.tokens).set(principal.token, { ...token, usedAt: at });
  if (!refusal) return { ...fold, tokens };
  const refused = [{ seq, at, code: refusal.code, kind, subject: refusal.ids[0] ?? "" }, ...fold.refused].slice(0, MOST_REFUSED);

  return { ...fold, tokens, refused };
};
