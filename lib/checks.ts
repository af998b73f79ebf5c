/** Findings about an installation: codes and figures, never texts of others. */
import { z } from "zod";

export const CHECK_AREAS = ["keys", "database", "pooler", "sandbox", "origins", "servers", "containers", "providers", "clock"] as const;
export type CheckArea = (typeof CHECK_AREAS)[number];

export const CHECK_STATUSES = ["ok", "skipped", "warning", "failed"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

type Facts = Readonly<Record<string, string | number>>;
type Text = {
  readonly area: CheckArea;
  readonly status: CheckStatus;
  readonly says: (facts: Facts) => string;
  readonly todo: ((facts: Facts) => string) | null;
};

const NO_INSTALLATION = "Not checked: there is no installation here.";
const START = () => "Start Countersign (npm start), or set COUNTERSIGN_HOME.";

const TEXTS = {
  keys_ok: {
    area: "keys",
    status: "ok",
    says: ({ kid }) => `The keys can be read and belong to this database; signing key ${kid}.`,
    todo: null,
  },
  keys_skipped: { area: "keys", status: "skipped", says: () => NO_INSTALLATION, todo: START },
  keys_not_compared: {
    area: "keys",
    status: "skipped",
    says: () => "The keys can be read, but were not compared with the database.",
    todo: () => "Mend the database, then check again.",
  },
  keys_unreadable: {
    area: "keys",
    status: "failed",
    says: ({ file }) => `${file} is missing, damaged or readable by other users.`,
    todo: () => "Run this as the user that runs Countersign, set the file's mode to 0600, or restore it from the backup.",
  },
  keys_foreign: {
    area: "keys",
    status: "failed",
    says: ({ file }) => `${file} does not belong to this database.`,
    todo: () => "Restore the keys that this database was used with, or connect to the database of these keys.",
  },
  database_ok: {
    area: "database",
    status: "ok",
    says: ({ version }) => `Postgres ${version} answers, migrated and with the right roles.`,
    todo: null,
  },
  database_skipped: { area: "database", status: "skipped", says: () => NO_INSTALLATION, todo: START },
  database_unreachable: {
    area: "database",
    status: "failed",
    says: ({ cause }) => `The database does not answer (${cause}).`,
    todo: () => "Start it, and check host, port and password in DATABASE_URL.",
  },
  database_old: {
    area: "database",
    status: "warning",
    says: ({ version }) => `Postgres ${version} is older than the tested versions 17 and 18.`,
    todo: () => "Upgrade Postgres.",
  },
  migrations_missing: {
    area: "database",
    status: "failed",
    says: ({ count, first }) => `${count} migrations are missing, from ${first} on.`,
    todo: () => "Start this version of Countersign once, or run npm run set-up.",
  },
  migrations_newer: {
    area: "database",
    status: "failed",
    says: ({ newest }) => `The database was migrated by a newer version (${newest}).`,
    todo: () => "Install that version here.",
  },
  roles_missing: {
    area: "database",
    status: "failed",
    says: ({ role }) => `The database has no role ${role}.`,
    todo: () => "Run npm run set-up with an administrator's DATABASE_URL.",
  },
  roles_wide: {
    area: "database",
    status: "failed",
    says: ({ role, right }) => `The role ${role} has a right that it must not have: ${right}.`,
    todo: ({ role }) => `Revoke it from ${role}: the ledger relies on these roles.`,
  },
  pooler_ok: { area: "pooler", status: "ok", says: ({ pooler }) => `Connections keep their session (${pooler}).`, todo: null },
  pooler_skipped: { area: "pooler", status: "skipped", says: () => "Not checked: the database does not answer.", todo: null },
  pooler_transaction: {
    area: "pooler",
    status: "failed",
    says: ({ pooler }) => `${pooler} in transaction mode shares connections: notifications, locks and prepared statements get lost.`,
    todo: () => "Set the pooler to session mode (pool_mode = session), or connect to Postgres directly.",
  },
  sandbox_ok: { area: "sandbox", status: "ok", says: () => "All layers of isolation are available.", todo: null },
  sandbox_off: {
    area: "sandbox",
    status: "failed",
    says: () => "COUNTERSIGN_SANDBOX=off: web, runner and MCP servers are not isolated.",
    todo: () => "Remove COUNTERSIGN_SANDBOX=off.",
  },
  sandbox_missing: {
    area: "sandbox",
    status: "failed",
    says: ({ layers }) => `This machine lacks layers of isolation: ${layers}.`,
    todo: () => "Use a Linux kernel with Landlock and seccomp; COUNTERSIGN_SANDBOX=strict demands all layers.",
  },
  origins_none: {
    area: "origins",
    status: "ok",
    says: () => "No private origin is open: MCP servers are at public https addresses.",
    todo: () => "To open one, the operator sets COUNTERSIGN_MCP_ORIGINS and restarts.",
  },
  origin_open: {
    area: "origins",
    status: "ok",
    says: ({ origin, addresses }) => `${origin} is open to MCP servers, and resolves to ${addresses}.`,
    todo: null,
  },
  origin_refused: {
    area: "origins",
    status: "failed",
    says: ({ origin, address }) => `${origin} stays closed: it resolves to ${address}, a link-local, metadata or other special address.`,
    todo: () => "No setting opens such an address. Give the server one of a private network.",
  },
  origin_unresolved: {
    area: "origins",
    status: "warning",
    says: ({ origin }) => `${origin} is open to MCP servers, but its name does not resolve on this machine.`,
    todo: () => "Check the name in COUNTERSIGN_MCP_ORIGINS and this machine's DNS.",
  },
  server_refused: {
    area: "servers",
    status: "failed",
    says: ({ server, origin, reason }) => `The MCP server ${server} is not reached at ${origin}: ${reason}.`,
    todo: () => "Enter another address on its page, or have the operator open the origin (COUNTERSIGN_MCP_ORIGINS).",
  },
  servers_ok: { area: "servers", status: "ok", says: ({ count }) => `Active MCP servers that answered last: ${count}.`, todo: null },
  servers_skipped: { area: "servers", status: "skipped", says: () => "Not checked: the database does not answer.", todo: null },
  server_gone: {
    area: "servers",
    status: "failed",
    says: ({ server }) => `The MCP server ${server} is active, but its program is gone or has changed.`,
    todo: ({ server }) => `Install the program again (countersign servers install), or review ${server} on its page.`,
  },
  server_unreachable: {
    area: "servers",
    status: "warning",
    says: ({ server }) => `The MCP server ${server} is active, but did not answer last.`,
    todo: ({ server }) => `Open the page of ${server}: it shows the last error. Then inspect it again.`,
  },
  containers_none: { area: "containers", status: "skipped", says: () => "No container server is installed.", todo: null },
  containers_ok: { area: "containers", status: "ok", says: ({ count }) => `Container images that can start: ${count}.`, todo: null },
  containers_silent: {
    area: "containers",
    status: "failed",
    says: () => "Container servers are installed, but the process that starts them does not answer.",
    todo: () => "Restart Countersign there, and read log/containers.log of its state folder.",
  },
  container_gone: {
    area: "containers",
    status: "failed",
    says: ({ program }) => `The container image of ${program} is gone or has changed.`,
    todo: ({ program }) => `Install it again, or remove it: countersign servers remove ${program}.`,
  },
  engine_ok: { area: "containers", status: "ok", says: ({ engine }) => `${engine} works.`, todo: null },
  engine_idle: { area: "containers", status: "skipped", says: ({ engine }) => `${engine} works, and no server needs it.`, todo: null },
  engine_unused: {
    area: "containers",
    status: "skipped",
    says: ({ engine, cause }) => `${engine} does not work (${cause}), and no server needs it.`,
    todo: null,
  },
  engine_failed: {
    area: "containers",
    status: "failed",
    says: ({ engine, cause }) => `${engine} does not work (${cause}), so its servers do not start.`,
    todo: ({ engine }) => `Run ${engine} info as the user that runs Countersign.`,
  },
  engine_missing: {
    area: "containers",
    status: "failed",
    says: ({ engine }) => `Container servers need ${engine}, which is not installed.`,
    todo: ({ engine }) => `Install ${engine}, or remove these servers.`,
  },
  providers_ok: { area: "providers", status: "ok", says: ({ count }) => `Model providers that are configured: ${count}.`, todo: null },
  providers_skipped: {
    area: "providers",
    status: "skipped",
    says: () => "Not checked: no runner reports its models.",
    todo: () => "Start the runner.",
  },
  providers_none: {
    area: "providers",
    status: "warning",
    says: () => "No model provider is configured: only scripted models can be used.",
    todo: () => "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL, or add a provider on the Models page.",
  },
  provider_down: {
    area: "providers",
    status: "warning",
    says: ({ provider }) => `The model provider ${provider} failed several times and is not called for a while.`,
    todo: ({ provider }) => `Test ${provider} on the Models page.`,
  },
  provider_reached: {
    area: "providers",
    status: "ok",
    says: ({ provider }) => `The model provider ${provider} can be reached.`,
    todo: null,
  },
  provider_unreachable: {
    area: "providers",
    status: "failed",
    says: ({ provider, cause }) => `The model provider ${provider} can't be reached (${cause}).`,
    todo: () => "Check its address, the network and the proxy.",
  },
  clock_ok: { area: "clock", status: "ok", says: () => "The clock agrees with the database's.", todo: null },
  clock_skipped: { area: "clock", status: "skipped", says: () => "Not checked: the database does not answer.", todo: null },
  clock_off: {
    area: "clock",
    status: "failed",
    says: ({ seconds }) => `The clock differs from the database's by ${seconds} s: leases, links and approvals end at the wrong time.`,
    todo: () => "Synchronise both clocks (NTP).",
  },
} as const satisfies Readonly<Record<string, Text>>;

export type CheckCode = keyof typeof TEXTS;
const CHECK_CODES = Object.keys(TEXTS) as readonly CheckCode[];

export const checkSchema = z.strictObject({
  code: z.enum(CHECK_CODES),
  facts: z.record(
    z.string().max(20),
    z.union([
      z.number(),
      z
        .string()
        .max(200)
        .regex(/^[\w .,:@/()-]*$/u),
    ]),
  ),
});
export type Check = z.infer<typeof checkSchema>;

export type DescribedCheck = {
  readonly area: CheckArea;
  readonly code: CheckCode;
  readonly status: CheckStatus;
  readonly says: string;
  readonly todo: string | null;
};

export const describeCheck = ({ code, facts }: Check): DescribedCheck => {
  const { area, status, says, todo }: Text = TEXTS[code];

  return { area, code, status, says: says(facts), todo: todo?.(facts) ?? null };
};

export const createCheck = (code: CheckCode, facts: Facts = {}): Check => ({
  code,
  facts: Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === "string" ? fact.replaceAll(/[^\w .,:@/()-]/gu, "_").slice(0, 200) : fact,
    ]),
  ),
});
