import type { ChangedPart } from "@/lib/architect/comparison";
import type { GraphPlace } from "@/lib/environments/places";
import type { Graph } from "@/lib/graph/document";
import type { HexDigest } from "@/lib/hash";
import { uuidSchema } from "@/lib/ids";
import type { GraphContent } from "@/server/architect/comparing";
import type { Arguments } from "@/server/cli/arguments";
import { CliFailure, type CliHost } from "@/server/cli/host";
import { openRemoteOf, REMOTE_OPTIONS } from "@/server/cli/remote/client";

export type Draft = {
  readonly id: string;
  readonly revision: number;
  /** Of the version to be. */
  readonly hash: string;
  readonly version: { readonly hash: string; readonly number: number } | null;
  readonly document: Graph;
};

type Version = { readonly hash: string; readonly document: Graph };

export type Wanted = { readonly environment: string; readonly hash: HexDigest; readonly base: HexDigest | null };

type Promotion = {
  readonly id: string;
  readonly status: "open" | "approved" | "declined" | "superseded";
  readonly environment: string;
  readonly hash: string;
};

export type PublicationRequest = {
  readonly id: string;
  readonly status: "open" | "approved" | "declined" | "superseded";
  readonly hash: string;
  readonly revision: number;
  readonly reason: string | null;
};

export type FoundProblem = {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
};

export type FoundComparison = {
  readonly secondPerson: string | null;
  readonly unattended: readonly { readonly inside: string; readonly node: string; readonly tool: string }[];
  readonly changes: readonly {
    readonly direction: "wider" | "narrower";
    readonly loosens: boolean;
    readonly facet: string;
    readonly text: string;
    readonly node?: string | undefined;
  }[];
  readonly parts: readonly ChangedPart[];
  readonly problems: readonly FoundProblem[];
};

export type Asked =
  | { readonly status: "requested"; readonly id: string }
  | { readonly status: "invalid_graph"; readonly problems: readonly FoundProblem[] };

export type GraphSource = {
  readonly list: (documentId: string | null) => Promise<readonly string[]>;
  readonly readDraft: (id: string) => Promise<Draft>;
  readonly readVersion: (id: string, number: number | null) => Promise<Version>;
  readonly compare: (id: string, before: GraphContent, after: GraphContent) => Promise<FoundComparison>;
  /** @throws SourceConflict */
  readonly create: (document: Graph) => Promise<string>;
  /** @throws SourceConflict */
  readonly save: (id: string, revision: number, document: Graph) => Promise<number>;
  readonly listRequests: (id: string) => Promise<readonly PublicationRequest[]>;
  readonly ask: (draft: Draft) => Promise<Asked>;
  readonly listPlaces: (id: string) => Promise<readonly GraphPlace[]>;
  readonly listPromotions: (id: string) => Promise<readonly Promotion[]>;
  /** @returns the request's id */
  readonly askToPromote: (id: string, wanted: Wanted) => Promise<string>;
};

export { RemoteConflict as SourceConflict } from "@/server/cli/remote/client";

export const SOURCE_OPTIONS = { workspace: "string", ...REMOTE_OPTIONS } as const;

export const openSource = async (args: Arguments, host: CliHost, use: "read" | "save" | "ask"): Promise<GraphSource> => {
  const remote = openRemoteOf(args, host);
  const workspace = args.text("workspace");
  if (!remote) return (await import("./installed-source")).openInstalledSource(host, workspace, use);
  if (workspace !== null) throw new CliFailure("--workspace does not apply to --remote: a token belongs to one workspace");

  return (await import("./remote-source")).openRemoteSource(remote);
};

/** @param name its id or its document's @throws CliFailure for several */
export const findGraph = async (source: GraphSource, name: string): Promise<string | null> => {
  if (uuidSchema.safeParse(name).success) return name;
  const found = await source.list(name);
  if (found.length > 1) throw new CliFailure(`${found.length} graphs have the document id ${name}: use a graph id (${found.join(", ")})`);

  return found[0] ?? null;
};

export const demandGraph = async (source: GraphSource, name: string): Promise<string> => {
  const found = await findGraph(source, name);
  if (found === null) throw new CliFailure(`graph ${name} not found`);

  return found;
};

export const readVersionOption = (text: string | null): number | "newest" | null => {
  if (text === null || text === "newest") return text;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new CliFailure('--version expects a number or "newest"');

  return number;
};
