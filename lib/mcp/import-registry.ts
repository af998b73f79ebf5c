/** A server per package and remote (`server.json`, December 2025). */
import { z } from "zod";
import type { JsonObject } from "@/lib/json";
import { err } from "@/lib/result";
import { toImageLaunch } from "./import-image";
import { toPackageLaunch, toPythonLaunch, type Described } from "./import-command";

const text = z.string().max(2_000);

const inputSchema = z.object({
  name: text,
  value: text.optional(),
  default: text.optional(),
  isSecret: z.boolean().optional(),
  description: text.optional(),
});
const argumentSchema = z.object({
  type: z.enum(["positional", "named"]),
  name: text.optional(),
  value: text.optional(),
  default: text.optional(),
  valueHint: text.optional(),
});
const transportSchema = z.object({ type: text, url: text.optional(), headers: z.array(inputSchema).max(50).optional() });
const packageSchema = z.object({
  registryType: text,
  registryBaseUrl: text.optional(),
  identifier: text,
  version: text.optional(),
  transport: transportSchema,
  runtimeArguments: z.array(z.unknown()).max(50).optional(),
  packageArguments: z.array(argumentSchema).max(50).optional(),
  environmentVariables: z.array(inputSchema).max(50).optional(),
});
const serverSchema = z.object({
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: text,
  packages: z.array(packageSchema).max(20).optional(),
  remotes: z.array(transportSchema).max(20).optional(),
});

type Package = z.infer<typeof packageSchema>;
type Input = z.infer<typeof inputSchema>;

/** Secrets are never taken from a public file. */
const pairOf = ({ name, value, default: standard, isSecret }: Input): readonly [string, string] => [
  name,
  isSecret === true ? `\${${name}}` : (value ?? standard ?? `\${${name}}`),
];

const argumentText = ({ type, name, value, default: standard, valueHint }: z.infer<typeof argumentSchema>): readonly string[] => {
  const given = value ?? standard;
  if (type === "named") return [name ?? "", ...(given === undefined ? [] : [given])];

  return [given ?? `\${${valueHint ?? "value"}}`];
};

const REGISTRY = /^https:\/\/(?:registry\.npmjs\.org|pypi\.org)\/?$/;
const STREAMABLE = "streamable-http";

const packageProblems = ({ registryType, registryBaseUrl, transport }: Package): readonly string[] => [
  ...(registryType === "oci" || registryBaseUrl === undefined || REGISTRY.test(registryBaseUrl)
    ? []
    : ["The package isn't from the npm registry or PyPI."]),
  ...(transport.type === "stdio" ? [] : ["The package listens on its own port, which isn't supported."]),
];

const launchOf = ({ registryType, identifier, version = "", packageArguments = [] }: Package): Described["launch"] => {
  const args = packageArguments.flatMap(argumentText);
  if (registryType === "npm") return toPackageLaunch(`${identifier}@${version}`, args);
  if (registryType === "pypi") return toPythonLaunch(`${identifier}==${version}`, args);
  if (registryType === "oci")
    return toImageLaunch(/[:@][^/]*$/.test(identifier) || version === "" ? identifier : `${identifier}:${version}`, args);

  return err(`${registryType.slice(0, 40)} packages aren't supported. Only npm and PyPI packages and container images are.`);
};

const ofPackage = (key: string, found: Package): Described => ({
  key,
  launch: launchOf(found),
  url: null,
  variables: (found.environmentVariables ?? []).map(pairOf),
  headers: [],
  problems: packageProblems(found),
  notes: found.runtimeArguments?.length ? ["runtimeArguments was left out: Countersign runs packages with its own Node and flags."] : [],
});

const ofRemote = (key: string, found: z.infer<typeof transportSchema>): Described => ({
  key,
  launch: null,
  url: found.url ?? "",
  variables: [],
  headers: (found.headers ?? []).map(pairOf),
  problems: found.type === STREAMABLE ? [] : ["It uses the old SSE transport, which isn't supported."],
  notes: [],
});

export const readRegistryDrafts = (root: JsonObject): readonly Described[] | null => {
  const parsed = serverSchema.safeParse(root);
  if (!parsed.success) return null;
  const { name, packages = [], remotes = [] } = parsed.data;
  const key = name.split("/").at(-1) ?? name;

  return [...packages.map((found) => ofPackage(key, found)), ...remotes.map((found) => ofRemote(key, found))];
};
