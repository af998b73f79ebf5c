/** Imports from Claude, Cursor, VS Code and `server.json`; registers nothing. */
import { z } from "zod";
import { readDocumentText } from "@/lib/document-text";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { isOwnHeader, mcpAccessSchema, NO_ACCESS, type McpAccess } from "./access";
import { launchOf, remoteOf, type Described } from "./import-command";
import { matchProgram } from "./import-program";
import { readRegistryDrafts } from "./import-registry";
import { hasPlaceholder, readValue, type ImportedValue, type Placeholders, type SecretToFill } from "./import-values";
import { isDeniedVariable } from "./launch";
import type { OfferedProgram } from "./program";
import { mcpTransportSchema, type McpTransport } from "./transport";

export type ImportFormat = "mcpServers" | "servers" | "server.json";

export type ImportDraft = {
  readonly id: string;
  readonly name: string;
  readonly transport: McpTransport | null;
  /** Null: an address. */
  readonly program: OfferedProgram | null;
  readonly access: McpAccess;
  readonly fill: readonly SecretToFill[];
  readonly problems: readonly string[];
  /** Omissions and changes, with reasons. */
  readonly notes: readonly string[];
};

export type Imported = { readonly format: ImportFormat; readonly drafts: readonly ImportDraft[] };

const LIMITS = { maxBytes: 262_144, maxDepth: 24 };
const MOST_SERVERS = 50;

const idOf = (key: string, taken: ReadonlySet<string>): string => {
  const plain = key
    .replaceAll(/[^a-zA-Z0-9_-]+/g, "-")
    .replaceAll(/^[^a-zA-Z]+|-+$/g, "")
    .slice(0, 56);
  const base = plain === "" ? "server" : plain;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id)) return id;
  }
};

type Values = { readonly values: Record<string, NonNullable<ImportedValue>>; readonly fill: SecretToFill[]; readonly notes: string[] };

const valuesOf = (id: string, pairs: Described["variables"], known: Placeholders, isHeader: boolean): Values => {
  const [values, fill, notes]: [Values["values"], SecretToFill[], string[]] = [{}, [], []];
  const isLeftOut = isHeader ? isOwnHeader : isDeniedVariable;
  for (const [name, text] of pairs) {
    if (isLeftOut(name)) {
      notes.push(`${name.slice(0, 100)} was left out: ${isHeader ? "the protocol sets it" : "it can change what runs"}.`);
      continue;
    }
    const read = readValue(id, name, text, isHeader, known);
    if (read.value) values[name] = read.value;
    if (read.fill) fill.push(read.fill);
    if (read.note !== null) notes.push(read.note);
  }

  return { values, fill, notes };
};

const issuesOf = (error: z.ZodError | undefined): readonly string[] => [...new Set((error?.issues ?? []).map(({ message }) => message))];

type Way = Pick<ImportDraft, "transport" | "program" | "fill" | "problems" | "notes">;

const NO_WAY: Way = { transport: null, program: null, fill: [], problems: [], notes: [] };

const httpWay = (url: string): Way => {
  const transport = mcpTransportSchema.safeParse({ type: "http", url });
  const problems = hasPlaceholder(url) || url.includes("{") ? ["The address has a placeholder. Use the full address."] : [];

  return { ...NO_WAY, transport: transport.data ?? null, problems: [...problems, ...issuesOf(transport.error)] };
};

const stdioWay = (server: string, launch: Described["launch"], env: Values, programs: readonly OfferedProgram[]): Way => {
  if (launch === null) return { ...NO_WAY, problems: ["It has neither a command nor an address."] };
  if (!launch.ok) return { ...NO_WAY, problems: [launch.error] };
  const hole = launch.value.args.find(hasPlaceholder);
  if (hole !== undefined)
    return {
      ...NO_WAY,
      problems: [`The argument ${hole.slice(0, 100)} has a placeholder. Use the full argument, so that it can be reviewed.`],
    };
  const matched = matchProgram({ server, launch: launch.value, variables: env.values, fill: env.fill }, programs);
  if (!matched.ok) return { ...NO_WAY, problems: [matched.error], notes: env.notes };
  const { program, values, fill, left } = matched.value;

  return {
    transport: { type: "stdio", manifest: { program: program.id, digest: program.digest, values } },
    program,
    fill,
    problems: [],
    notes: [...env.notes, ...left.map((name) => `${name} was left out: the operator's entry doesn't pass it on.`)],
  };
};

const draftOf = (described: Described, id: string, known: Placeholders, programs: readonly OfferedProgram[]): ImportDraft => {
  const { url } = described;
  const headers = valuesOf(id, url === null ? [] : described.headers, known, true);
  const way = url === null ? stdioWay(id, described.launch, valuesOf(id, described.variables, known, false), programs) : httpWay(url);
  const access = mcpAccessSchema.safeParse({ headers: headers.values, auth: null });

  return {
    ...way,
    id,
    name: described.key.slice(0, 120),
    access: access.success ? access.data : NO_ACCESS,
    fill: [...way.fill, ...headers.fill],
    problems: [...described.problems, ...way.problems, ...issuesOf(access.error)],
    notes: [...described.notes, ...way.notes, ...headers.notes],
  };
};

const textsOf = (value: Json | undefined): readonly (readonly [string, string])[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([name, each]) =>
        each === null ? [] : [[name, typeof each === "string" ? each : JSON.stringify(each)] as const],
      )
    : [];

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

const argsOf = (value: Json | undefined): readonly string[] | null => {
  if (value === undefined) return [];

  return Array.isArray(value) && value.every((each): each is string => typeof each === "string") ? value : null;
};

const HTTP_TYPES: ReadonlySet<string> = new Set(["http", "streamable-http", "streamableHttp", "streamable_http"]);
const LEFT_OUT: Readonly<Record<string, string>> = {
  cwd: "each server starts in its own empty folder",
  envFile: "variable files aren't read",
  disabled: "every server starts in quarantine",
  autoApprove: "tools must be reviewed first",
  alwaysAllow: "tools must be reviewed first",
  timeout: "Countersign's call limits apply",
  oauth: "enter client credentials after the import",
};

const describe = (key: string, entry: Json): Described => {
  const empty = { key, launch: null, url: null, variables: [], headers: [], problems: [], notes: [] };
  if (!isJsonObject(entry)) return { ...empty, problems: ["It isn't a server description."] };
  const given = textOf(ownMember(entry, "command"));
  const args = argsOf(ownMember(entry, "args"));
  const remote = given === null ? null : remoteOf(given, args ?? []);
  const command = remote ? null : given;
  const url =
    remote?.url ?? textOf(ownMember(entry, "url")) ?? textOf(ownMember(entry, "serverUrl")) ?? textOf(ownMember(entry, "httpUrl"));
  const type = remote ? null : (textOf(ownMember(entry, "type")) ?? textOf(ownMember(entry, "transport")));
  const isOld = type === "sse" || (type === null && url !== null && /\/sse\/?$/.test(url));
  const problems = [
    ...(isOld ? ["It uses the old SSE transport, which isn't supported. Use streamable HTTP."] : []),
    ...(type !== null && !isOld && type !== "stdio" && !HTTP_TYPES.has(type) ? [`Unknown transport: ${type.slice(0, 40)}.`] : []),
    ...(url !== null && command !== null ? ["It has both a command and an address."] : []),
    ...(args === null ? ["Its arguments aren't a list of strings."] : []),
  ];
  const notes = [
    ...(remote ? ["mcp-remote was left out: Countersign connects to the address itself."] : []),
    ...Object.entries(LEFT_OUT).flatMap(([name, why]) => (ownMember(entry, name) === undefined ? [] : [`${name} was left out: ${why}.`])),
  ];

  const launch = command === null ? null : launchOf(command, args ?? []);
  const env = textsOf(ownMember(entry, "env"));
  const more = launch?.ok && launch.value.kind === "image" ? launch.value.variables : [];

  return {
    ...empty,
    launch,
    url,
    variables: [...env, ...more.filter(([name]) => env.every(([known]) => known !== name))],
    headers: remote?.headers ?? textsOf(ownMember(entry, "headers")),
    problems,
    notes,
  };
};

const inputSchema = z.object({ id: z.string().max(200), description: z.string().max(500).optional() });

const inputsOf = (root: JsonObject): Placeholders => {
  const list = ownMember(root, "inputs");
  const parsed = (Array.isArray(list) ? list : []).map((each: Json) => inputSchema.safeParse(each));

  return new Map(parsed.flatMap(({ data }) => (data ? [[data.id, data.description ?? data.id] as const] : [])));
};

type Read = { readonly format: ImportFormat; readonly described: readonly Described[]; readonly known: Placeholders };

const readRoot = (root: JsonObject): Read | null => {
  const [client, editor] = [ownMember(root, "mcpServers"), ownMember(root, "servers") ?? ownMember(ownMember(root, "mcp"), "servers")];
  const known = inputsOf(root);
  const all = (servers: JsonObject): readonly Described[] => Object.entries(servers).map(([key, entry]) => describe(key, entry));
  if (isJsonObject(client)) return { format: "mcpServers", described: all(client), known };
  if (isJsonObject(editor)) return { format: "servers", described: all(editor), known };
  const registry = readRegistryDrafts(root);

  return registry && { format: "server.json", described: registry, known };
};

/** @param programs the operator's @param taken registered ids */
export const importServers = (
  text: string,
  programs: readonly OfferedProgram[],
  taken: readonly string[] = [],
): Result<Imported, string> => {
  const document = readDocumentText(text, LIMITS);
  if (!document.ok) {
    const { message, place } = document.error;

    return err(place ? `Line ${place.line}: ${message}` : message);
  }
  const read = isJsonObject(document.value.value) ? readRoot(document.value.value) : null;
  if (!read) return err("The file has no mcpServers or servers, and isn't a server.json.");
  if (read.described.length === 0) return err("The file has no servers.");
  if (read.described.length > MOST_SERVERS) return err(`The file has more than ${MOST_SERVERS} servers. Import them in parts.`);
  const ids = new Set(taken);
  const drafts = read.described.map((described) => {
    const id = idOf(described.key, ids);
    ids.add(id);

    return draftOf(described, id, read.known, programs);
  });

  return ok({ format: read.format, drafts });
};
