/** Control positions: an effect's destination, subject or amount. */
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import type { Json } from "@/lib/json";
import { listLeaves, type Place } from "@/lib/leaves";

export type ControlKind = "recipient" | "amount" | "path" | "url" | "host" | "account" | "authority" | "query" | "command";

export const CONTROL_TEXT = {
  recipient: "chooses the recipient",
  amount: "sets an amount",
  path: "chooses a path",
  url: "chooses a URL",
  host: "chooses a host",
  account: "selects the account",
  authority: "changes permissions",
  query: "is part of a query",
  command: "is part of a command",
} as const satisfies Record<ControlKind, string>;

const WORDS = {
  recipient:
    "to cc bcc recipient receiver email mail mailbox address phone channel chat audience invitee attendee participant subscriber reply addressee",
  amount:
    "amount cent price total credit debit sum quantity qty balance fee discount refund percent rate currency usd eur money cost payment tip",
  path: "path file filename filepath folder dir directory bucket glob mount",
  url: "url uri href link endpoint webhook callback redirect src",
  host: "host hostname domain ip port proxy subdomain nameserver",
  account:
    "account iban bic swift customer user username owner tenant org organisation organization member target wallet card beneficiary payee repo repository project assignee",
  authority: "role admin plan permission scope grant privilege acl visibility public entitlement tier sudo",
  query: "query sql filter where statement selector jql cypher condition regex",
  command: "command cmd exec shell script argv env program executable interpreter",
} as const satisfies Record<ControlKind, string>;

const KIND_OF: ReadonlyMap<string, ControlKind> = new Map(
  (Object.keys(WORDS) as ControlKind[]).flatMap((kind) => WORDS[kind].split(" ").map((word) => [word, kind] as const)),
);

const GLUED_ENDS = ["url", "uri", "path", "email", "host", "amount", "address", "account", "iban", "folder"] as const;
const GLUED_REST = /(?:ids?|no|nr|number|name|key|ref|code)$/u;

const PROSE = new Set(
  "note comment description summary text body message subject title reason content label remark explanation".split(" "),
);

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

const wordsOf = (name: string): readonly string[] =>
  name
    .normalize("NFKC")
    .replaceAll(UNSEEN, "")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, "_")
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word !== "");

const singular = (word: string): readonly string[] => [word, word.replace(/s$/u, ""), word.replace(/es$/u, "")];

const kindOfWord = (word: string): ControlKind | undefined => {
  const own = singular(word).flatMap((form) => KIND_OF.get(form) ?? [])[0];
  if (own) return own;
  const end = GLUED_ENDS.find((glued) => word.endsWith(glued));

  return KIND_OF.get(end ?? word.replace(GLUED_REST, ""));
};

const kindOfName = (name: string): ControlKind | null => {
  const found = wordsOf(name).flatMap((word) => kindOfWord(word) ?? []);

  return found[0] ?? null;
};

const isProse = (name: string): boolean => wordsOf(name).some((word) => singular(word).some((form) => PROSE.has(form)));

const FORMS: readonly (readonly [RegExp, ControlKind])[] = [
  [/^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/[^/\s]|javascript:|data:|file:)/iu, "url"],
  [/^(?:mailto:)?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/u, "recipient"],
  [/^(?:\.{1,2}|~)?\/[^\s]*$|^[a-z]:\\/iu, "path"],
  [/^[a-z]{2}\d{2}[a-z0-9]{11,30}$/iu, "account"],
  [/^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/u, "host"],
];

/** Above the length of any address. */
const MOST_OF_FORM = 2_048;

const kindOfForm = (value: Json | undefined): ControlKind | null => {
  if (typeof value !== "string" || value.length > MOST_OF_FORM) return null;
  const text = value.normalize("NFKC").replaceAll(UNSEEN, "").trim();
  const packed = text.replaceAll(" ", "");

  return FORMS.find(([form, kind]) => form.test(kind === "account" ? packed : text))?.[1] ?? null;
};

/**
 * Returns what this place controls, or null.
 * @param names outermost first
 */
export const classifyControl = (names: Place, value: Json | undefined): ControlKind | null => {
  const named = names.filter((name) => typeof name === "string");
  const own = named.at(-1);
  const kind = own === undefined ? null : kindOfName(own);
  if (kind !== null) return kind;
  const around = own !== undefined && isProse(own) ? undefined : named.findLast((name) => kindOfName(name) !== null);

  return around === undefined ? kindOfForm(value) : kindOfName(around);
};

type Looked = Pick<ViewLine, "path" | "op" | "integrity"> & Partial<Pick<ViewLine, "after">>;

/** Returns an argument's name, dots included, or a memory path's end. */
export const getLineName = ({ op, path }: Pick<ViewLine, "op" | "path">): string => {
  const names = path.split(".");

  return op === "call" && names.length > 2 ? names.slice(2).join(".") : (names.at(-1) ?? path);
};

/** Untrusted, and takes effect. */
const maySteer = ({ op, integrity }: Pick<Looked, "op" | "integrity">): boolean =>
  (op === "call" || op === "set") && integrity === "untrusted";

export const classifySteering = (line: Looked, place: Place, value: Json | undefined): ControlKind | null =>
  maySteer(line) ? classifyControl([getLineName(line), ...place], value) : null;

/** Lists what untrusted values control, hidden ones by path. */
export const listControlKinds = (line: Looked): readonly ControlKind[] => {
  const after = line.after ?? null;
  const leaves = after === null || after.hidden ? [{ place: [], value: undefined }] : listLeaves(after.value);

  return [...new Set(leaves.flatMap(({ place, value }) => classifySteering(line, place, value) ?? []))];
};

export const isUntrustedControl = (line: Looked): boolean => listControlKinds(line).length > 0;
