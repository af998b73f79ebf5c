import { err, ok, type Result } from "@/lib/result";
import { getMcpSecretName } from "@/lib/secrets/reference";
import type { ImportedLaunch } from "./import-command";
import { isSameImage } from "./import-image";
import type { SecretToFill } from "./import-values";
import { checkValues, findWholePlaceholder, type Program, type ProgramValues } from "./program";

/** Text, or a secret with the file's placeholder. */
export type ImportedVariables = Readonly<Record<string, { readonly value: string } | { readonly secret: string }>>;

export type MatchedProgram<P extends Program> = {
  readonly program: P;
  readonly values: ProgramValues;
  readonly fill: readonly SecretToFill[];
  readonly left: readonly string[];
};

const isSame = ({ runs }: Program, launch: ImportedLaunch): boolean => {
  if (launch.kind === "file") return runs.kind === "file" && runs.path === launch.path;
  if (launch.kind === "image") return runs.kind === "image" && isSameImage(runs.image, launch.image);
  if (runs.kind !== launch.kind || runs.package !== launch.name) return false;

  // Otherwise the operator's version will do.
  return launch.version === null || runs.version === launch.version;
};

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

const installed = (launch: ImportedLaunch): string => {
  if (launch.kind === "file") return `--program ${quoted(launch.path)}`;
  if (launch.kind === "image") return `--image ${quoted(launch.image)}`;
  if (launch.kind === "python") return `--python ${launch.version === null ? launch.name : `${launch.name}==${launch.version}`}`;

  return launch.version === null ? launch.name : `${launch.name}@${launch.version}`;
};

const secretPlace = (variable: string): string => variable.toLowerCase().slice(0, 32);

const variableOptions = ([name, given]: [string, ImportedVariables[string]]): readonly string[] =>
  "secret" in given
    ? [`--secret ${secretPlace(name)}`, quoted(`--env=${name}={${secretPlace(name)}}`)]
    : [quoted(`--env=${name}=${given.value}`)];

/** Contains no secrets. */
const operatorCommand = (launch: ImportedLaunch, variables: ImportedVariables): string =>
  [
    `npx countersign servers install ${installed(launch)}`,
    ...launch.args.map((text) => quoted(`--arg=${text}`)),
    ...Object.entries(variables).flatMap(variableOptions),
  ].join(" ");

/** Null: mismatch. */
const valueIn = (program: Program, template: string, text: string): ProgramValues | null => {
  if (template === text) return {};
  const name = findWholePlaceholder(template);
  const placeholder = name === null ? undefined : program.placeholders[name];
  if (name === null || !placeholder || placeholder.type === "secret") return null;
  if (placeholder.type !== "folder") return { [name]: text };
  if (text === placeholder.below) return { [name]: "." };

  return text.startsWith(`${placeholder.below}/`) ? { [name]: text.slice(placeholder.below.length + 1) } : null;
};

const valuesFor = (program: Program, { args }: ImportedLaunch, variables: ImportedVariables): ProgramValues | null => {
  if (args.length !== program.args.length) return null;
  const given = Object.entries(program.env).flatMap(([name, template]) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;

    return variable && "value" in variable ? [[template, variable.value] as const] : [];
  });
  const found = [...program.args.map((template, index) => [template, args[index] ?? ""] as const), ...given].map(([template, text]) =>
    valueIn(program, template, text),
  );

  return found.reduce((all, values) => all && values && { ...all, ...values }, {});
};

const secretsFor = (program: Program, server: string, fill: readonly SecretToFill[]): readonly SecretToFill[] =>
  Object.entries(program.env).flatMap(([variable, template]) => {
    const name = findWholePlaceholder(template);
    if (name === null || program.placeholders[name]?.type !== "secret") return [];
    const said = fill.find((each) => each.name === getMcpSecretName(server, variable));

    return [{ name: getMcpSecretName(server, name), label: said?.label ?? variable, value: said?.value ?? null }];
  });

type Asked = {
  readonly server: string;
  readonly launch: ImportedLaunch;
  readonly variables: ImportedVariables;
  readonly fill: readonly SecretToFill[];
};

export const matchProgram = <P extends Program>(asked: Asked, programs: readonly P[]): Result<MatchedProgram<P>, string> => {
  const { server, launch, variables } = asked;
  const same = programs.filter((program) => isSame(program, launch));
  for (const program of same) {
    const values = valuesFor(program, launch, variables);
    if (!values) continue;
    const fill = secretsFor(program, server, asked.fill);
    const all = {
      ...values,
      ...Object.fromEntries(fill.map(({ name }) => [name.slice(getMcpSecretName(server, "").length), { secret: name }])),
    };
    const left = Object.keys(variables).filter((name) => !Object.hasOwn(program.env, name));
    if (checkValues(program, all).ok) return ok({ program, values: all, fill, left });
  }
  const why = same.length > 0 ? "The operator offers this program with different arguments" : "The operator doesn't offer this program";

  return err(`${why}. To add it, the operator runs: ${operatorCommand(launch, variables)}`);
};
