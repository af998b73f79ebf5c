import { directoryUserSchema, getAddress, type DirectoryUser } from "@/lib/people/directory-user";
import { badRequest } from "./error";
import { parsePath, toName, type Path } from "./filter";
import { isObject, readOperations } from "./operations";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";

export type UserChanges = { -readonly [K in keyof DirectoryUser]?: DirectoryUser[K] };

/** Neither kept nor believed. */
const IGNORED = new Set([
  "schemas",
  "roles",
  "entitlements",
  "password",
  "title",
  "nickname",
  "profileurl",
  "usertype",
  "preferredlanguage",
  "locale",
  "timezone",
  "phonenumbers",
  "addresses",
  "photos",
  "ims",
  "x509certificates",
]);
const READ_ONLY = new Set(["id", "meta", "groups"]);

const TEXTS = new Map<string, Exclude<keyof DirectoryUser, "active" | "userName" | "email">>([
  ["externalid", "externalId"],
  ["displayname", "displayName"],
  ["name.formatted", "formattedName"],
  ["name.givenname", "givenName"],
  ["name.familyname", "familyName"],
]);

const readText = (value: unknown, name: string): string | null => {
  if (value === null || value === "") return null;
  if (typeof value !== "string") throw badRequest("invalidValue", `${name} must be a string.`);

  return value;
};

const readActive = (value: unknown): boolean => {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(?:true|false)$/iu.test(value)) return value.toLowerCase() === "true";
  throw badRequest("invalidValue", "active must be true or false.");
};

const readAddress = (value: unknown): string | null => {
  if (value === null) return null;
  if (typeof value === "string") return readText(value, "emails.value");
  if (!Array.isArray(value) && !isObject(value)) throw badRequest("invalidValue", "emails must be a list.");
  const emails: readonly unknown[] = Array.isArray(value) ? value : [value];
  const objects = emails.filter(isObject);
  if (objects.length < emails.length) throw badRequest("invalidValue", "Each of emails must be an object.");
  const isPrimary = ({ primary }: Record<string, unknown>): boolean => primary === true || primary === "True" || primary === "true";
  const chosen = objects.find(isPrimary) ?? objects.find(({ type }) => type === "work") ?? objects[0];

  return chosen ? readText(chosen["value"], "emails.value") : null;
};

const isWork = ({ where, sub }: Path): boolean =>
  (sub === null || sub === "value") &&
  (where ?? []).every(({ path, value }) => (path === "type" ? value === "work" : path === "primary" && value === true));

const setName = (changes: UserChanges, value: unknown): void => {
  if (value !== null && !isObject(value)) throw badRequest("invalidValue", "name must be an object.");
  for (const [key, part] of Object.entries(value ?? { formatted: null, givenName: null, familyName: null })) {
    const field = TEXTS.get(`name.${key.toLowerCase()}`);
    if (field) changes[field] = readText(part, `name.${key}`);
  }
};

const setAttribute = (changes: UserChanges, path: Path, value: unknown): void => {
  const { name, sub } = path;
  if (name.startsWith("urn:") || IGNORED.has(name)) return;
  if (READ_ONLY.has(name)) throw badRequest("mutability", `${name} can't be changed.`);
  const field = TEXTS.get(sub === null ? name : `${name}.${sub}`);
  if (field && path.where === null) changes[field] = readText(value, field);
  else if (name === "name" && path.where === null) {
    if (sub === null) setName(changes, value);
  } else if (name === "active" && sub === null) changes.active = readActive(value);
  else if (name === "username" && sub === null) changes.userName = readText(value, "userName") ?? "";
  else if (name === "emails") {
    if (isWork(path)) changes.email = readAddress(value);
  } else throw badRequest("invalidPath", "The schema has no such attribute.");
};

const EMPTY: DirectoryUser = {
  userName: "",
  externalId: null,
  email: null,
  displayName: null,
  formattedName: null,
  givenName: null,
  familyName: null,
  active: true,
};

const FAULTS: Partial<Record<string, string>> = {
  userName: "userName is needed, with at most 254 visible characters.",
  email: "The e-mail address is malformed.",
};

const checkUser = (user: DirectoryUser): DirectoryUser => {
  const parsed = directoryUserSchema.safeParse(user);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "");
    throw badRequest("invalidValue", FAULTS[field] ?? `${field} needs at most 254 visible characters.`);
  }
  if (getAddress(parsed.data) === null) throw badRequest("invalidValue", "The person needs an e-mail address, as emails or as userName.");

  return parsed.data;
};

const readObject = (value: unknown): Record<string, unknown> => {
  if (!isObject(value)) throw badRequest("invalidSyntax", "The body must be an object.");

  return value;
};

export const readUser = (body: unknown): DirectoryUser => {
  const changes: UserChanges = {};
  for (const [key, value] of Object.entries(readObject(body))) {
    const name = toName(key);
    if (READ_ONLY.has(name)) continue;
    setAttribute(changes, { name, where: null, sub: null }, value);
  }

  return checkUser({ ...EMPTY, ...changes });
};

export const patchUser = (user: DirectoryUser, body: unknown): DirectoryUser => {
  const changes: UserChanges = {};
  for (const { op, path, value } of readOperations(body)) {
    if (path !== null) setAttribute(changes, parsePath(path), op === "remove" ? null : value);
    else if (op === "remove") throw badRequest("noTarget", "A removal needs a path.");
    else for (const [key, part] of Object.entries(readObject(value))) setAttribute(changes, parsePath(key), part);
  }

  return checkUser({ ...user, ...changes });
};
