import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { createAnchor } from "@/lib/engine/ledger/trust-anchor";
import type { CommandBody } from "@/lib/engine/proposal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { systemClock } from "@/server/clock";
import { adoptRows } from "@/server/runner/adopt";
import { recordAttempts } from "@/server/runner/attempts";
import type { RunnerDeps } from "@/server/runner/deps";
import type { VerifyIdToken } from "@/server/runner/sign-in/id-token";
import { workSignIns } from "@/server/runner/sign-in/worker";
import { loadSignerFromPem } from "@/server/security/keyring";
import { createMemoryJournal } from "@/server/security/journal/journal";
import { generateSessionSeed, getPublicKey, type SessionKey } from "@/server/security/session-key";
import { createVault } from "@/server/security/vault";
import { notifyRuns } from "@/server/store/notify";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { listPublicKeys, useTrustAnchor } from "@/server/security/trust-anchor";
import { createStopSwitches } from "@/server/runner/stop-switch";
import { toPlainBody, sealCommand, sealEnvelope, type Sender } from "@/server/store/runs/command-envelope";
import { queryOn } from "@/server/testing/connections";

const LOOK_MS = 20;

export type TestControlPlane = RunnerDeps;

const nobody = () => Promise.reject(new Error("nothing is called here"));

/** Creates a workspace's reader and signer. */
export const testControlPlane = async (vaultKey = randomBytes(32).toString("hex")): Promise<TestControlPlane> => {
  const signer = loadSignerFromPem(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  useTrustAnchor(createAnchor({ kid: signer.kid, public_key: signer.publicKey, since: 0 }));

  const authority = createAuthorityReader({ publicKeys: listPublicKeys });

  return {
    authority,
    switches: createStopSwitches(authority),
    clock: systemClock,
    signer,
    vault: createVault(vaultKey),
    mcp: { call: nobody, check: nobody, standing: nobody, close: () => Promise.resolve() },
    modelsFor: nobody,
    execute: nobody,
    publicKeys: listPublicKeys,
    notify: () => undefined,
    leaseMs: 60_000,
    journal: createMemoryJournal(systemClock),
  };
};

const pendingOwn = async (adminUrl: string): Promise<{ workspace_id: string; run_id: string }[]> =>
  queryOn(adminUrl, "select distinct workspace_id, run_id from command where status = 'pending'");

/** Carries out commands and sign-ins. @returns a stop function */
export const answerCommands = (adminUrl: string, deps: RunnerDeps, verifyIdToken: VerifyIdToken | null = null): (() => Promise<void>) => {
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      for (const { workspace_id: workspace, run_id: run } of await pendingOwn(adminUrl)) {
        if (run === getWorkspaceLedgerId(workspace)) await recordAttempts(deps, workspace, run);
      }
      await setTimeout(LOOK_MS);
    }
  };
  const notify = (id: string): void => void notifyRuns([id]).catch(() => undefined);
  const working = Promise.all([work(), workSignIns({ ...deps, notify, verifyIdToken }, stop.signal)]);

  return async () => {
    stop.abort();
    await working;
  };
};

/** Adopts a workspace's rows into its records. */
export const recordRows = async (deps: Pick<RunnerDeps, "authority" | "clock" | "signer">, workspace: string): Promise<void> => {
  await adoptRows(deps, deps.authority, workspace);
};

/** Person whose session `writeCommand` opens. */
export const userAuthor = (id: string): Extract<Sender, { type: "user" }> & { readonly session: SessionKey } => ({
  type: "user",
  id,
  session: { id: randomUUID(), key: generateSessionSeed() },
});

export type Sent = {
  readonly id?: string;
  readonly workspace: string;
  readonly runId: string;
  readonly author: Sender;
  readonly body: CommandBody | WorkspaceCommand;
};

const storeSession = async (adminUrl: string, userId: string, { id, key }: SessionKey): Promise<void> => {
  await queryOn(
    adminUrl,
    `insert into session (id, user_id, workspace_id, address, user_agent, public_key, proved_at)
     select $1, id, coalesce((select workspace_id from membership where user_id = id limit 1), id), 'test', 'test', $3, now()
     from app_user where id = $2 on conflict do nothing`,
    [id, userId, getPublicKey(key)],
  );
};

/** Opens a freshly proved session. */
export const openTestSession = async (adminUrl: string, userId: string): Promise<SessionKey> => {
  const { session } = userAuthor(userId);
  await storeSession(adminUrl, userId, session);

  return session;
};

export const sealedAsk = async (
  adminUrl: string,
  { vault, clock }: Pick<RunnerDeps, "vault" | "clock">,
  {
    workspace,
    userId,
    place,
    body,
  }: { readonly workspace: string; readonly userId: string; readonly place: string; readonly body: object },
): Promise<Uint8Array<ArrayBuffer>> =>
  sealEnvelope(vault, {
    workspaceId: workspace,
    place,
    runId: getWorkspaceLedgerId(workspace),
    author: { type: "user", id: userId, session: await openTestSession(adminUrl, userId) },
    sentAt: clock.now(),
    body: toPlainBody(body),
  });

/** Stores a command as the administrator. @returns its id */
export const writeCommand = async (
  adminUrl: string,
  { vault, clock }: Pick<RunnerDeps, "vault" | "clock">,
  { id = randomUUID(), workspace, runId, author, body }: Sent,
): Promise<string> => {
  const sealed = sealCommand(vault, { workspaceId: workspace, id, runId, author, sentAt: clock.now(), body });
  if (author.type === "user" && author.session !== null) await storeSession(adminUrl, author.id, author.session);
  const [user, token, session] = author.type !== "agent" ? [author.id, null, null] : [null, author.token, author.session];
  await queryOn(
    adminUrl,
    "insert into command (workspace_id, id, run_id, user_id, token_id, session_id, kind, body) values ($1, $2, $3, $4, $5, $6, $7, $8)",
    [workspace, id, runId, user, token, session, body.kind, Buffer.from(sealed.body)],
  );

  return id;
};
