import { toPeopleChange } from "@/lib/admin-change";
import type { Principal } from "@/lib/engine/principal";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { PeopleCommand } from "@/lib/people/command";
import { decidePeople, describePeopleStep } from "@/lib/people/decide";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminStep } from "@/server/admin-step";
import { prepareElsewhere } from "@/server/runner/account-ledgers";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { endSessionsOf, toEnding } from "@/server/runner/ended-sessions";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { verifySignedChange } from "@/server/runner/signed-change";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { changePeople, getPeopleFacts } from "@/server/store/people/changes";
import { holdAccount } from "@/server/store/people/membership-changes";
import { endSessions, type Ending } from "@/server/store/people/session-endings";

type Asking = {
  readonly workspaceId: string;
  readonly by: Extract<Principal, { type: "user" }>;
  readonly asked: PeopleCommand;
  readonly ending: Ending | null;
  readonly atMs: number;
};

type Decided = Pick<AdminStep, "before" | "after" | "also"> & { readonly recordElsewhere: () => Promise<void> };

const isOfAccount = (asked: PeopleCommand): boolean => asked.kind === "people_link_identity" || asked.kind === "people_unlink_identity";

const decide = async (
  deps: RunnerDeps,
  client: LedgerTransaction,
  { workspaceId, by, asked, ending, atMs }: Asking,
): Promise<Decided | RefusalCode> => {
  const { authority } = deps;
  const digests = decidePeople(by, asked, await getPeopleFacts(client, workspaceId, asked, atMs));
  if (typeof digests === "string") return digests;
  const step = describePeopleStep(asked);
  // Changing a row that differs from the records would record all of it.
  if (digests.before !== null) await authority.demand(workspaceId, step.area, step.subject, digests.before, client);
  const signed = await verifySignedChange(authority, workspaceId, by.id, toPeopleChange(asked, by.id), client);
  if (typeof signed === "string") return signed;
  const ended = ending ? await endSessionsOf(client, await authority.read(workspaceId, client), ending, atMs) : [];
  if (typeof ended === "string") return ended;
  const elsewhere = { workspaceId, by, change: { ...step, ...digests }, ending, atMs };
  const recordElsewhere = isOfAccount(asked) ? await prepareElsewhere(deps, client, elsewhere) : () => Promise.resolve();
  if (typeof recordElsewhere === "string") return recordElsewhere;

  return { ...digests, also: [...signed, ...ended], recordElsewhere };
};

export const carryOutPeople = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: PeopleCommand): Promise<void> => {
  const { workspaceId, id } = command;
  const ending = toEnding(asked);
  const decideAndSign = async (client: LedgerTransaction) => {
    const atMs = deps.clock.now();
    // Of two admins removing each other, the second has lost the role.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const outcome =
      by?.type === "user"
        ? await unlessUnproved(decide(deps, client, { workspaceId, by, asked, ending, atMs }))
        : ("principal_not_allowed" as const);
    const isRefused = typeof outcome === "string";
    const change = isRefused
      ? { before: null, after: null, refused: outcome }
      : { before: outcome.before, after: outcome.after, also: outcome.also ?? [] };

    return {
      sign: createAdminStepSigner(deps, workspaceId, { ...describePeopleStep(asked), ...change, by: by ?? author, commandId: id }),
      project: async ({ seq }: LedgerRecord) => {
        if (isRefused || by?.type !== "user") return;
        await changePeople(client, workspaceId, asked, { by: by.id, at: atMs, seq });
        if (ending) await endSessions(client, workspaceId, ending, atMs);
        await outcome.recordElsewhere();
      },
    };
  };
  await appendDecided(workspaceId, id, decideAndSign, (tx) =>
    isOfAccount(asked) && "user" in asked ? holdAccount(tx, asked.user) : Promise.resolve([]),
  );
  deps.notify(command.runId);
};
