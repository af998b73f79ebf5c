import { findSecrets } from "@/lib/secrets/find";
import { SECRET_NAME } from "@/lib/secrets/rules";
import { getMcpSecretName } from "@/lib/secrets/reference";
import { isSecretHeader } from "./access";
import { isSecretVariable } from "./launch";

export type SecretToFill = {
  readonly name: string;
  readonly label: string;
  /** For the secret store only. */
  readonly value: string | null;
};

export type ImportedValue =
  | { readonly secret: string; readonly prefix?: string }
  | { readonly value: string }
  /** Not importable. */
  | null;

/** Descriptions, from VS Code's `inputs`. */
export type Placeholders = ReadonlyMap<string, string>;

const PLACEHOLDER = /\$\{([^}]{1,200})\}|\{\{([^}]{1,200})\}\}/;
const SCHEME = /^([A-Za-z][A-Za-z0-9-]{0,19} )(\S.*)$/s;
const EDITOR = /^(?:workspaceFolder|userHome|pathSeparator|cwd|file|__dirname|\/)/;

export const hasPlaceholder = (text: string): boolean => PLACEHOLDER.test(text);

/** `${env:TOKEN}`, `${input:token}` and `${TOKEN:-default}` all mean a token. */
const named = (placeholder: string): string => placeholder.replace(/^(?:env|input|config|command):/, "").replace(/:?-.*$/s, "");

const fieldOf = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "-").slice(0, 100);

export type ReadValue = { readonly value: ImportedValue; readonly fill: SecretToFill | null; readonly note: string | null };

/** Reads a value. @param isHeader allows a scheme such as `Bearer ` */
export const readValue = (server: string, name: string, text: string, isHeader: boolean, known: Placeholders): ReadValue => {
  const secret = getMcpSecretName(server, fieldOf(name));
  const scheme = isHeader ? SCHEME.exec(text) : null;
  const prefix = scheme?.[1];
  const rest = scheme?.[2] ?? text;
  const found = PLACEHOLDER.exec(text);
  if (found) {
    const inside = found[1] ?? found[2] ?? "";
    if (EDITOR.test(inside)) return { value: null, fill: null, note: `${name} was left out: ${found[0]} is a path on someone's machine.` };
    const isWhole = PLACEHOLDER.exec(rest)?.[0] === rest;
    const label = known.get(named(inside)) ?? named(inside);

    return {
      value: { secret, ...(isWhole && prefix !== undefined ? { prefix } : {}) },
      // Surrounding text becomes part of the secret.
      fill: { name: secret, label: isWhole ? label : `${name}: full value of ${text.slice(0, 200)}`, value: null },
      note: null,
    };
  }
  const isNamedSo = SECRET_NAME.test(name) || (isHeader ? isSecretHeader(name) : isSecretVariable(name));
  if (isNamedSo || findSecrets(text).length > 0) {
    return { value: { secret, ...(prefix === undefined ? {} : { prefix }) }, fill: { name: secret, label: name, value: rest }, note: null };
  }

  return { value: { value: text }, fill: null, note: null };
};
