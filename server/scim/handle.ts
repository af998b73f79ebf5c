/** SCIM 2.0 (RFC 7643, RFC 7644): bearer tokens only, no cookies, no CORS. */
import { buildServiceProviderConfig, listResourceTypes, listSchemas, SCIM_PATH } from "@/lib/scim/documents";
import { ScimError } from "@/lib/scim/error";
import { getClientNetwork } from "@/server/auth/client-address";
import { systemClock } from "@/server/clock";
import { readBearer } from "@/server/outside/token-form";
import { ownOrigin } from "@/server/own-origin";
import { createRateLimiter } from "@/server/security/rate-limit";
import { readAuthority } from "@/server/web/authority";
import { respondScim, respondScimError } from "./answer";
import { createGroup, deleteGroup, getGroup, listGroups, replaceGroup, updateGroup } from "./groups";
import { notFound, respondList, type ScimRequest } from "./request";
import { isCallerInForce, readScimToken } from "./token";
import { createUser, deleteUser, getUser, listUsers, replaceUser, updateUser } from "./users";

const MINUTE_MS = 60_000;
/** Entra asks for 25 a second. */
const perToken = createRateLimiter({ limit: 1_500, windowMs: MINUTE_MS }, systemClock);
const perAddress = createRateLimiter({ limit: 60, windowMs: MINUTE_MS }, systemClock);

const tooMany = (): ScimError => new ScimError(429, null, "Too many requests.");

const identify = async (request: Request): Promise<ScimRequest> => {
  const caller = readScimToken(readBearer(request.headers.get("authorization")) ?? "");
  // Limited before any lookup.
  if (caller && !perToken.take(caller.author.key)) throw tooMany();
  const authority = caller && (await readAuthority(caller.workspaceId));
  if (caller && authority && isCallerInForce(caller, authority)) {
    return { caller, authority, request, query: new URL(request.url).searchParams };
  }
  if (!perAddress.take(getClientNetwork(request.headers.get("x-forwarded-for")))) throw tooMany();
  throw new ScimError(401, null, "A valid SCIM token is needed. An admin makes one under People.");
};

type Handler = (asked: ScimRequest, id: string) => Promise<Response>;
type Handlers = Readonly<Record<string, Handler>>;

const findDocument = (documents: readonly { readonly [key: string]: unknown }[]) => (_asked: ScimRequest, id: string) => {
  const document = documents.find(({ id: known }) => known === id);
  if (!document) throw notFound();

  return Promise.resolve(respondScim(document));
};

const list: Record<string, () => Handlers> = {
  Users: () => ({ GET: listUsers, POST: createUser }),
  Groups: () => ({ GET: listGroups, POST: createGroup }),
  ServiceProviderConfig: () => ({ GET: () => Promise.resolve(respondScim(buildServiceProviderConfig(ownOrigin()))) }),
  Schemas: () => ({ GET: () => Promise.resolve(respondList(listSchemas(ownOrigin()))) }),
  ResourceTypes: () => ({ GET: () => Promise.resolve(respondList(listResourceTypes(ownOrigin()))) }),
};

const one: Record<string, () => Handlers> = {
  Users: () => ({ GET: getUser, PUT: replaceUser, PATCH: updateUser, DELETE: deleteUser }),
  Groups: () => ({ GET: getGroup, PUT: replaceGroup, PATCH: updateGroup, DELETE: deleteGroup }),
  Schemas: () => ({ GET: findDocument(listSchemas(ownOrigin())) }),
  ResourceTypes: () => ({ GET: findDocument(listResourceTypes(ownOrigin())) }),
};

const findHandlers = ([kind = "", id, ...rest]: readonly string[]): Handlers | null => {
  const table = id === undefined ? list : one;

  return rest.length === 0 && Object.hasOwn(table, kind) ? (table[kind]?.() ?? null) : null;
};

const answer = async (request: Request): Promise<Response> => {
  const asked = await identify(request);
  const path = new URL(request.url).pathname
    .slice(SCIM_PATH.length + 1)
    .replace(/\/$/u, "")
    .split("/")
    .map(decodeURIComponent);
  const handlers = findHandlers(path);
  if (!handlers) {
    throw path[0] === "Bulk" || path[0] === "Me" ? new ScimError(501, null, `${path[0]} is not supported.`) : notFound();
  }
  const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
  if (!handler) throw new ScimError(405, null, `${request.method} is not possible here.`);
  if (asked.query.get("filter") !== null && (path.length > 1 || !(path[0] === "Users" || path[0] === "Groups"))) {
    throw new ScimError(403, null, "Filters apply to users and groups.");
  }

  return handler(asked, path[1] ?? "");
};

export const handleScim = async (request: Request): Promise<Response> => {
  try {
    return await answer(request);
  } catch (error) {
    return respondScimError(error instanceof URIError ? notFound() : error);
  }
};
