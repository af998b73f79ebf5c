import { mcpAccessSchema, type McpAccess, type McpAuth, type McpHeaders } from "@/lib/mcp/access";
import { getMcpSecretName, secretValueSchema } from "@/lib/secrets/reference";

export type HeaderKind = "new" | "kept" | "text";

export type HeaderRow = {
  readonly key: string;
  readonly name: string;
  /** New secret, stored secret or text. */
  readonly kind: HeaderKind;
  /** Such as `Bearer `. */
  readonly scheme: string;
  readonly text: string;
};

export type OAuthFields = {
  readonly isOn: boolean;
  readonly find: McpAuth["find"];
  readonly url: string;
  readonly clientId: string;
  /** Empty keeps the stored one. */
  readonly clientSecret: string;
  readonly kept: string | null;
  readonly send: McpAuth["send"];
  readonly scope: string;
};

export const NO_OAUTH: OAuthFields = {
  isOn: false,
  find: "token_url",
  url: "",
  clientId: "",
  clientSecret: "",
  kept: null,
  send: "basic",
  scope: "",
};

export type SecretToPut = { readonly name: string; readonly value: string; readonly environment?: string | null };
type AccessDraft = {
  /** Null: `problem` says why. */
  readonly access: McpAccess | null;
  readonly secrets: readonly SecretToPut[];
  readonly problem: string | null;
};

const secretName = (server: string, field: string): string => getMcpSecretName(server, field.replaceAll(/[^A-Za-z0-9_-]/g, "-"));

type Value = McpHeaders[string];

const valueOf = (server: string, { name, kind, scheme, text }: HeaderRow): Value => {
  if (kind === "text") return { value: text };
  const secret = kind === "kept" ? text : secretName(server, name);

  return { secret, ...(scheme === "" ? {} : { prefix: scheme }) };
};

const typed = (server: string, rows: readonly HeaderRow[]): SecretToPut[] =>
  rows.flatMap(({ kind, name, text }) => (kind === "new" ? [{ name: secretName(server, name), value: text }] : []));

const problemOf = (secrets: readonly SecretToPut[]): string | null => {
  for (const { name, value } of secrets) {
    const issue = secretValueSchema.safeParse(value).error?.issues[0];
    if (issue) return `${name.split(":").at(-1) ?? name}: ${issue.message}`;
  }

  return null;
};

/** @param server id that owns the secrets */
export const getAccess = (server: string, rows: readonly HeaderRow[], oauth: OAuthFields): AccessDraft => {
  const clientSecret = secretName(server, "oauth");
  const isTyped = oauth.isOn && oauth.clientSecret !== "";
  const secrets = [...typed(server, rows), ...(isTyped ? [{ name: clientSecret, value: oauth.clientSecret }] : [])];
  const auth = {
    type: "client_credentials",
    find: oauth.find,
    url: oauth.url.trim(),
    client_id: oauth.clientId.trim(),
    client_secret: { secret: isTyped ? clientSecret : (oauth.kept ?? "") },
    send: oauth.send,
    scope: oauth.scope.trim() === "" ? null : oauth.scope.trim(),
  };
  const parsed = mcpAccessSchema.safeParse({
    headers: Object.fromEntries(rows.map((row) => [row.name, valueOf(server, row)])),
    auth: oauth.isOn ? auth : null,
  });
  const missing = oauth.isOn && !isTyped && oauth.kept === null ? "Enter the client secret." : null;

  const problem = missing ?? parsed.error?.issues[0]?.message ?? problemOf(secrets);

  return { access: problem === null ? (parsed.data ?? null) : null, secrets, problem };
};

/** Lists stored headers, secrets by name. */
export const listRows = (values: McpHeaders): readonly HeaderRow[] =>
  Object.entries(values).map(([name, value]) => ({
    key: name,
    name,
    kind: "secret" in value ? "kept" : "text",
    scheme: "prefix" in value && typeof value.prefix === "string" ? value.prefix : "",
    text: "secret" in value ? value.secret : value.value,
  }));

export const toOAuth = (auth: McpAuth | null): OAuthFields =>
  auth === null
    ? NO_OAUTH
    : {
        isOn: true,
        find: auth.find,
        url: auth.url,
        clientId: auth.client_id,
        clientSecret: "",
        kept: auth.client_secret.secret,
        send: auth.send,
        scope: auth.scope ?? "",
      };
