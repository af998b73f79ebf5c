import { changeMembers } from "@/lib/people/decide-provision";
import type { DirectoryGroup } from "@/lib/people/provision-fold";
import { MOST_GROUP_SIZE } from "@/lib/people/provision-command";
import { badRequest } from "@/lib/scim/error";
import { parseFilter, type Equality } from "@/lib/scim/filter";
import { GROUP_SCHEMA, readGroup, readGroupPatch, type GroupChanges } from "@/lib/scim/group";
import { systemClock } from "@/server/clock";
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

const toResource = (id: string, { name, externalId, people, madeAt, changedAt, seq }: DirectoryGroup) => ({
  schemas: [GROUP_SCHEMA],
  id,
  displayName: name,
  ...(externalId === null ? {} : { externalId }),
  members: [...people].map((value) => ({ value, type: "User", $ref: toLocation(`Users/${value}`) })),
  meta: {
    resourceType: "Group",
    created: new Date(madeAt).toISOString(),
    lastModified: new Date(changedAt).toISOString(),
    location: toLocation(`Groups/${id}`),
    version: formatVersion(seq),
  },
});

const FILTERS = new Map<string, (group: DirectoryGroup, id: string, value: string) => boolean>([
  ["id", (_group, id, value) => id === value.toLowerCase()],
  ["displayname", ({ name }, _id, value) => name.toLowerCase() === value.toLowerCase()],
  ["externalid", ({ externalId }, _id, value) => externalId === value],
  ["members", ({ people }, _id, value) => people.has(value.toLowerCase())],
  ["members.value", ({ people }, _id, value) => people.has(value.toLowerCase())],
]);

const toTest = (terms: readonly Equality[]) => {
  const tests = terms.map(({ path, value }) => {
    const test = FILTERS.get(path);
    if (!test) throw badRequest("invalidFilter", "Filter groups by id, displayName, externalId or members.");

    return (id: string, group: DirectoryGroup): boolean => typeof value === "string" && test(group, id, value);
  });

  return (id: string, group: DirectoryGroup): boolean => tests.every((test) => test(id, group));
};

/** A page ends early rather than grow further. */
const limitMembers = (groups: readonly (readonly [string, DirectoryGroup])[]) => {
  let members = 0;

  return groups.filter(([, { people }], nth) => (members += people.size) <= MOST_GROUP_SIZE || nth === 0);
};

export const listGroups = ({ authority, query }: ScimRequest): Promise<Response> => {
  const { startIndex, count } = readPage(query);
  const text = query.get("filter");
  const isMatch = text === null ? () => true : toTest(parseFilter(text));
  const found = [...authority.approvers.directory.provision.groups].filter(([id, group]) => isMatch(id, group));
  const page = found.slice(startIndex - 1, startIndex - 1 + count);
  const isWithout = query.get("excludedAttributes")?.toLowerCase().split(",").includes("members") === true;
  const resources = (isWithout ? page : limitMembers(page)).map(([id, group]) => selectAttributes(query, toResource(id, group)));

  return Promise.resolve(respondList(resources, found.length, startIndex));
};

const findGroup = async ({ caller }: ScimRequest, id: string): Promise<DirectoryGroup> => {
  const group = (await readAuthority(caller.workspaceId)).approvers.directory.provision.groups.get(id);
  if (!group) throw notFound();

  return group;
};

const respondGroup = async (asked: ScimRequest, id: string, status = 200): Promise<Response> =>
  respondResource(asked, toResource(id, await findGroup(asked, id)), status);

export const getGroup = (asked: ScimRequest, id: string): Promise<Response> => respondGroup(asked, readId(id));

export const createGroup = async (asked: ScimRequest): Promise<Response> => {
  const group = systemClock.id();
  await submitProvision(asked, { kind: "provision_group_create", group, ...readGroup(await readJson(asked.request)) });

  return respondGroup(asked, group, 201);
};

const isSame = (group: DirectoryGroup, { name = group.name, externalId = group.externalId, members }: GroupChanges): boolean => {
  const after = changeMembers(group.people, members);

  return (
    name === group.name &&
    externalId === group.externalId &&
    after.size === group.people.size &&
    [...after].every((user) => group.people.has(user))
  );
};

const changeGroup = async (asked: ScimRequest, id: string, changes: GroupChanges): Promise<void> => {
  const match = readMatch(asked.request);
  if (isSame(await findGroup(asked, id), changes) && match.match === undefined) return;
  await submitProvision(asked, { kind: "provision_group_change", group: id, ...match, ...changes });
};

export const replaceGroup = async (asked: ScimRequest, text: string): Promise<Response> => {
  const id = readId(text);
  const { people, ...named } = readGroup(await readJson(asked.request));
  await changeGroup(asked, id, { ...named, members: [{ op: "replace", people }] });

  return respondGroup(asked, id);
};

export const updateGroup = async (asked: ScimRequest, text: string): Promise<Response> => {
  const id = readId(text);
  await changeGroup(asked, id, readGroupPatch(id, await readJson(asked.request)));

  return new Response(null, { status: 204 });
};

export const deleteGroup = async (asked: ScimRequest, id: string): Promise<Response> => {
  await submitProvision(asked, { kind: "provision_group_delete", group: readId(id), ...readMatch(asked.request) });

  return new Response(null, { status: 204 });
};
