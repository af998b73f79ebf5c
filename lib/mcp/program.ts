/** Operator's stdio programs; admins name only entry, digest and values. */
import { RE2JS } from "@bufbuild/re2";
import { z } from "zod";
import { digestOf, hexDigestSchema, type HexDigest } from "@/lib/hash";
import { idSchema } from "@/lib/ids";
import { err, ok, type Result } from "@/lib/result";
import { secretReferenceSchema } from "@/lib/secrets/reference";
import { visibleNameSchema } from "@/lib/visible-name";
import { imageRunsSchema, listImageFaults } from "./image";
import { isDeniedVariable, isSecretVariable } from "./launch";

const CONTROL = /\p{Cc}/u;
const MOST_CHARS = 1_000;

const lineSchema = z
  .string()
  .min(1, "Enter a value.")
  .max(MOST_CHARS)
  .refine((text) => !CONTROL.test(text) && text.isWellFormed(), "Control characters are not allowed.");

const isPlainPath = (text: string): boolean =>
  text.split("/").every((part, index) => (index === 0) === (part === "") && part !== "." && part !== "..");

const absolutePathSchema = lineSchema.refine(isPlainPath, "Enter an absolute path without . and .. in it.");

const isPattern = (pattern: string): boolean => {
  try {
    return new RE2JS(pattern).test("") !== undefined;
  } catch {
    return false;
  }
};

export const placeholderSchema = z.discriminatedUnion("type", [
  /** Relative to `below`. */
  z.strictObject({ type: z.literal("folder"), below: absolutePathSchema }),
  /** Public; internal hosts are choices. */
  z.strictObject({ type: z.literal("host") }),
  z.strictObject({ type: z.literal("secret") }),
  /** Full RE2 match. */
  z.strictObject({ type: z.literal("text"), pattern: lineSchema.max(200).refine(isPattern, "Enter an RE2 pattern.") }),
  z.strictObject({ type: z.literal("choice"), options: z.array(lineSchema).min(1).max(50) }),
]);
export type Placeholder = z.infer<typeof placeholderSchema>;

const placeholderNameSchema = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "Use lower-case letters, digits and _.");

const PLACE = /\{([a-z][a-z0-9_]{0,31})\}/g;

const placesIn = (template: string): readonly string[] => [...template.matchAll(PLACE)].map(([, name = ""]) => name);

export const findWholePlaceholder = (template: string): string | null =>
  placesIn(template).find((name) => template === `{${name}}`) ?? null;

const runsSchema = z.discriminatedUnion("kind", [
  /** `entry` is relative to the npm package. */
  z.strictObject({
    kind: z.literal("package"),
    package: z.string().max(214),
    version: z.string().max(100),
    entry: lineSchema,
  }),
  /** `entry` is `module:function`; `base` has the interpreter's standard library. */
  z.strictObject({
    kind: z.literal("python"),
    package: z.string().max(100),
    version: z.string().max(100),
    entry: z
      .string()
      .max(200)
      .regex(/^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$/),
    base: absolutePathSchema,
  }),
  z.strictObject({ kind: z.literal("file"), path: absolutePathSchema }),
  imageRunsSchema,
  z.strictObject({ kind: z.literal("bundled") }),
]);

/** The egress guard limits a name's addresses. */
const hostSchema = lineSchema
  .max(260)
  .refine((text) => isHost(text), "Enter a host as api.example.org or api.example.org:8443, in lower case.");

const fields = {
  id: idSchema,
  name: visibleNameSchema(120),
  runs: runsSchema,
  /** Digest of all executed bytes. */
  files: hexDigestSchema,
  args: z.array(lineSchema).max(32),
  /** Whole environment besides an empty home. */
  env: z.record(z.string().max(64), lineSchema),
  placeholders: z.record(placeholderNameSchema, placeholderSchema),
  /** `direct`: anywhere; otherwise a proxy limits hosts. */
  network: z.literal("direct").exactOptional(),
  hosts: z.array(hostSchema).min(1).max(50).exactOptional(),
};

const PORT = /^(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/;
const LABELS = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

const isHost = (text: string, name = LABELS): boolean => {
  const [host = "", port, ...rest] = text.split(":");

  return rest.length === 0 && name.test(host) && (port === undefined || PORT.test(port));
};

type Templates = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };

const templatesOf = ({ args, env }: Templates): readonly string[] => [...args, ...Object.values(env)];

/** Null: allowed. */
const variableFault = (name: string, template: string, placeholders: Readonly<Record<string, Placeholder>>): string | null => {
  if (isDeniedVariable(name)) return `The variable ${name.slice(0, 64)} is not passed on.`;
  const isSecret = placesIn(template).some((place) => placeholders[place]?.type === "secret");
  if (isSecretVariable(name) && !isSecret) return `Declare a secret for ${name}: --secret NAME --env ${name}={NAME}.`;

  return isSecret && findWholePlaceholder(template) === null ? `A secret is the whole value of ${name}.` : null;
};

type Faulty = Templates & {
  readonly runs: z.infer<typeof runsSchema>;
  readonly placeholders: Readonly<Record<string, Placeholder>>;
  readonly network?: "direct";
  readonly hosts?: readonly string[];
};

const programFaults = (program: Faulty): readonly string[] => {
  const { args, env, placeholders, network, hosts } = program;
  const used = new Set(templatesOf(program).flatMap(placesIn));
  const isSecretIn = (template: string): boolean => placesIn(template).some((place) => placeholders[place]?.type === "secret");

  return [
    ...(program.runs.kind === "image" ? listImageFaults({ ...program, runs: program.runs }) : []),
    ...[...used].flatMap((name) => (Object.hasOwn(placeholders, name) ? [] : [`{${name}} is not declared.`])),
    ...Object.keys(placeholders).flatMap((name) => (used.has(name) ? [] : [`{${name}} is declared and not used.`])),
    ...(network === "direct" && hosts !== undefined ? ["A program with --network direct reaches every host: leave --allow-host out."] : []),
    ...(args.some(isSecretIn) ? ["Other processes can read arguments: pass secrets as variables."] : []),
    ...Object.entries(env).flatMap(([name, template]) => variableFault(name, template, placeholders) ?? []),
  ];
};

export const programSchema = z.strictObject(fields).superRefine((program, context) => {
  for (const message of programFaults(program)) context.addIssue({ code: "custom", message });
});
export type Program = z.infer<typeof programSchema>;

/** Hashes all an admin confirms. */
export const computeProgramDigest = ({ name: _shown, ...program }: Program): HexDigest => digestOf("settings", program);

export type OfferedProgram = Program & { readonly digest: HexDigest };

export const programValuesSchema = z
  .record(placeholderNameSchema, z.union([lineSchema, secretReferenceSchema]))
  .refine((values) => Object.keys(values).length <= 32, "At most 32 values.");
export type ProgramValues = z.infer<typeof programValuesSchema>;

/** Confirmed entry with values. */
export const stdioManifestSchema = z.strictObject({
  program: idSchema,
  digest: hexDigestSchema,
  values: programValuesSchema,
  /** An admin accepted the runner's rights without isolation. */
  unisolated: z.literal(true).exactOptional(),
});
export type StdioManifest = z.infer<typeof stdioManifestSchema>;

export const listManifestSecrets = ({ values }: StdioManifest): readonly string[] =>
  Object.values(values).flatMap((value) => (typeof value === "string" ? [] : [value.secret]));

/** Excludes addresses and local names. */
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const LOCAL = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example|arpa)$/;

const isPublicHost = (text: string): boolean => isHost(text, HOST) && !LOCAL.test(text.split(":", 1)[0] ?? "");

const isRelativePath = (text: string): boolean =>
  text === "." || text.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** Lists reachable hosts; none for `direct`. */
export const listHosts = ({ hosts = [], placeholders, network }: Program, values: ProgramValues): readonly string[] =>
  network === "direct"
    ? []
    : [
        ...hosts,
        ...Object.entries(values).flatMap(([name, value]) =>
          placeholders[name]?.type === "host" && typeof value === "string" ? [value] : [],
        ),
      ];

export const findValueFault = (placeholder: Placeholder, value: ProgramValues[string]): string | null => {
  if (typeof value !== "string") return placeholder.type === "secret" ? null : "This is not a secret.";
  const issue = lineSchema.safeParse(value).error?.issues[0];
  if (issue) return issue.message;
  switch (placeholder.type) {
    case "folder":
      return isRelativePath(value) ? null : `Enter a folder relative to ${placeholder.below}, without . and .. in it.`;
    case "host":
      return isPublicHost(value) ? null : "Enter a public host name, such as api.example.org.";
    case "secret":
      return "Keep it in the secret store.";
    case "text":
      if (value.startsWith("-")) return "A value cannot begin with a hyphen: the program would read it as an option.";

      return new RE2JS(placeholder.pattern).testExact(value) ? null : `Enter text that matches ${placeholder.pattern}.`;
    case "choice":
      return placeholder.options.includes(value) ? null : "Choose one of the listed values.";
    default:
      return placeholder satisfies never;
  }
};

/** @returns the first fault */
export const checkValues = ({ placeholders }: Pick<Program, "placeholders">, values: ProgramValues): Result<null, string> => {
  const extra = Object.keys(values).find((name) => !Object.hasOwn(placeholders, name));
  if (extra !== undefined) return err(`${extra}: The program has no such value.`);
  for (const [name, placeholder] of Object.entries(placeholders)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const fault = value === undefined ? "Enter a value." : findValueFault(placeholder, value);
    if (fault !== null) return err(`${name}: ${fault}`);
  }

  return ok(null);
};

/** Replaces placeholders once, without expanding values. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(PLACE, (place, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? place) : place));
