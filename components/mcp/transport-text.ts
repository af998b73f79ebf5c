import type { McpAccess } from "@/lib/mcp/access";
import type { LaunchEnvironment } from "@/lib/mcp/launch";
import type { McpTransport, TransportDraft } from "@/lib/mcp/transport";

/** As it is registered, or as it would be. */
type Way = McpTransport | TransportDraft;

/** How a server is reached, in one line. */
export const transportText = (transport: Way | null): string => {
  if (!transport) return "refused: what is stored is not valid";
  if (transport.type === "http") return transport.url;
  const { manifest } = transport;
  if (manifest.source === "package") return [`${manifest.name}@${manifest.version}`, ...manifest.args].join(" ");

  return manifest.source === "bundled" ? `bundled with Countersign: ${manifest.id}` : [manifest.path, ...manifest.args].join(" ");
};

type Fact = { readonly label: string; readonly text: string; readonly digest?: string };

const environmentText = (env: LaunchEnvironment | undefined): string => {
  const given = Object.entries(env ?? {}).map(([name, value]) =>
    "secret" in value ? `${name} = secret ${value.secret}` : `${name} = ${value.value}`,
  );

  return given.length === 0
    ? "nothing of ours; an empty home, no PATH"
    : `${given.join(", ")}; nothing else of ours; an empty home, no PATH`;
};

/** What a server is told of us, secrets by name. */
export const accessFacts = ({ headers, auth }: McpAccess, transport: Way): readonly Fact[] => {
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

/** The facts that bound what a server could do, as label and text. */
export const transportFacts = (transport: Way): readonly Fact[] => {
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
  const digest = "tree_digest" in manifest ? manifest.tree_digest : "file_digest" in manifest ? manifest.file_digest : null;
  const args = manifest.source === "bundled" ? ["a folder of its own"] : manifest.args;
  const isCustomers = manifest.source === "bundled" && manifest.id === "customers";

  return [
    { label: "Runs", text: transportText(transport) },
    {
      label: "Digest",
      text: manifest.source === "package" ? "of all its files, checked before each start" : "of the file, checked before each start",
      ...(digest === null ? {} : { digest }),
    },
    { label: "Arguments", text: args.length === 0 ? "none" : args.join(" ") },
    {
      label: "Environment",
      text: isCustomers
        ? "its own database, public keys; an empty home"
        : environmentText(manifest.source === "bundled" ? undefined : manifest.env),
    },
    {
      label: "Limits",
      text: "No shell, own process group, low priority, 512 MiB of heap, 1 MiB for each message and 64 MiB in ten seconds.",
    },
  ];
};

/** All of it, for a server that is to be registered. */
export const draftFacts = (transport: TransportDraft, access: McpAccess): readonly Fact[] => [
  ...transportFacts(transport),
  ...accessFacts(access, transport),
];
