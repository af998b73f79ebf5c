import { getSettingsKey, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { DirectoryUser } from "@/lib/people/directory-user";
import { badRequest } from "@/lib/scim/error";
import { parseFilter, type Equality } from "@/lib/scim/filter";
import { patchUser, readUser, USER_SCHEMA } from "@/lib/scim/user";
import { systemClock } from "@/server/clock";
import { listDirectoryUsers, type DirectoryUserRow, type UserFilter } from "@/server/store/people/directory-users";
import { readAuthority } from "@/server/web/authority";
import {
  formatVersion,
  notFound,
  readId,
  readJson,
  readMatch,
  readPage,
  respondList,
  respondResource,
  selectAttributes,
  submitProvision,
  toLocation,
  type ScimRequest,
} from "./request";

const without = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<T>;

const toResource = ({ id, user, createdAt, changedAt }: DirectoryUserRow, { settings, approvers }: WorkspaceAuthority) => {
  const { userName, externalId, email, displayName, formattedName: formatted, givenName, familyName, active } = user;
  const groups = [...approvers.directory.provision.groups].filter(([, { people }]) => people.has(id));
  const name = without({ formatted, givenName, familyName });

  return {
    schemas: [USER_SCHEMA],
    id,
    userName,
    ...without({ externalId, displayName }),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(email === null ? {} : { emails: [{ value: email, type: "work", primary: true }] }),
    active,
    groups: groups.map(([value, { name: display }]) => ({ value, display, $ref: toLocation(`Groups/${value}`) })),
    meta: {
      resourceType: "User",
      created: createdAt.toISOString(),
      lastModified: changedAt.toISOString(),
      location: toLocation(`Users/${id}`),
      version: formatVersion(settings.get(getSettingsKey("directory", id))?.seq ?? 0),
    },
  };
};

const FIELDS = new Map<string, Exclude<keyof UserFilter, "active">>([
  ["id", "id"],
  ["username", "userName"],
  ["externalid", "externalId"],
  ["displayname", "displayName"],
  ["emails", "email"],
  ["emails.value", "email"],
]);

const toUserFilter = (terms: readonly Equality[]): UserFilter | null => {
  let filter: UserFilter = {};
  for (const { path, value } of terms) {
    const field = FIELDS.get(path);
    const isType = path === "emails.type" || path === "emails.primary";
    if (isType && value !== "work" && value !== true) return null;
    if (isType) continue;
    if (path === "active") {
      if (typeof value !== "boolean") throw badRequest("invalidFilter", "active is true or false.");
      if (filter.active === !value) return null;
      filter = { ...filter, active: value };
    } else {
      if (!field) throw badRequest("invalidFilter", "Filter users by id, userName, externalId, displayName, emails or active.");
      if (typeof value !== "string") return null;
      if (filter[field] !== undefined && filter[field] !== value) return null;
      filter = { ...filter, [field]: value };
    }
  }

  return filter.id === undefined || UUID.test(filter.id) ? filter : null;
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

export const listUsers = async (asked: ScimRequest): Promise<Response> => {
  const { caller, authority, query } = asked;
  const { startIndex, count } = readPage(query);
  const text = query.get("filter");
  const filter = text === null ? {} : toUserFilter(parseFilter(text));
  if (filter === null) return respondList([], 0, startIndex);
  const { total, rows } = await listDirectoryUsers(caller.workspaceId, filter, { skip: startIndex - 1, take: count });

  return respondList(
    rows.map((row) => selectAttributes(query, toResource(row, authority))),
    total,
    startIndex,
  );
};

const findUser = async (workspaceId: string, filter: UserFilter): Promise<DirectoryUserRow> => {
  const { rows } = await listDirectoryUsers(workspaceId, filter, { skip: 0, take: 1 });
  const [row] = rows;
  if (!row) throw notFound();

  return row;
};

const respondUser = async (asked: ScimRequest, filter: UserFilter, status = 200): Promise<Response> => {
  const { workspaceId } = asked.caller;
  const row = await findUser(workspaceId, filter);

  return respondResource(asked, toResource(row, await readAuthority(workspaceId)), status);
};

export const getUser = (asked: ScimRequest, id: string): Promise<Response> => respondUser(asked, { id: readId(id) });

export const createUser = async (asked: ScimRequest): Promise<Response> => {
  const attributes = readUser(await readJson(asked.request));
  await submitProvision(asked, { kind: "provision_user_create", user: systemClock.id(), attributes });

  return respondUser(asked, { userName: attributes.userName }, 201);
};

const listDifferences = (before: DirectoryUser, after: DirectoryUser): Partial<DirectoryUser> =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key as keyof DirectoryUser] !== value));

const changeUser = async (asked: ScimRequest, id: string, change: (before: DirectoryUser, body: unknown) => DirectoryUser) => {
  const user = readId(id);
  const match = readMatch(asked.request);
  const { user: before } = await findUser(asked.caller.workspaceId, { id: user });
  const changes = listDifferences(before, change(before, await readJson(asked.request)));
  if (Object.keys(changes).length > 0 || match.match !== undefined) {
    await submitProvision(asked, { kind: "provision_user_change", user, ...match, changes });
  }

  return respondUser(asked, { id: user });
};

export const replaceUser = (asked: ScimRequest, id: string): Promise<Response> => changeUser(asked, id, (_before, body) => readUser(body));

export const updateUser = (asked: ScimRequest, id: string): Promise<Response> => changeUser(asked, id, patchUser);

export const deleteUser = async (asked: ScimRequest, id: string): Promise<Response> => {
  await submitProvision(asked, { kind: "provision_user_delete", user: readId(id), ...readMatch(asked.request) });

  return new Response(null, { status: 204 });
};
