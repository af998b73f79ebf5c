/** Like the web process, retried until stored. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { CommandBody } from "@/lib/engine/proposal";
import type { Vault } from "@/server/security/vault";
import { generateSessionSeed, getPublicKey, type SessionKey } from "@/server/security/session-key";
import { sealCommand } from "@/server/store/runs/command-envelope";

const AGAIN_MS = 200;

export type Asked = { readonly id: string; readonly run: string; readonly kind: CommandBody["kind"] };

export type People = {
  ask(run: string, user: string, body: CommandBody): Promise<void>;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
};

const openPool = (connectionString: string, max: number): pg.Pool => {
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 5_000, query_timeout: 20_000, application_name: "chaos" });
  pool.on("error", () => undefined);
  // Without a listener, a cut connection would crash.
  pool.on("connect", (client) => client.on("error", () => undefined));

  return pool;
};

type Urls = { readonly web: string; readonly runner: string };

export const createPeople = (urls: Urls, workspace: string, vault: Vault): People => {
  const pool = openPool(urls.web, 8);
  // Only the control plane opens sessions.
  const opening = openPool(urls.runner, 1);
  const asked: Asked[] = [];
  const sessions = new Map<string, SessionKey>();
  const sessionOf = (user: string): SessionKey => {
    const session = sessions.get(user) ?? { id: randomUUID(), key: generateSessionSeed() };
    sessions.set(user, session);

    return session;
  };

  const openSession = async (user: string): Promise<void> => {
    const { id, key } = sessionOf(user);
    await opening.query(
      `insert into session (id, user_id, workspace_id, address, user_agent, public_key, proved_at)
       select $1, user_id, workspace_id, 'chaos', 'chaos', $3, now() from membership where user_id = $2
       on conflict (id) do nothing`,
      [id, user, getPublicKey(key)],
    );
  };

  const insert = async (id: string, run: string, user: string, kind: string, body: Uint8Array): Promise<void> => {
    const client = await pool.connect();
    let failed = false;
    try {
      await client.query("begin");
      await client.query("select set_config('countersign.workspace', $1, true)", [workspace]);
      await client.query(
        "insert into command (workspace_id, id, run_id, user_id, kind, body) values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing",
        [workspace, id, run, user, kind, Buffer.from(body)],
      );
      await client.query("commit");
      await client.query("select pg_notify('countersign_command', $1)", [`${workspace} ${run}`]);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      client.release(failed);
    }
  };

  return {
    asked,
    ask: async (run, user, body) => {
      const id = randomUUID();
      const author = { type: "user", id: user, session: sessionOf(user) } as const;
      const { body: sealed } = sealCommand(vault, { workspaceId: workspace, id, runId: run, author, sentAt: Date.now(), body });
      for (;;) {
        try {
          await openSession(user);
          await insert(id, run, user, body.kind, sealed);
          asked.push({ id, run, kind: body.kind });

          return;
        } catch {
          await wait(AGAIN_MS);
        }
      }
    },
    close: async () => {
      await Promise.all([pool.end(), opening.end()]);
    },
  };
};
