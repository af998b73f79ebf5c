/** Each ledger proves the passwords and identities of its members alone. */
import type { AdminChanged } from "@/lib/engine/events/workspace";
import { computePasswordDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import type { PasswordCommand } from "@/lib/people/membership";
import type { RefusalCode } from "@/lib/refusal";
import { createAdminStepSigner, ENGINE } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { endSessionsOf } from "@/server/runner/ended-sessions";
import { carryOut, Refused } from "@/server/runner/membership";
import type { OpenedCommand } from "@/server/runner/open-command";
import { holdAccount, listMemberships, replacePassword } from "@/server/store/people/membership-changes";
import { endSessions, type Ending } from "@/server/store/people/session-endings";
import { appendOwnRecord, type LedgerTransaction } from "@/server/store/runs/attempts";

type User = Extract<Principal, { type: "user" }>;

type Change = Pick<AdminChanged, "area" | "subject" | "step" | "before" | "after">;

type Elsewhere = {
  readonly workspaceId: string;
  readonly by: User;
  readonly change: Change;
  readonly ending: Ending | null;
  readonly atMs: number;
};

/** For the account's other workspaces, whose ledgers are locked. @returns a function that stores the records @throws AuthorityUnverified */
export const prepareElsewhere = async (
  deps: Pick<RunnerDeps, "authority" | "clock" | "signer">,
  client: LedgerTransaction,
  { workspaceId: here, by, change, ending, atMs }: Elsewhere,
): Promise<(() => Promise<void>) | RefusalCode> => {
  const prepared: (() => Promise<void>)[] = [];
  for (const { workspaceId, role, auditor } of await listMemberships(client, change.subject)) {
    if (workspaceId === here) continue;
    const authority = await deps.authority.read(workspaceId, client);
    if (digestInForce(authority, change.area, change.subject) !== change.before) return "projection_mismatch";
    const also = ending ? await endSessionsOf(client, authority, ending, atMs) : [];
    if (typeof also === "string") return also;
    const principal = by.id === change.subject ? ({ type: "user", id: by.id, role, auditor } as const) : ENGINE;
    prepared.push(async () => {
      await appendOwnRecord(client, workspaceId, createAdminStepSigner(deps, workspaceId, { ...change, also, by: principal }));
      if (ending) await endSessions(client, workspaceId, ending, atMs);
    });
  }

  return async () => {
    for (const store of prepared) await store();
  };
};

/** Sets the password and ends other sessions, so that knowing the old one is useless. */
export const carryOutPassword = (
  deps: RunnerDeps,
  command: OpenedCommand,
  by: Principal,
  { password_hash: hash }: PasswordCommand,
): Promise<void> =>
  carryOut(
    deps,
    command,
    async (client) => {
      if (by.type !== "user" || command.signed?.by.type !== "session") throw new Refused("principal_not_allowed");
      const { workspaceId } = command;
      const authority = await deps.authority.read(workspaceId, client);
      const ending = { userId: by.id, session: null, keep: command.signed.by.id };
      const atMs = deps.clock.now();
      const also = await endSessionsOf(client, authority, ending, atMs);
      if (typeof also === "string") throw new Refused(also);
      const before = digestInForce(authority, "passwords", by.id);
      const change = { area: "passwords", subject: by.id, step: "password_set", before, after: computePasswordDigest(hash) } as const;
      const recordElsewhere = await prepareElsewhere(deps, client, { workspaceId, by, change, ending, atMs });
      if (typeof recordElsewhere === "string") throw new Refused(recordElsewhere);

      return {
        by,
        ...change,
        also,
        project: async () => {
          await replacePassword(client, by.id, hash);
          await endSessions(client, workspaceId, ending, atMs);
          await recordElsewhere();
        },
      };
    },
    (tx) => (by.type === "user" ? holdAccount(tx, by.id) : Promise.resolve([])),
  );
