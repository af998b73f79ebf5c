import { uuidSchema } from "@/lib/ids";
import { MOST_GROUP_SIZE, type MemberChange } from "@/lib/people/provision-command";
import { isVisibleName } from "@/lib/visible-name";
import { badRequest, ScimError } from "./error";
import { parsePath, toName } from "./filter";
import { isObject, readOperations } from "./operations";

export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";

export type GroupChanges = { name?: string; externalId?: string | null; members: MemberChange[] };

const MOST_TEXT = 256;

const readText = (value: unknown, name: string): string => {
  const text = typeof value === "string" ? value.trim() : "";
  if (text === "" || text.length > MOST_TEXT || !isVisibleName(text)) {
    throw badRequest("invalidValue", `${name} needs 1 to ${MOST_TEXT} visible characters.`);
  }

  return text;
};

const readMember = (member: unknown): string => {
  const value = isObject(member) ? member["value"] : member;
  const type = isObject(member) ? member["type"] : undefined;
  if (type !== undefined && type !== null && type !== "User" && type !== "user") {
    throw badRequest("invalidValue", "A group can't be a member of a group.");
  }
  const id = uuidSchema.safeParse(typeof value === "string" ? value.toLowerCase() : value).data;
  if (id === undefined) throw badRequest("invalidValue", "A member's value must be the id of a user.");

  return id;
};

const readMembers = (value: unknown): string[] => {
  const members: readonly unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
  if (members.length > MOST_GROUP_SIZE) throw new ScimError(413, "tooMany", `A group has at most ${MOST_GROUP_SIZE} members.`);

  return [...new Set(members.map(readMember))];
};

const IGNORED = new Set(["schemas", "meta"]);

const setAttribute = (changes: GroupChanges, id: string | null, name: string, value: unknown): void => {
  if (IGNORED.has(name) || name.startsWith("urn:")) return;
  if (name === "id") {
    if (id !== null && value !== id) throw badRequest("mutability", "id can't be changed.");
  } else if (name === "displayname") changes.name = readText(value, "displayName");
  else if (name === "externalid") changes.externalId = value === null ? null : readText(value, "externalId");
  else if (name === "members") changes.members.push({ op: "replace", people: readMembers(value) });
  else throw badRequest("invalidPath", "The schema has no such attribute.");
};

const setMembers = (changes: GroupChanges, op: MemberChange["op"], where: ReturnType<typeof parsePath>["where"], value: unknown): void => {
  if (where === null) {
    const people = readMembers(value);
    // Without a value, all members go.
    changes.members.push(op === "remove" && value === null ? { op: "replace", people: [] } : { op, people });

    return;
  }
  const [term, ...others] = where;
  if (op !== "remove" || !term || term.path !== "value" || others.length > 0) {
    throw badRequest("invalidPath", 'Only members[value eq "…"] can be removed by a filter.');
  }
  changes.members.push({ op, people: [readMember(term.value)] });
};

export const readGroup = (body: unknown): { readonly name: string; readonly externalId: string | null; readonly people: string[] } => {
  if (!isObject(body)) throw badRequest("invalidSyntax", "The body must be an object.");
  const changes: GroupChanges = { members: [] };
  for (const [key, value] of Object.entries(body)) setAttribute(changes, null, toName(key), value);
  if (changes.name === undefined) throw badRequest("invalidValue", "displayName is needed.");

  return { name: changes.name, externalId: changes.externalId ?? null, people: [...(changes.members[0]?.people ?? [])] };
};

export const readGroupPatch = (id: string, body: unknown): GroupChanges => {
  const changes: GroupChanges = { members: [] };
  for (const { op, path, value } of readOperations(body)) {
    if (path === null) {
      if (op === "remove" || !isObject(value)) throw badRequest("noTarget", "The operation needs a path.");
      for (const [key, part] of Object.entries(value)) {
        const name = toName(key);
        if (name === "members" && op === "add") setMembers(changes, op, null, part);
        else setAttribute(changes, id, name, part);
      }
    } else {
      const { name, where, sub } = parsePath(path);
      if (sub !== null) throw badRequest("invalidPath", "The path has more than one part.");
      if (name === "members") setMembers(changes, op, where, value);
      else if (op === "remove" && name !== "externalid") throw badRequest("mutability", `${name} can't be removed.`);
      else setAttribute(changes, id, name, op === "remove" ? null : value);
    }
  }

  return changes;
};
