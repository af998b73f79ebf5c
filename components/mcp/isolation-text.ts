import { isIsolated, listMissingLayers, type Isolation, type Layer } from "@/lib/mcp/isolation";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import { listHosts, type Program, type StdioManifest } from "@/lib/mcp/program";
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
  namespace: "own network namespace",
  identity: "own user",
};

const listed = (layers: readonly Layer[]): string => layers.map((layer) => WORDS[layer]).join(", ");

const stateOf = (isolation: Isolation | null): string => {
  if (!isolation) return "Unknown: no runner is connected.";
  if (!isIsolated(isolation)) return `Not isolated. ${isolation.reason ?? ""}`.trim();
  const missing = listMissingLayers(isolation);

  return `Isolated: ${listed(isolation.holds)}.${missing.length === 0 ? "" : ` Not isolated: ${listed(missing)}.`}`;
};

const CONTAINER = "Container: read-only image, no capabilities, no folders of this machine, no new privileges.";

const networkOf = ({ program: id, values }: StdioManifest, program: Program | null | undefined): string | null => {
  if (isBundledProgram(id)) return id === "customers" ? "Its database." : "None.";
  if (program === undefined) return null;
  if (!program) return "Unknown: the operator no longer offers this program.";
  if (program.network === "direct") return "Any address (allowed by the operator).";
  const hosts = listHosts(program, values);

  return hosts.length === 0 ? "None." : `${hosts.join(", ")}, through Countersign's proxy.`;
};

/** @param program null: no longer offered; undefined: unknown */
export const listIsolationFacts = (
  transport: McpTransport,
  isolation: Isolation | null,
  program: Program | null | undefined,
): readonly Fact[] => {
  if (transport.type === "http") return [];
  const network = networkOf(transport.manifest, program);

  const state = program?.runs.kind === "image" ? CONTAINER : stateOf(isolation);

  return [{ label: "Isolation", text: state }, ...(network === null ? [] : [{ label: "Network", text: network }])];
};

export const isUnprotected = (transport: McpTransport, isolation: Isolation): boolean =>
  transport.type === "stdio" && !isIsolated(isolation);
