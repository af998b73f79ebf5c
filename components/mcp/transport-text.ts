import type { McpAccess } from "@/lib/mcp/access";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import type { Program, ProgramValues } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";

/** Formats a connection in one line. */
export const describeTransport = (transport: McpTransport | null, image?: string): string => {
  if (!transport) return "invalid connection";
  if (transport.type === "http") return transport.url;
  const { program } = transport.manifest;

  if (image !== undefined) return `container: ${image.replace(/@.*$/, "")}`;

  return isBundledProgram(program) ? `bundled with Countersign: ${program}` : `operator program: ${program}`;
};

export type Fact = { readonly label: string; readonly text: string; readonly digest?: string };

const runsText = ({ id, runs }: Program): string => {
  if (runs.kind === "image") return `container ${runs.image}, by ${runs.engine}`;
  if (runs.kind === "python") return `${runs.package}==${runs.version}, ${runs.entry}`;
  if (runs.kind === "package") return `${runs.package}@${runs.version}, ${runs.entry}`;

  return runs.kind === "file" ? runs.path : `${id}, bundled with Countersign`;
};

const environmentText = ({ id, env, runs }: Program): string => {
  if (id === "customers") return "its own database and public keys; empty home directory";
  const given = Object.entries(env).map(([name, template]) => `${name}=${template}`);

  const rest = runs.kind === "image" ? "the image's own; home directory /tmp" : "empty home directory, no PATH";

  return `${given.length === 0 ? "no variables" : given.join(", ")}; ${rest}`;
};

/** Facts fixed by the operator. */
export const listProgramFacts = (program: Program): readonly Fact[] => [
  { label: "Runs", text: runsText(program) },
  ...("version" in program.runs ? [{ label: "Installed in", text: `programs/${program.id} of the runner's state folder` }] : []),
  {
    label: "Arguments",
    text: program.runs.kind === "bundled" ? "its own folder" : program.args.length === 0 ? "none" : program.args.join(" "),
  },
  { label: "Environment", text: environmentText(program) },
];

const valuesText = (values: ProgramValues): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${typeof value === "string" ? value : `secret ${value.secret}`}`)
    .join(", ");

/** Headers and credentials, secrets by name. */
export const listAccessFacts = ({ headers, auth }: McpAccess, transport: McpTransport): readonly Fact[] => {
  if (transport.type !== "http") return [];
  const sent = Object.entries(headers).map(([name, value]) =>
    "secret" in value ? `${name}: ${value.prefix ?? ""}secret ${value.secret}` : `${name}: ${value.value}`,
  );
  const proof =
    auth && `${auth.client_id}, ${auth.find === "issuer" ? "issuer" : "token URL"} ${auth.url}, secret ${auth.client_secret.secret}`;

  return [
    { label: "Headers", text: sent.length === 0 ? "none" : `${sent.join(", ")}; not forwarded on redirects` },
    ...(proof ? [{ label: "OAuth client", text: proof }] : []),
  ];
};

const PROGRAM_LIMITS: Fact = {
  label: "Limits",
  text: "No shell, own process group, low priority, 512 MiB heap, 1.5 GiB memory, 1 MiB per message and 64 MiB per 10 seconds.",
};
const CONTAINER_LIMITS: Fact = {
  label: "Limits",
  text: "1 GiB memory, 1 processor, 256 processes, 64 MiB of temporary files, 8 MiB per message and 64 MiB per 10 seconds.",
};

/** Limits of a server. @param program as offered */
export const listTransportFacts = (transport: McpTransport, program: Program | null | undefined): readonly Fact[] => {
  if (transport.type === "http") {
    return [
      { label: "Address", text: transport.url },
      {
        label: "Network",
        text: "Public https addresses, or origins allowed by the operator. Checked as written, when resolved, when connected and on each redirect.",
      },
      { label: "Limits", text: "1 MiB per response; see the call limits below." },
    ];
  }
  const { manifest } = transport;

  return [
    { label: "Program", text: describeTransport(transport) },
    {
      label: "Digest",
      text: `of its ${program?.runs.kind === "image" ? "image" : "files"}, arguments and variables; checked before each start`,
      digest: manifest.digest,
    },
    ...(program ? listProgramFacts(program) : []),
    ...(Object.keys(manifest.values).length === 0 ? [] : [{ label: "Values", text: valuesText(manifest.values) }]),
    program?.runs.kind === "image" ? CONTAINER_LIMITS : PROGRAM_LIMITS,
  ];
};
