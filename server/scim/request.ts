import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import { uuidSchema } from "@/lib/ids";
import type { ProvisionCommand } from "@/lib/people/provision-command";
import { MOST_RESULTS } from "@/lib/scim/documents";
import { badRequest, ScimError } from "@/lib/scim/error";
import { JSON_TEXT_FAULTS, readJsonText } from "@/lib/json-text";
import { ownOrigin } from "@/server/own-origin";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH, readBody } from "@/server/security/request-guard";
import { submitCommand } from "@/server/web/submit-command";
import { respondScim } from "./answer";
import type { ScimCaller } from "./token";

export type ScimRequest = {
  readonly caller: ScimCaller;
  readonly authority: WorkspaceAuthority;
  readonly request: Request;
  readonly query: URLSearchParams;
};

const TYPES = new Set(["application/scim+json", "application/json"]);

export const readJson = async ({ headers, body }: Request): Promise<unknown> => {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!TYPES.has(type)) throw new ScimError(415, null, "The body must be application/scim+json.");
  if (Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw new ScimError(413, "tooMany", "The body is larger than 1 MiB.");
  const json = readJsonText(await readBody(body), { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_JSON_DEPTH });
  if (!json.ok) throw badRequest("invalidSyntax", JSON_TEXT_FAULTS[json.error]);

  return json.value;
};

export const readId = (text: string): string => {
  const id = uuidSchema.safeParse(text.toLowerCase()).data;
  if (id === undefined) throw notFound();

  return id;
};

export const notFound = (): ScimError => new ScimError(404, null, "The resource doesn't exist.");

export const readMatch = ({ headers }: Request): { readonly match?: number } => {
  const text = headers.get("if-match")?.trim();
  if (text === undefined || text === "*") return {};
  const seq = /^(?:W\/)?"(\d{1,15})"$/u.exec(text)?.[1];
  if (seq === undefined) throw new ScimError(412, null, "The resource has another version.");

  return { match: Number(seq) };
};

export const formatVersion = (seq: number): string => `W/"${seq}"`;

const DEFAULT_COUNT = 100;
const MOST_START = 1_000_000;

const readNumber = (query: URLSearchParams, name: string, otherwise: number): number => {
  const text = query.get(name);
  if (text === null || text === "") return otherwise;
  if (!/^-?\d{1,9}$/u.test(text)) throw badRequest("invalidValue", `${name} must be a whole number.`);

  return Number(text);
};

export const readPage = (query: URLSearchParams): { readonly startIndex: number; readonly count: number } => ({
  startIndex: Math.min(MOST_START, Math.max(1, readNumber(query, "startIndex", 1))),
  count: Math.min(MOST_RESULTS, Math.max(0, readNumber(query, "count", DEFAULT_COUNT))),
});

const readNames = (query: URLSearchParams, name: string): ReadonlySet<string> | null => {
  const text = query.get(name);

  return text === null || text === "" ? null : new Set(text.split(",").map((one) => one.trim().toLowerCase()));
};

const ALWAYS = new Set(["schemas", "id"]);

export const selectAttributes = (query: URLSearchParams, resource: object): object => {
  const [wanted, excluded] = [readNames(query, "attributes"), readNames(query, "excludedAttributes")];
  if (!wanted && !excluded) return resource;
  const isWanted = (key: string): boolean => {
    const name = key.toLowerCase();
    if (ALWAYS.has(name)) return true;
    if (wanted) return [...wanted].some((one) => one === name || one.startsWith(`${name}.`));

    return excluded?.has(name) !== true;
  };

  return Object.fromEntries(Object.entries(resource).filter(([key]) => isWanted(key)));
};

const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

export const respondList = (resources: readonly object[], total = resources.length, startIndex = 1): Response =>
  respondScim({ schemas: [LIST_SCHEMA], totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources });

export const toLocation = (path: string): string => `${ownOrigin()}/scim/v2/${path}`;

export const submitProvision = async ({ caller }: ScimRequest, body: ProvisionCommand): Promise<void> => {
  const { workspaceId, author } = caller;
  await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });
};

export const respondResource = (
  { request, query }: ScimRequest,
  resource: { readonly meta: { readonly version: string; readonly location: string } },
  status = 200,
): Response => {
  const { version, location } = resource.meta;
  const headers = { ETag: version, ...(status === 201 ? { Location: location } : {}) };
  if (request.method === "GET" && request.headers.get("if-none-match") === version) return new Response(null, { status: 304, headers });

  return respondScim(selectAttributes(query, resource), status, headers);
};
