import type { McpAccess } from "@/lib/mcp/access";
import { isBundledProgram, type Program, type ProgramValues } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";

/** How a server is reached, in one line. */
export const transportText = (transport: McpTransport | null): string => {
  if (!transport) return "refused: what is stored is not valid";
  if (transport.type === "http") return transport.url;
  const { program } = transport.manifest;

  return isBundledProgram(program) ? `bundled with Countersign: ${program}` : `program of the operator: ${program}`;
};

export type Fact = { readonly label: string; readonly text: string; readonly digest?: string };

const runsText = ({ id, runs }: Program): string => {
  if (runs.kind === "package") return `${runs.package}@${runs.version}, ${runs.entry}`;

  return runs.kind === "file" ? runs.path : `${id}, bundled with Countersign`;
};

const environmentText = (id: string, env: Readonly<Record<string, string>>): string => {
  if (id === "customers") return "its own database, public keys; an empty home";
  const given = Object.entries(env).map(([name, template]) => `${name}=${template}`);

  return `${given.length === 0 ? "nothing of ours" : given.join(", ")}; an empty home, no PATH`;
};

/** What the operator fixed of a program. */
export const programFacts = (program: Program): readonly Fact[] => [
  { label: "Runs", text: runsText(program) },
  {
    label: "Arguments",
    text: program.runs.kind === "bundled" ? "a folder of its own" : program.args.length === 0 ? "none" : program.args.join(" "),
  },
  { label: "Environment", text: environmentText(program.id, program.env) },
];

const valuesText = (values: ProgramValues): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${typeof value === "string" ? value : `secret ${value.secret}`}`)
    .join(", ");

/** What a server is told of us, secrets by name. */
export const accessFacts = ({ headers, auth }: McpAccess, transport: McpTransport): readonly Fact[] => {
  if (transport.type !== "http") return [];
  const sent = Object.entries(headers).map(([name, value]) =>
    "secret" in value ? `${name}: ${value.prefix ?? ""}secret ${value.secret}` : `${name}: ${value.value}`,
  );
  const proof =
    auth &&
    `${auth.client_id}, by ${auth.find === "issuer" ? "the issuer" : "the token address"} ${auth.url}, secret ${auth.client_secret.secret}`;

  return [
    { label: "Headers", text: sent.length === 0 ? "none of ours" : `${sent.join(", ")}; not sent on by a redirect` },
    ...(proof ? [{ label: "OAuth client", text: proof }] : []),
  ];
};

/** The facts that bound what a server could do, as label and text. @param program as it is offered now; null where that is not known */
export const transportFacts = (transport: McpTransport, program: Program | null): readonly Fact[] => {
  if (transport.type === "http") {
    return [
      { label: "Address", text: transport.url },
      {
        label: "Network",
        text: "Public https addresses, or origins that the operator opened: checked as written, as resolved, as connected, and at each redirect.",
      },
      { label: "Limits", text: "1 MiB for each answer; the limits of a call stand below." },
    ];
  }
  const { manifest } = transport;

  return [
    { label: "Program", text: transportText(transport) },
    { label: "Digest", text: "of all its files, arguments and variables, checked before each start", digest: manifest.digest },
    ...(program ? programFacts(program) : []),
    ...(Object.keys(manifest.values).length === 0 ? [] : [{ label: "Values", text: valuesText(manifest.values) }]),
    {
      label: "Limits",
      text: "No shell, own process group, low priority, 512 MiB of heap, 1.5 GiB of memory, 1 MiB for each message and 64 MiB in ten seconds.",
    },
  ];
};
