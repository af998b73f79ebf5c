/** Operator program form. */
import { checkValues, type OfferedProgram, type Placeholder, type ProgramValues, type StdioManifest } from "@/lib/mcp/program";
import { getMcpSecretName, secretValueSchema } from "@/lib/secrets/reference";
import type { SecretToPut } from "./header-rows";

/** By placeholder; empty secrets are stored already or later. */
export type Filled = Readonly<Record<string, string>>;

const valuesOf = (server: string, { placeholders }: OfferedProgram, filled: Filled): ProgramValues =>
  Object.fromEntries(
    Object.entries(placeholders).flatMap(([name, { type }]): [string, ProgramValues[string]][] => {
      if (type === "secret") return [[name, { secret: getMcpSecretName(server, name) }]];
      const text = filled[name] ?? "";

      return text === "" ? [] : [[name, text]];
    }),
  );

const typedSecrets = (server: string, { placeholders }: OfferedProgram, filled: Filled): readonly SecretToPut[] =>
  Object.entries(placeholders).flatMap(([name, { type }]) =>
    type === "secret" && (filled[name] ?? "") !== "" ? [{ name: getMcpSecretName(server, name), value: filled[name] ?? "" }] : [],
  );

export type ProgramDraft = {
  /** Null: `problem` says why. */
  readonly manifest: StdioManifest | null;
  readonly secrets: readonly SecretToPut[];
  /** One sentence. */
  readonly problem: string | null;
};

export const toDraft = (server: string, program: OfferedProgram | null, filled: Filled): ProgramDraft => {
  if (!program) return { manifest: null, secrets: [], problem: "Choose a program." };
  const values = valuesOf(server, program, filled);
  const secrets = typedSecrets(server, program, filled);
  const checked = checkValues(program, values);
  const issue = secrets
    .map(({ value }) => secretValueSchema.safeParse(value).error?.issues[0]?.message)
    .find((found) => found !== undefined);

  const problem = checked.ok ? (issue ?? null) : checked.error;

  return { manifest: problem === null ? { program: program.id, digest: program.digest, values } : null, secrets, problem };
};

export const toFilled = ({ values }: StdioManifest): Filled =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));

export const describePlaceholder = (placeholder: Placeholder): string => {
  switch (placeholder.type) {
    case "folder":
      return `A folder in ${placeholder.below}, or . for that folder itself.`;
    case "host":
      return "A public host name, such as api.example.org.";
    case "secret":
      return "Kept in the secret store. Leave empty if it's already stored.";
    case "text":
      return `Must match ${placeholder.pattern}.`;
    case "choice":
      return "One of the listed values.";
    default:
      return placeholder satisfies never;
  }
};
