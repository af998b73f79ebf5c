/** The only reader of `process.env`; page builds need no configuration. */
import path from "node:path";
import { z } from "zod";
import { modelPricesSchema } from "@/lib/model-price";
import { parseSmtpUrl, type MailServer } from "@/server/smtp-url";
import { isLoopbackHost } from "@/server/auth/loopback";
import { parseRange } from "@/server/auth/trusted-proxies";
import { SERVER_USERS, type UserRange } from "@/server/sandbox/users";

/** Empty means unset: compose files and CI often pass empty variables. */
const unset = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => (value === "" ? undefined : value), schema);

const optional = unset(z.string().optional());

const json = (text: string | undefined, context: z.RefinementCtx): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    context.addIssue("not JSON");

    return z.NEVER;
  }
};

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/u;

const wordsOf = (value: string | undefined): string[] => value?.split(/[\s,]+/u).filter((word) => word !== "") ?? [];

const origins = optional
  .transform((value) => wordsOf(value))
  .pipe(z.array(z.url().refine((text) => URL.parse(text)?.origin === text, "an origin, as http://127.0.0.1:8080")).max(20));

const SENDER = /^(?:[^<>\r\n"]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u;

const mailServer = (value: string | undefined, context: z.RefinementCtx): MailServer | null => {
  if (value === undefined) return null;
  const parsed = parseSmtpUrl(value);
  if (parsed.ok) return parsed.value;
  context.addIssue(parsed.error);

  return z.NEVER;
};

/** Separated by spaces or commas. */
const addressRanges = (value: string | undefined, context: z.RefinementCtx) =>
  wordsOf(value).flatMap((word) => {
    const range = parseRange(word);
    if (!range) context.addIssue(`"${word}" is neither an address nor a network, as 10.0.0.0/8`);

    return range ? [range] : [];
  });

const userRange = (value: string | undefined, context: z.RefinementCtx): UserRange => {
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/u.exec(value ?? `${SERVER_USERS.first}-${SERVER_USERS.last}`) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (range.first >= 1_000 && range.first < range.last && range.last < 2 ** 32 - 1) return range;
  context.addIssue("two numbers of users from 1000 on, as 60800-61055");

  return z.NEVER;
};

/** Discovery and keys need TLS, except on this machine. */
const oidcIssuerSchema = z
  .url()
  .max(500)
  .refine((text) => {
    const { protocol, host } = new URL(text);

    return protocol === "https:" || (protocol === "http:" && isLoopbackHost(host));
  }, "an https address, or one of this machine");

const variablesSchema = z.object({
  DATABASE_URL: optional,
  COUNTERSIGN_HOME: optional.transform((value) => path.resolve(/* turbopackIgnore: true */ value ?? ".countersign")),
  PORT: unset(z.coerce.number().int().min(1).max(65_535).default(3000)),
  HOST: optional.transform((value) => value ?? "127.0.0.1"),
  NEXTAUTH_URL: optional,
  NEXTAUTH_SECRET: optional,
  /** All three or none. */
  OIDC_ISSUER: optional.pipe(oidcIssuerSchema.optional()),
  OIDC_CLIENT_ID: optional.pipe(z.string().max(500).optional()),
  OIDC_CLIENT_SECRET: optional.pipe(z.string().max(500).optional()),
  /** `openid` must be among them. */
  OIDC_SCOPES: optional
    .transform((value) => value ?? "openid email profile")
    .pipe(
      z
        .string()
        .max(500)
        .regex(/(?:^| )openid(?: |$)/u, "openid among others"),
    ),
  OIDC_NAME: optional.pipe(z.string().trim().max(60).optional()),
  /** Separated by spaces or commas. */
  OIDC_ALLOWED_DOMAINS: optional
    .transform((value) => wordsOf(value?.toLowerCase()))
    .pipe(z.array(z.string().max(253).regex(DOMAIN, "a domain, as example.com")).max(50)),
  /** Their `X-Forwarded-For` counts. */
  COUNTERSIGN_TRUSTED_PROXIES: optional.transform(addressRanges),
  /** Bound to loopback only. */
  COUNTERSIGN_LOOPBACK: optional.transform((value) => value === "1"),
  COUNTERSIGN_CUSTOMERS_URL: optional,
  COUNTERSIGN_TRUST_ANCHOR: optional,
  ANTHROPIC_API_KEY: optional,
  ANTHROPIC_BASE_URL: optional,
  OPENAI_API_KEY: optional,
  OPENAI_BASE_URL: optional,
  OPENAI_MODEL: optional,
  /** JSON by `<provider>:<model id>`; overrides the price list. */
  COUNTERSIGN_MODEL_PRICES: optional.transform(json).pipe(modelPricesSchema.optional()),
  /** Non-public ones, separated by spaces. */
  COUNTERSIGN_WEBHOOK_ORIGINS: origins,
  /** Non-public or non-https ones, separated by spaces. */
  COUNTERSIGN_MCP_ORIGINS: origins,
  /** `smtps://user:password@host:465`, or `smtp://…:587` for STARTTLS; both or none. */
  COUNTERSIGN_SMTP_URL: optional.transform(mailServer),
  /** An address, or `Name <address>`. */
  /** Highest classification of values in e-mail; each reader's clearance applies too. */
  COUNTERSIGN_MAIL_VALUES: unset(z.enum(["internal", "pii"]).default("internal")),
  COUNTERSIGN_SMTP_FROM: optional.pipe(z.string().max(300).regex(SENDER, "an address, as approvals@example.com").optional()),
  /** Of a Slack app: for the runner, `xoxb-…`; for the web process, against forged interactions. */
  COUNTERSIGN_SLACK_TOKEN: optional.pipe(
    z
      .string()
      .max(500)
      .regex(/^[\x21-\x7e]+$/u, "a bot token, as xoxb-…")
      .optional(),
  ),
  COUNTERSIGN_SLACK_SIGNING_SECRET: optional.pipe(z.string().min(16).max(500).optional()),
  /** GovSlack has its own. */
  COUNTERSIGN_SLACK_ORIGIN: optional.pipe(
    z
      .url()
      .refine((text) => URL.parse(text)?.origin === text, "an origin, as https://slack.com")
      .default("https://slack.com"),
  ),
  /** Outside the database. */
  COUNTERSIGN_CHECKPOINT_DIR: optional.transform((value) => (value === undefined ? null : path.resolve(/* turbopackIgnore: true */ value))),
  COUNTERSIGN_FILE_MIB: unset(z.coerce.number().int().min(1).max(1_024).default(25)),
  COUNTERSIGN_WORKSPACE_FILES_MIB: unset(z.coerce.number().int().min(1).max(1_048_576).default(2_048)),
  COUNTERSIGN_CONCURRENT_RUNS: unset(z.coerce.number().int().min(1).max(1_000).default(64)),
  /** Over all runners; unset: no limit. */
  COUNTERSIGN_RUNS_PER_WORKSPACE: unset(z.coerce.number().int().min(1).max(100_000).optional()),
  /** Those allowed to create workspaces. */
  COUNTERSIGN_NEW_WORKSPACES: unset(z.enum(["operator", "admins"]).default("operator")),
  /** One per workspace; others wait. */
  COUNTERSIGN_WORKERS: unset(z.coerce.number().int().min(1).max(1_000).default(16)),
  HTTP_PROXY: optional,
  HTTPS_PROXY: optional,
  NO_PROXY: optional,
  /** Health and metrics; unset: no listener. */
  COUNTERSIGN_RUNNER_PORT: unset(z.coerce.number().int().min(1).max(65_535).optional()),
  COUNTERSIGN_RUNNER_HOST: optional.transform((value) => value ?? "127.0.0.1"),
  COUNTERSIGN_METRICS_TOKEN: optional.pipe(z.string().min(16).max(500).optional()),
  /** Joins an installation, so must have the database's keys. */
  COUNTERSIGN_JOIN: optional.transform((value) => value === "1"),
  /** Per runner; further workspaces wait. */
  COUNTERSIGN_TOOL_HOSTS: unset(z.coerce.number().int().min(1).max(1_000).default(32)),
  /** Milliseconds. */
  COUNTERSIGN_DRAIN_MS: unset(z.coerce.number().int().min(0).max(3_600_000).default(25_000)),
  /** "strict": requires a complete sandbox. */
  COUNTERSIGN_SANDBOX: unset(z.enum(["off", "available", "strict"]).default("available")),
  /** For servers started by root: two numbers, inclusive. */
  COUNTERSIGN_SERVER_UIDS: optional.transform(userRange),
  /** The tracing library reads its other variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional.pipe(z.url().max(500).optional()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional.pipe(z.url().max(500).optional()),
  OTEL_TRACES_SAMPLER_ARG: unset(z.coerce.number().min(0).max(1).default(1)),
  NODE_EXTRA_CA_CERTS: optional,
  LOG_LEVEL: unset(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info")),
  NODE_ENV: optional,
});

export const envSchema = variablesSchema
  .refine(({ COUNTERSIGN_SMTP_URL: server, COUNTERSIGN_SMTP_FROM: from }) => (server === null) === (from === undefined), {
    path: ["COUNTERSIGN_SMTP_FROM"],
    message: "COUNTERSIGN_SMTP_URL and COUNTERSIGN_SMTP_FROM are set together or not at all",
  })
  .refine(
    ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, NEXTAUTH_SECRET: web }) =>
      // The runner verifies tokens without the secret.
      new Set([issuer, id, ...(web === undefined && secret === undefined ? [] : [secret])].map((each) => each === undefined)).size === 1,
    { path: ["OIDC_ISSUER"], message: "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are set together or not at all" },
  );

const OF_ENGINES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|TMPDIR|XDG_(?:RUNTIME_DIR|CONFIG_HOME|DATA_HOME)|DBUS_SESSION_BUS_ADDRESS|CONTAINERS_(?:CONF|STORAGE_CONF|REGISTRIES_CONF)|DOCKER_(?:HOST|CONFIG|CONTEXT))$/u;

export const readEngineEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (OF_ENGINES.test(name) && value ? [[name, value]] : [])));

export type Env = z.infer<typeof envSchema>;

let parsed: Env | null = null;

/** @throws ZodError */
export const readEnv = (): Env => {
  parsed ??= envSchema.parse(process.env);

  return parsed;
};
