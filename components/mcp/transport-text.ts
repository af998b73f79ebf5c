import type { McpTransport } from "@/lib/mcp/transport";

/** How a server is reached, in one line. */
export const transportText = (transport: McpTransport | null): string => {
  if (!transport) return "refused: what is stored is not valid";
  if (transport.type === "http") return transport.url;
  const { manifest } = transport;
  if (manifest.source === "package") return [`${manifest.name}@${manifest.version}`, ...manifest.args].join(" ");

  return manifest.source === "bundled" ? `bundled with Countersign: ${manifest.id}` : [manifest.path, ...manifest.args].join(" ");
};

/** The facts that bound what a server could do, as label and text. */
export const transportFacts = (
  transport: McpTransport,
): readonly { readonly label: string; readonly text: string; readonly digest?: string }[] => {
  if (transport.type === "http") {
    return [
      { label: "Address", text: transport.url },
      { label: "Network", text: "Public addresses only: checked as written, as resolved, as connected, and at each redirect." },
      { label: "Limits", text: "1 MiB for each answer, 60 s for each call." },
    ];
  }
  const { manifest } = transport;
  const digest = manifest.source === "package" ? manifest.tree_digest : manifest.file_digest;
  const args = manifest.source === "bundled" ? ["a folder of its own"] : manifest.args;
  const isCustomers = manifest.source === "bundled" && manifest.id === "customers";

  return [
    { label: "Runs", text: transportText(transport) },
    {
      label: "Digest",
      text: manifest.source === "package" ? "of all its files, checked before each start" : "of the file, checked before each start",
      digest,
    },
    { label: "Arguments", text: args.length === 0 ? "none" : args.join(" ") },
    {
      label: "Environment",
      text: isCustomers ? "its own database, public keys; an empty home" : "nothing of ours; an empty home, no PATH",
    },
    { label: "Limits", text: "No shell, own process group, 1 MiB for each message, 60 s for each call." },
  ];
};
