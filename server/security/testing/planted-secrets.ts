/** Plants and uses every kind of stored secret. */
import { randomBytes, randomUUID } from "node:crypto";
import { vi } from "vitest";
import type { McpAccess } from "@/lib/mcp/access";
import type { Role } from "@/lib/roles";
import { getMcpSecretName } from "@/lib/secrets/reference";
import { signInWithPassword } from "@/server/auth/password-sign-in";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { callTool } from "@/server/mcp/testing/calling";
import { listening, repeatingServer, tokenServer } from "@/server/mcp/testing/credentialed";
import { offerPackage } from "@/server/mcp/testing/programs";
import { reviewAndActivate } from "@/server/mcp/testing/registered";
import { startFake } from "@/server/models/testing/fake";
import type { Stand } from "@/server/outside/testing/fixture";
import { createVault } from "@/server/security/vault";
import { addMcpServer } from "@/server/store/mcp/servers";
import { recordRows } from "@/server/testing/authority";
import { callerAs, openedSession } from "@/server/testing/caller";

/** Every encoding changes `+"&`. */
const canary = (place: string): string => `${place}/${randomBytes(18).toString("base64url")}+"&`;
/** For places that reject such characters. */
const plainCanary = (place: string): string => `${place}-${randomBytes(18).toString("hex")}`;

export type Planted = {
  readonly secrets: Readonly<Record<string, string>>;
  /** Except secrets shown on purpose. */
  readonly heard: Readonly<Record<string, unknown>>;
  readonly endpoint: string;
};

const toldOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) =>
    error instanceof Error ? [error.message, String(error.cause), JSON.stringify(error), error.stack] : error,
  );

/** The runner knows the session. */
export const callerSignedIn = async ({ desk }: Stand, role: Role, id: string) =>
  callerAs(desk.workspace, role, { id, session: await openedSession(desk.urls.admin, id) });

const adminOf = (stand: Stand) => callerSignedIn(stand, "admin", stand.desk.people.admin);

/** Servers repeat their input. Call at top level. */
export const openServers = async () => {
  const tokens: string[] = [];

  return {
    tokens,
    open: await listening(repeatingServer(() => true)),
    locked: await listening(repeatingServer(() => false)),
    authorization: await listening(tokenServer(tokens, () => 3_600)),
  };
};

type Servers = Awaited<ReturnType<typeof openServers>>;

const useAtServers = async ({ desk }: Stand, { open, locked, authorization }: Servers) => {
  const egress = { allowOrigins: [open, locked, authorization].map(({ origin }) => origin) };
  const vault = createVault(desk.keys.vault);
  const mcp = createLocalMcp({ clock: systemClock, installation: desk.installation, egress, vault });
  const headers = { Authorization: { secret: "maps-key", prefix: "Bearer " } };
  const auth = {
    type: "client_credentials",
    find: "token_url",
    url: `${authorization.origin}/token`,
    client_id: "desk",
    client_secret: { secret: getMcpSecretName("by-oauth", "client_secret") },
    send: "basic",
    scope: null,
  } as const;
  const bringUp = async (id: string, access: McpAccess) => {
    await addMcpServer(desk.workspace, { id, name: id, transport: { type: "http", url: `${open.origin}/mcp` }, access }, egress);
    await mcp.inspect(desk.workspace, id);
    await reviewAndActivate(desk.workspace, id, mcp, ["node"]);

    return callTool(mcp, desk.workspace, id, "repeat", {});
  };
  // Only the runner reads sealed values.
  await useDatabase(desk.urls.runner);
  const byHeader = await bringUp("by-header", { headers, auth: null });
  const byOauth = await bringUp("by-oauth", { headers: {}, auth });
  await addMcpServer(
    desk.workspace,
    { id: "locked", name: "locked", transport: { type: "http", url: `${locked.origin}/mcp` }, access: { headers, auth: null } },
    egress,
  );
  const refused = await toldOf(mcp.inspect(desk.workspace, "locked"));
  await mcp.close();
  await recordRows(desk.deps, desk.workspace);
  await useDatabase(desk.urls.web);

  return { byHeader, byOauth, refused, wasTold: JSON.stringify(open.told) };
};

/** The server reports its environment. */
const useAtProgram = async (stand: Stand) => {
  const admin = await adminOf(stand);
  const spec = { name: "@modelcontextprotocol/server-everything", version: "2026.8.31", bin: "mcp-server-everything" };
  const manifest = await offerPackage(stand.desk.installation, "everything", spec, {
    args: ["stdio"],
    env: { MAPS_KEY: "{key}" },
    placeholders: { key: { type: "secret" } },
    values: { key: { secret: "maps-key" } },
  });
  const { revision } = await admin.mcp.command({ type: "add", id: "program", name: "Program", transport: { type: "stdio", manifest } });
  await admin.mcp.command({ type: "inspect", id: "program", revision });
  const { tools } = await admin.mcp.get({ id: "program" });
  const expect = Object.fromEntries(tools.map(({ name, seen }) => [name, seen?.digest ?? ""]));
  const pinned = await admin.mcp.command({ type: "pin", id: "program", revision, expect });
  await admin.mcp.command({ type: "activate", id: "program", revision: pinned.revision });
  const tool = tools.find(({ name }) => name === "get-env");
  const { call } = await admin.mcp.console({
    id: "program",
    tool: "get-env",
    definition_digest: tool?.seen?.digest ?? "",
    arguments: {},
    typed: "get-env",
  });

  return vi.waitFor(
    async () => {
      const { answer } = await admin.mcp.consoleAnswer({ call });
      if (answer === null) throw new Error("the tool has not answered yet");

      return answer;
    },
    { timeout: 30_000, interval: 100 },
  );
};

/** Its refusal repeats the key. */
const useAtProvider = async (stand: Stand, key: string) => {
  const fake = await startFake(({ headers }) => ({
    status: 401,
    body: { error: { message: `Incorrect key: ${headers.authorization}`, code: key } },
  }));
  const admin = await adminOf(stand);
  const provider = { id: "ours", kind: "openai-compatible", name: "Ours", base_url: fake.url, allow_local: true } as const;
  const price = { input_usd_per_million: 2, output_usd_per_million: 10, source: "Contract", as_of: "2026-11-01" };
  const steps = [
    await admin.models.change({ change: { type: "add_provider", provider, key } }),
    await admin.models.change({ change: { type: "add_model", model: "ours:small" } }),
    await admin.models.change({ change: { type: "set_price", model: "ours:small", revision: 1, price } }),
  ];
  const tested = await toldOf(admin.models.test({ model: "ours:small" }));
  await fake.close();

  return { steps, tested, wasTold: JSON.stringify(fake.sent) };
};

const useByPerson = async (stand: Stand, password: string, next: string) => {
  const admin = await adminOf(stand);
  const email = `${randomUUID()}@example.com`;
  const { token, ...invited } = await admin.people.invite({ email, role: "reviewer", auditor: false });
  const door = callerAs(stand.desk.workspace, "viewer").join;
  const checked = await door.check({ token });
  const joined = await door.accept({ token, name: "Ines Vale", password });
  const again = await toldOf(door.accept({ token, name: "Ines Vale", password }));
  const { members } = await admin.people.list();
  const id = members.find((member) => member.email === email)?.id ?? "";
  const person = await callerSignedIn(stand, "reviewer", id);
  const wrong = await toldOf(person.session.prove({ password: next }));
  const changed = await toldOf(person.session.changePassword({ current: password, next }));
  const signedIn = await signInWithPassword({ email, password: next }, "test");

  return { token, heard: { invited, checked, joined, again, wrong, changed, signedIn } };
};

export const plantSecrets = async (stand: Stand, at: Servers): Promise<Planted> => {
  const admin = await adminOf(stand);
  const [header, client, provider, password, nextPassword] = [
    canary("header"),
    canary("client"),
    plainCanary("provider"),
    canary("password"),
    canary("next"),
  ];
  const kept = [
    await admin.secrets.put({ name: "maps-key", value: header }),
    await admin.secrets.put({ name: getMcpSecretName("by-oauth", "client_secret"), value: client }),
  ];
  const servers = await useAtServers(stand, at);
  const program = await useAtProgram(stand);
  const models = await useAtProvider(stand, provider);
  const { token: invite, heard: person } = await useByPerson(stand, password, nextPassword);
  const webhook = await admin.webhooks.create({ url: "https://hooks.example.com/x", description: "", types: ["approval.requested"] });
  const builder = await callerSignedIn(stand, "builder", stand.desk.people.builder);
  const agent = await builder.connect.tokens.mint({ name: "agent", scopes: ["run.read"], graphs: null, expiresInDays: 1 });
  // Each was received.
  if (!servers.wasTold.includes(JSON.stringify(header).slice(1, -1)) || !models.wasTold.includes(provider))
    throw new Error("a secret was not used");

  return {
    secrets: {
      header,
      client,
      oauth_token: at.tokens[0] ?? "",
      provider,
      password,
      next_password: nextPassword,
      invite,
      webhook: webhook.secret.slice("whsec_".length),
      agent: agent.token,
      vault_key: stand.desk.keys.vault,
      signing_key: stand.desk.keys.pem.split("\n")[1] ?? "",
      runner_database: decodeURIComponent(new URL(stand.desk.urls.runner).password),
      web_database: decodeURIComponent(new URL(stand.desk.urls.web).password),
    },
    heard: {
      kept,
      by_header: servers.byHeader,
      by_oauth: servers.byOauth,
      by_refusal: servers.refused,
      by_program: program,
      by_provider: [models.steps, models.tested],
      by_person: person,
    },
    endpoint: webhook.id,
  };
};
