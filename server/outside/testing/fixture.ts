import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { vi } from "vitest";
import { pickEnvironment, SHORT_LIVED } from "@/bin/testing";
import { API_PATH } from "@/lib/api/routes";
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { handleApi } from "@/server/api/handle";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { testInstallation } from "@/server/mcp/testing/installation";
import { handleAuthorization } from "@/server/oauth/authorize";
import { describeAuthorizationServer } from "@/server/oauth/metadata";
import { handleRegistration } from "@/server/oauth/register";
import { handleRevocation, handleToken } from "@/server/oauth/token";
import { handleOutside } from "@/server/outside/handle";
import { describeProtectedResource } from "@/server/outside/metadata";
import { mintToken, type Minting } from "@/server/outside/token";
import { query, type Desk } from "@/server/runner/testing/desk";
import { openDemo, type Demo } from "@/server/seed/testing/demo";
import { listModels } from "@/server/store/health";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { testDatabase } from "@/server/testing/database";
import { respondUnknownPath } from "@/server/web/unknown-path";

const HOUR_MS = 3_600_000;
const ROOT = path.resolve(import.meta.dirname, "../../..");

export type Minted = { readonly id: string; readonly token: string };

export type Stand = {
  readonly demo: Demo;
  readonly desk: Desk;
  readonly origin: string;
  readonly graphId: (document: string) => Promise<string>;
  readonly url: (graphId: string, workspace?: string) => string;
  readonly mint: (change?: Partial<Minting> & { readonly ownerId?: string }) => Promise<Minted>;
  readonly revoke: (id: string) => Promise<void>;
  readonly stopRunner: () => Promise<void>;
  readonly replaceRunner: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const requestOf = (incoming: IncomingMessage, origin: string): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (value !== undefined) headers.set(name, [value].flat().join(", "));
  const gone = new AbortController();
  incoming.once("close", () => (incoming.complete ? undefined : gone.abort()));
  const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;

  return new Request(`${origin}${incoming.url ?? "/"}`, {
    method: incoming.method ?? "GET",
    headers,
    body,
    duplex: "half",
    signal: gone.signal,
  } as RequestInit);
};

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) outgoing.write(chunk);
  outgoing.end();
};

const ROUTE = /^\/api\/mcp\/([^/?]+)\/([^/?]+)/;

const PAGES: Readonly<Record<string, (request: Request) => Response | Promise<Response>>> = {
  "/.well-known/oauth-authorization-server": describeAuthorizationServer,
  "/api/oauth/authorize": handleAuthorization,
  "/api/oauth/register": handleRegistration,
  "/api/oauth/token": handleToken,
  "/api/oauth/revoke": handleRevocation,
};

const RESOURCE = "/.well-known/oauth-protected-resource/";

const findPage = (asked: string): ((request: Request) => Response | Promise<Response>) | null => {
  if (asked.startsWith(RESOURCE)) return () => describeProtectedResource(asked.slice(RESOURCE.length).split("/"));

  return PAGES[asked] ?? (asked.startsWith("/.well-known/") ? respondUnknownPath : null);
};

const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, origin: string): Promise<void> => {
  if (incoming.url?.startsWith(API_PATH)) {
    const answered = await handleApi(requestOf(incoming, origin));
    outgoing.shouldKeepAlive = incoming.complete;
    await send(answered, outgoing);

    return;
  }
  const page = findPage(new URL(incoming.url ?? "/", origin).pathname);
  if (page) {
    await send(await page(requestOf(incoming, origin)), outgoing);

    return;
  }
  const [, workspace = "", graph = ""] = ROUTE.exec(incoming.url ?? "") ?? [];
  const response = await handleOutside(requestOf(incoming, origin), { workspace, graph });
  // An unread body would be parsed as the next request.
  outgoing.shouldKeepAlive = incoming.complete;
  await send(response, outgoing);
};

const listening = async (): Promise<{ server: Server; origin: string }> => {
  let origin = "";
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing, origin).catch(() => outgoing.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;

  return { server, origin };
};

const startRunner = async (desk: Desk, logTo: string | null, env: Readonly<Record<string, string>>): Promise<ChildProcess> => {
  const { installation, urls } = desk;
  const log = logTo === null ? null : openSync(logTo, "a", 0o600);
  const runner = spawn(process.execPath, [...SHORT_LIVED, path.join(installation.home, "build", "runner.mjs")], {
    cwd: ROOT,
    stdio: ["ignore", log ?? "ignore", log ?? "inherit"],
    env: {
      NODE_ENV: "production",
      COUNTERSIGN_HOME: installation.home,
      DATABASE_URL: urls.runner,
      COUNTERSIGN_CUSTOMERS_URL: urls.customers,
      LOG_LEVEL: log === null ? "fatal" : "trace",
      ...pickEnvironment(["NODE_COMPILE_CACHE"]),
      ...env,
    },
  });
  if (log !== null) closeSync(log);
  await vi.waitFor(
    async () => {
      if ((await listModels()).length === 0) throw new Error("the runner does not answer yet");
    },
    { timeout: 30_000, interval: 100 },
  );

  return runner;
};

const kill = async (runner: ChildProcess): Promise<void> => {
  if (runner.exitCode !== null || runner.signalCode !== null) return;
  const ended = once(runner, "exit");
  runner.kill("SIGKILL");
  await ended;
};

const install = async ({ installation, keys }: Desk): Promise<void> => {
  const folder = path.join(installation.home, "keys");
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "vault.key"), keys.vault, { mode: 0o600 });
  await writeFile(path.join(folder, "signing.key"), keys.pem, { mode: 0o600 });
  await bundleInto(installation, {
    runner: "./server/runner/main.ts",
    worker: "./server/worker/main.ts",
    "tool-host": "./server/tool-host/main.ts",
  });
};

type StandOptions = { readonly logTo?: string; readonly env?: Readonly<Record<string, string>> };

export const openStand = async ({ logTo, env = {} }: StandOptions = {}): Promise<() => Promise<Stand>> => {
  const { server, origin } = await listening();
  const installation = await testInstallation();
  vi.stubEnv("COUNTERSIGN_HOME", installation.home);
  vi.stubEnv("NEXTAUTH_URL", origin);
  vi.stubEnv("NEXTAUTH_SECRET", "s".repeat(32));
  const urls = await testDatabase("runner");
  const log = logTo === undefined ? null : path.join(installation.home, logTo);

  return async () => {
    const demo = await openDemo(urls, installation);
    const { desk } = demo;
    await desk.mcp.close();
    await install(desk);
    await useDatabase(urls.web);
    let runner = await startRunner(desk, log, env);
    const close = async () => {
      closeRunBus();
      await kill(runner);
      server.closeAllConnections();
      server.close();
    };

    return {
      demo,
      desk,
      origin,
      graphId: async (document) => {
        const [row] = await query<{ graph_id: string }>(urls.admin, "select graph_id from graph_version where hash = $1", [
          demo.of(document).graphHash,
        ]);

        return row?.graph_id ?? "";
      },
      url: (graphId, workspace = desk.workspace) => `${origin}/api/mcp/${workspace}/${graphId}`,
      revoke: async (id) => {
        const { workspace, people } = desk;
        const author = { type: "user", id: people.admin, session: await openTestSession(urls.admin, people.admin) } as const;
        await submitCommand({
          workspaceId: workspace,
          author,
          runId: getWorkspaceLedgerId(workspace),
          body: { kind: "token_revoke", token: id },
        });
      },
      mint: async ({ ownerId = desk.people.builder, ...change } = {}) =>
        mintToken(
          desk.workspace,
          { type: "user", id: ownerId, session: await openTestSession(urls.admin, ownerId) },
          {
            name: "test",
            scopes: [...AGENT_SCOPES],
            graphs: null,
            integrity: "untrusted",
            strictErrors: false,
            singleBlock: false,
            lifetimeMs: HOUR_MS,
            ...change,
          },
        ),
      stopRunner: () => kill(runner),
      replaceRunner: async () => {
        await kill(runner);
        runner = await startRunner(desk, log, env);
      },
      close,
    };
  };
};
