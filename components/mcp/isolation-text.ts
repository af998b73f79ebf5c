/** What isolates a server, in words. */
import { isIsolated, missingLayers, type Isolation, type Layer } from "@/lib/mcp/isolation";
import { hostsOf, isBundledProgram, type Program, type StdioManifest } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import type { Fact } from "./transport-text";

const WORDS: Readonly<Record<Layer, string>> = {
  files: "files",
  network: "network",
  ports: "ports",
  memory: "memory of other processes",
  signals: "signals",
  processes: "new processes",
  privileges: "privileges",
  namespace: "a network namespace of its own",
  identity: "a user of its own",
};

const listed = (layers: readonly Layer[]): string => layers.map((layer) => WORDS[layer]).join(", ");

const stateOf = (isolation: Isolation | null): string => {
  if (!isolation) return "Unknown: no runner is connected.";
  if (!isIsolated(isolation)) return `Not isolated. ${isolation.reason ?? ""}`.trim();
  const missing = missingLayers(isolation);

  return `Isolated: ${listed(isolation.holds)}.${missing.length === 0 ? "" : ` Not isolated: ${listed(missing)}.`}`;
};

const networkOf = ({ program: id, values }: StdioManifest, program: Program | null): string => {
  if (isBundledProgram(id)) return id === "customers" ? "Its database." : "None.";
  if (!program) return "Unknown: the operator does not offer this program any more.";
  if (program.network === "direct") return "Any address: the operator allowed it.";
  const hosts = hostsOf(program, values);

  return hosts.length === 0 ? "None." : `${hosts.join(", ")}, through Countersign's proxy.`;
};

/** Of a server that we start; nothing of one that is reached over HTTP. @param program as it is offered now; null where that is not known */
export const isolationFacts = (transport: McpTransport, isolation: Isolation | null, program: Program | null): readonly Fact[] =>
  transport.type === "http"
    ? []
    : [
        { label: "Isolation", text: stateOf(isolation) },
        { label: "Network", text: networkOf(transport.manifest, program) },
      ];

/** Whether the server is started with all that the runner may do. */
export const isUnprotected = (transport: McpTransport, isolation: Isolation): boolean =>
  transport.type === "stdio" && !isIsolated(isolation);
